package solvertest

import "github.com/gaplab/gaplab/solvers"

// Option states a property that a solver promises in addition to the contract of package solvers, or an exception from
// the checks.
type Option func(*suite)

// Accuracy sets the largest allowed distances of primal and dual from the optimum, as shares of P(0), the primal at w =
// 0: smooth for smooth problems, and other for all other problems. epochs is the largest number of epochs to reach this
// accuracy. The default is 1e-6 for both, in 2000 epochs.
func Accuracy(smooth, other float64, epochs int) Option {
	return func(s *suite) { s.smooth, s.other, s.epochs = smooth, other, epochs }
}

// MonotoneDual promises that the dual does not decrease during a run.
func MonotoneDual() Option { return func(s *suite) { s.monotone = true } }

// CallsPerEpoch promises bounds on the number of oracle calls in each epoch on n examples. Calls of the set-up do not
// count.
func CallsPerEpoch(bounds func(n int) (low, high int)) Option {
	return func(s *suite) { s.perEpoch = bounds }
}

// CallsBetweenYields promises the largest number of oracle calls between two yields on n examples. Calls of the set-up
// do not count. The default is n/5, and at least 2. This allows ten yields in an epoch that are not evenly spaced,
// because n may not be a multiple of ten.
func CallsBetweenYields(most func(n int) int) Option {
	return func(s *suite) { s.between = most }
}

// Lambdas leaves out the problems whose λ is not between low and high, because the solver's settings do not fit them.
func Lambdas(low, high float64) Option { return func(s *suite) { s.low, s.high = low, high } }

// Random promises that the solver uses random numbers with these settings, so another seed gives another run.
func Random() Option { return func(s *suite) { s.random = true } }

// Deterministic promises that the solver uses no random numbers, so all seeds give the same run.
func Deterministic() Option { return func(s *suite) { s.deterministic = true } }

// MayDiverge states that the method may make steps that are too long. At extreme λ, its iterates may be infinite or
// NaN. Inference with an energy of unbounded gradient may not find the optimum.
func MayDiverge() Option { return func(s *suite) { s.mayDiverge = true } }

// Certified promises that the primal and the dual differ by at most precision when a solver that certifies its end
// (solvers.Certifier) ends by itself. The default is the accuracy of the option Accuracy.
func Certified(precision float64) Option { return func(s *suite) { s.certified = precision } }

// Searchless states that the solver does not search for an optimum. It yields one iterate, which may not be an optimum.
func Searchless() Option { return func(s *suite) { s.searchless = true } }

// OwnMarginals states that an inference solver computes its marginals without the exp-oracle. These marginals are equal
// to the exp-oracle's marginals at Scores only at the optimum.
func OwnMarginals() Option { return func(s *suite) { s.ownMarginals = true } }

// Columns promises that names contains all statistics of the iterates, and all columns of phases, such as qp_seconds.
func Columns(names []string) Option {
	return func(s *suite) { s.listed, s.columns = true, names }
}

// Saves promises that iterates have a State if saves is true, and that they have no State if saves is false.
func Saves(saves bool) Option { return func(s *suite) { s.saves = &saves } }

// suite contains the solver to check and its promises.
type suite struct {
	solver        solvers.Solver
	smooth, other float64
	epochs        int
	monotone      bool
	perEpoch      func(n int) (low, high int)
	between       func(n int) int
	low, high     float64 // range of λ that the option Lambdas sets
	random        bool
	deterministic bool
	mayDiverge    bool
	searchless    bool
	certified     float64 // 0 if the option Certified was not given
	ownMarginals  bool
	listed        bool // whether the option Columns was given
	columns       []string
	saves         *bool // nil if the option Saves was not given
}
