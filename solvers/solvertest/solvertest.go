// Package solvertest is the conformance suite of solvers. On small problems, it checks the properties of solvers on
// which the harness relies. The problems are multiclass problems, and chains, dependency trees and a grammar whose
// labellings are all listed. The suite computes and certifies the optima of these problems itself. A solver that fits
// log-probabilities is checked on a hidden Markov model and a Bayesian network, where its own primal and dual must
// agree. A solver of inference is checked on chains with energies and on the counts of a population. Each solver must
// give an error for objectives that it does not support.
//
//	func TestConformance(t *testing.T) {
//		solvertest.Check(t, &mySolver{Eta: 0.5}, solvertest.MonotoneDual())
//	}
//
// The suite leaves out losses that the solver does not support. If no problem remains, the suite fails. Run the suite
// also with the race detector. Do not run it in a parallel test, because it counts goroutines.
package solvertest

import (
	"math"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// Subject is a solver with its settings, and the properties that the solver promises for these settings.
type Subject struct {
	Name     string
	Solver   solvers.Solver
	Promises []Option
}

// With returns a Subject.
func With(name string, solver solvers.Solver, promises ...Option) Subject {
	return Subject{Name: name, Solver: solver, Promises: promises}
}

// Each runs the suite on each subject, in its own subtest. With -short, it runs only the first subject, because the
// other subjects test mostly the same code.
func Each(t *testing.T, subjects ...Subject) {
	for k, s := range subjects {
		if k > 0 && testing.Short() {
			break
		}
		t.Run(s.Name, func(t *testing.T) { Check(t, s.Solver, s.Promises...) })
	}
}

// Check runs the suite on a solver. It reports each violation of the contract of package solvers or of a promise as an
// error of t.
func Check(t testing.TB, solver solvers.Solver, opts ...Option) {
	t.Helper()
	s := &suite{solver: solver, smooth: 1e-6, other: 1e-6, epochs: 2000, high: math.Inf(1),
		between: func(n int) int { return max(2, n/5) }}
	for _, o := range opts {
		o(s)
	}
	all := slices.Concat(s.problems(t), s.generatives(t), s.inferences(t))
	if len(all) == 0 {
		t.Errorf("the solver supports none of the problems; for the log loss Missing returns: %v",
			solvers.Missing(solver, logProblem(t)))
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
		{"certified end", (*suite).checkCertified},
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

// subtest runs check in a subtest if t supports subtests. A panic fails this check only, and the other checks still
// run.
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
