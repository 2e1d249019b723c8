// Package modeltest is the conformance suite for models. It checks the properties that solvers rely on, by comparison
// with enumeration of all labellings of small examples. It shares no code with the models that it checks.
//
//	func TestConformance(t *testing.T) {
//		task, err := multiclass.New().Build(train, validation)
//		if err != nil { t.Fatal(err) }
//		modeltest.Check(t, task, func(e *models.Example) []models.Vertex {
//			return []models.Vertex{{0}, {1}, {2}}
//		})
//	}
//
// Oracles that are nil are not checked, and neither are optional interfaces that a feature map does not implement. For
// a model with inexact oracles, Check tests only what such oracles guarantee. CheckList runs these checks for each
// model of a list.
//
// Run the suite with the race detector as well. Do not run it from a parallel test, because it counts allocations.
package modeltest

import (
	"runtime/debug"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// Option changes what Check does.
type Option func(*suite)

// Examples sets the number n of examples: Check checks the first n training examples and the first n validation
// examples. The default is 3. Choose data in which these examples differ, for instance in length, and have at most a
// few thousand labellings each.
func Examples(n int) Option { return func(s *suite) { s.examples = n } }

// AnyTies allows Max to return any of several best labellings with the same score, as long as it always returns the
// same labelling. Without this option Max must return the labelling whose parts come first in lexicographic order.
func AnyTies() Option { return func(s *suite) { s.anyTies = true } }

// CountCosts restricts the random costs that are passed to MaxSlack to small integers, and to the parts below the
// length of Example.Cost. Oracles that use dynamic programming over the total cost need this.
func CountCosts() Option { return func(s *suite) { s.countCosts = true } }

// Seed sets the seed of the random scores and weights. The default is 1.
func Seed(seed uint64) Option { return func(s *suite) { s.seed = seed } }

// Check reports an error to t for each requirement of package models that the task violates. The function labellings
// must return every labelling of an example once, in any order.
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
		t.Errorf("no example to check: the task has %d training examples, and Examples was set to %d", len(task.Train),
			s.examples)
		return
	}
	for _, x := range subjects {
		if !x.sound(t) { // the other checks rely on this one
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

// check tests one property of an example.
type check struct {
	name  string
	check func(testing.TB, *subject)
}

// checks returns the checks for the examples of a task. For inexact oracles these test only what such oracles
// guarantee.
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

// run runs a check, as a subtest if t is a *testing.T. If the check panics, only this check fails, and the others are
// still run.
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
