// Package solvertest is the conformance suite of solvers: what the harness relies on, checked on small problems whose
// optimum is certified by a method of the suite's own: multiclass problems, and chains, dependency trees and a grammar
// of which all labellings are listed. A solver that fits log-probabilities is checked on a hidden Markov model and a
// Bayesian network, where its own bounds must meet; one of inference, on chains with energies and on the counts of a
// population. Each must refuse the kinds of objectives that it is not for.
//
//	func TestConformance(t *testing.T) {
//		solvertest.Check(t, &mySolver{Eta: 0.5}, solvertest.MonotoneDual())
//	}
//
// A loss that the solver does not support is left out; a suite that finds nothing left to run fails. Run it with the
// race detector as well, and not from a parallel test: it counts goroutines.
package solvertest

import (
	"math"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// Subject is a solver with settings, and what it promises under them.
type Subject struct {
	Name     string
	Solver   solvers.Solver
	Promises []Option
}

// With returns a Subject.
func With(name string, solver solvers.Solver, promises ...Option) Subject {
	return Subject{Name: name, Solver: solver, Promises: promises}
}

// Each puts settings of a solver through the suite, in a subtest each. With -short only the first is tried: the others
// take the same paths, for the most part.
func Each(t *testing.T, subjects ...Subject) {
	for k, s := range subjects {
		if k > 0 && testing.Short() {
			break
		}
		t.Run(s.Name, func(t *testing.T) { Check(t, s.Solver, s.Promises...) })
	}
}

// Check fails t wherever the solver breaks the contract of package solvers or one of the promises.
func Check(t testing.TB, solver solvers.Solver, opts ...Option) {
	t.Helper()
	s := &suite{solver: solver, smooth: 1e-6, other: 1e-6, epochs: 2000, high: math.Inf(1),
		between: func(n int) int { return max(2, n/5) }}
	for _, o := range opts {
		o(s)
	}
	all := slices.Concat(s.problems(t), s.generatives(t), s.inferences(t))
	if len(all) == 0 {
		t.Errorf("the solver takes none of the problems; of the log loss it says: %v", solvers.Missing(solver, logProblem(t)))
		return
	}
	before := share(all)
	for _, c := range []struct {
		name  string
		check func(*suite, testing.TB, []*problem)
	}{
		{"start", (*suite).checkStart},
		{"convergence", (*suite).checkConvergence},
		{"oracle calls", (*suite).checkCalls},
		{"goroutine", (*suite).checkGoroutine},
		{"same seed", (*suite).checkRepeats},
		{"other seed", (*suite).checkSeeds},
		{"workers", (*suite).checkWorkers},
		{"columns", (*suite).checkColumns},
		{"observation", (*suite).checkObservation},
		{"concurrent", (*suite).checkConcurrent},
		{"break", (*suite).checkBreaks},
		{"end", (*suite).checkEnd},
		{"interruption", (*suite).checkInterruption},
		{"resume", (*suite).checkResume},
		{"extreme lambda", (*suite).checkExtremes},
		{"warm", (*suite).checkWarm},
		{"nonsense", (*suite).checkNonsense},
		{"inference", (*suite).checkInference},
	} {
		subtest(t, c.name, func(t testing.TB) { c.check(s, t, all) })
	}
	subtest(t, "support", s.checkSupport)
	subtest(t, "examples", func(t testing.TB) { checkShared(t, all, before) })
}

// subtest makes a subtest where t has them. A panic fails the check, and the others go on.
func subtest(t testing.TB, name string, check func(testing.TB)) {
	t.Helper()
	guarded := func(t testing.TB) {
		defer func() {
			if v := recover(); v != nil {
				t.Errorf("%s: panic: %v\n%s", name, v, debug.Stack())
			}
		}()
		check(t)
	}
	if t, ok := t.(*testing.T); ok {
		t.Run(name, func(t *testing.T) { guarded(t) })
		return
	}
	guarded(t)
}
