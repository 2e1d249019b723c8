// Package modeltest is the conformance suite of models: what solvers rely on, checked on small examples against brute
// enumeration of their labellings. It shares no code with the models it judges.
//
//	func TestConformance(t *testing.T) {
//		task, err := multiclass.New().Build(train, validation)
//		if err != nil { t.Fatal(err) }
//		modeltest.Check(t, task, func(e *models.Example) []models.Vertex {
//			return []models.Vertex{{0}, {1}, {2}}
//		})
//	}
//
// Oracles that a model leaves nil are not checked, nor are optional interfaces that its feature maps lack. If a model's
// oracles are inexact, it checks what such oracles promise. CheckList does all this for the models of a list.
//
// Run it with the race detector as well, and not from a parallel test: it counts allocations.
package modeltest

import (
	"runtime/debug"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// Option changes what Check does.
type Option func(*suite)

// Examples sets how many training and how many validation examples are checked, the first ones of each; 3 if not
// given. Choose the data so that these differ (in length, say) and have at most a few thousand labellings.
func Examples(n int) Option { return func(s *suite) { s.examples = n } }

// AnyTies accepts any of several labellings with the same score, as long as it is always the same one. Without it Max
// must return the smallest in lexicographic order of parts.
func AnyTies() Option { return func(s *suite) { s.anyTies = true } }

// CountCosts restricts the random costs passed to MaxSlack to small integers on the parts that Cost covers. An exact
// dynamic programme over the total cost needs that.
func CountCosts() Option { return func(s *suite) { s.countCosts = true } }

// Seed sets the seed of the random scores and weights; 1 if not given.
func Seed(seed uint64) Option { return func(s *suite) { s.seed = seed } }

// Check fails t wherever the task breaks the contract of package models. labellings lists every labelling of an
// example, each once, in any order.
func Check(t testing.TB, task *models.Task, labellings func(*models.Example) []models.Vertex, opts ...Option) {
	t.Helper()
	s := suite{examples: 3, seed: 1}
	for _, o := range opts {
		o(&s)
	}
	run(t, "task", func(t testing.TB) { checkTask(t, task) })
	if task.Unknowns == nil {
		return
	}
	run(t, "norm", func(t testing.TB) { checkNorm(t, task, s.seed) })
	run(t, "generative", func(t testing.TB) { checkGenerative(t, task) })
	var subjects []*subject
	for _, part := range []struct {
		name     string
		examples []models.Example
	}{{"train", task.Train}, {"validation", task.Validation}} {
		for i := range min(s.examples, len(part.examples)) {
			e := &part.examples[i]
			subjects = append(subjects, newSubject(part.name, i, e, task, labellings(e), s))
		}
	}
	if len(subjects) == 0 {
		t.Errorf("no example to check: the task has %d, and %d were asked for", len(task.Train), s.examples)
		return
	}
	for _, x := range subjects {
		if !x.sound(t) { // the other checks rely on it
			return
		}
		x.bound()
	}
	for _, c := range checks(task) {
		run(t, c.name, func(t testing.TB) {
			for _, x := range subjects {
				c.check(t, x)
			}
		})
	}
	run(t, "concurrent", func(t testing.TB) { checkConcurrent(t, subjects) })
}

// check is one property of examples.
type check struct {
	name  string
	check func(testing.TB, *subject)
}

// checks returns the checks that a task's examples must pass. Inexact oracles are checked only for what they promise.
func checks(task *models.Task) []check {
	oracles := []check{
		{"max", checkMax},
		{"ties", checkTies},
		{"logsum", checkLogSum},
		{"finite differences", checkFiniteDifferences},
		{"huge scores", checkHuge},
		{"slack", checkSlack},
		{"second best", checkSecond},
		{"log-probabilities", checkJoint},
	}
	if weightsOf(task).Inexact {
		oracles = []check{{"inexact max", checkInexactMax}, {"inexact logsum", checkInexactLogSum}}
	}
	return append(oracles,
		check{"polytope", checkPolytope},
		check{"energy", checkEnergy},
		check{"adjoint", checkAdjoint},
		check{"gram", checkGram},
		check{"row map", checkRowMap},
		check{"radius", checkRadius},
		check{"sparse", checkSparse},
		check{"wrong lengths", checkLengths},
		check{"allocations", checkAllocations})
}

// run runs a check, as a subtest if t is a *testing.T. A panic fails this check only.
func run(t testing.TB, name string, check func(testing.TB)) {
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
