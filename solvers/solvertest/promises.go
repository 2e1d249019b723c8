package solvertest

import "github.com/gaplab/gaplab/solvers"

// Option states what a solver promises besides the contract of package solvers, or what it does not.
type Option func(*suite)

// Accuracy sets how close the solver must come to the optimum of smooth and of other problems, and in how many epochs
// at most. Distances of primal and dual are shares of P(0). The default is 1e-6 for both, in 2000 epochs.
func Accuracy(smooth, other float64, epochs int) Option {
	return func(s *suite) { s.smooth, s.other, s.epochs = smooth, other, epochs }
}

// MonotoneDual promises that the dual never decreases during a run.
func MonotoneDual() Option { return func(s *suite) { s.monotone = true } }

// CallsPerEpoch bounds the oracle calls of each epoch on n examples, without the set-up.
func CallsPerEpoch(bounds func(n int) (low, high int)) Option {
	return func(s *suite) { s.perEpoch = bounds }
}

// CallsBetweenYields sets the most oracle calls between two yields on n examples, without the set-up. The default is a
// fifth of n, and at least 2: ten yields an epoch, unevenly spaced where ten does not divide n.
func CallsBetweenYields(most func(n int) int) Option {
	return func(s *suite) { s.between = most }
}

// Lambdas leaves out the problems whose λ is outside of low..high, where the solver's settings do not suit.
func Lambdas(low, high float64) Option { return func(s *suite) { s.low, s.high = low, high } }

// Random promises that the solver draws random numbers under these settings: another seed gives another run.
func Random() Option { return func(s *suite) { s.random = true } }

// Deterministic promises that it draws none: no seed makes a difference.
func Deterministic() Option { return func(s *suite) { s.deterministic = true } }

// MayDiverge says that the method has no guard against a step that is too long: at extreme λ its iterates need not be
// finite, and inference with an energy of unbounded gradient need not find the optimum.
func MayDiverge() Option { return func(s *suite) { s.mayDiverge = true } }

// Searchless says that the solver does not search: it yields one iterate, which need not be an optimum.
func Searchless() Option { return func(s *suite) { s.searchless = true } }

// OwnMarginals says that the iterates of an inference solver are marginals of its own, which agree with those at their
// Scores only at the optimum, and that it needs no exp-oracle for them.
func OwnMarginals() Option { return func(s *suite) { s.ownMarginals = true } }

// Columns promises that the statistics of iterates, and the seconds of phases such as qp_seconds, are among these.
func Columns(names []string) Option {
	return func(s *suite) { s.listed, s.columns = true, names }
}

// Saves promises that iterates have a State, or that they have none.
func Saves(saves bool) Option { return func(s *suite) { s.saves = &saves } }

type suite struct {
	solver        solvers.Solver
	smooth, other float64
	epochs        int
	monotone      bool
	perEpoch      func(n int) (low, high int)
	between       func(n int) int
	low, high     float64 // λ
	random        bool
	deterministic bool
	mayDiverge    bool
	searchless    bool
	ownMarginals  bool
	listed        bool // columns are known
	columns       []string
	saves         *bool // nil: nothing is promised
}
