package solvertest

import (
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
)

// structure is a model whose labellings have several parts, on a small data set. All labellings can be listed.
type structure struct {
	name  string
	build func() (*models.Task, error)
	all   func(*models.Task) [][]labelling // returns the labellings of each example, the true one first
}

// structures returns a chain with tied transitions, a chain with untied transitions, dependency trees, and a grammar.
// The problems of chains and of dependency trees use the same sentences. A sentence of one word has only one tree.
func structures() []structure {
	text := sentences()
	bank := treebank()
	return []structure{
		{"chain", func() (*models.Task, error) {
			return chain.Model{Edges: "tied", Features: "word[0] bias", Label: "pos", Cutoff: 1}.Build(text, nil)
		}, func(*models.Task) [][]labelling { return tagSequences(text) }},
		{"untied", func() (*models.Task, error) {
			return chain.Model{Edges: "untied", Features: "word[0] bias", Label: "pos", Cutoff: 1}.Build(text, nil)
		}, func(*models.Task) [][]labelling { return tagSequences(text) }},
		{"deptree", func() (*models.Task, error) {
			return deptree.Model{Cutoff: 4, Between: "count", Roots: "single"}.Build(text, nil)
		}, func(task *models.Task) [][]labelling { return dependencyTrees(text, task) }},
		{"cfg", func() (*models.Task, error) {
			return cfg.Model{LossScale: grammarLoss, Forests: 1}.Build(bank, nil)
		}, func(*models.Task) [][]labelling { return parses(bank) }},
	}
}

// task builds the model on its data set.
func (s structure) task(t testing.TB) *models.Task {
	t.Helper()
	task, err := s.build()
	if err != nil {
		t.Fatalf("solvertest: %s: %v", s.name, err)
	}
	return task
}

// addStructures appends the structured problems that the solver supports. Few solvers support the 0/1 loss of the
// grammar.
func (s *suite) addStructures(t testing.TB, out []*problem) []*problem {
	t.Helper()
	for _, m := range structures() {
		task := m.task(t)
		for _, l := range []struct {
			name    string
			loss    models.Loss
			lambdas []float64
		}{
			{"log", models.LogLoss(), []float64{0.1, 0.01}},
			{"hinge", models.Hinge(), []float64{1, 0.1}},
		} {
			for _, lambda := range l.lambdas {
				p := task.Objective(l.loss, lambda).(*models.Risk)
				if lambda < s.low || lambda > s.high || !s.takes(p) {
					continue
				}
				out = append(out, certify(t, p, m.name, l.name, func() [][]labelling { return m.all(task) }))
			}
		}
	}
	return out
}

// problems returns problems with all combinations of data, losses and λ that the solver supports.
func (s *suite) problems(t testing.TB) []*problem {
	t.Helper()
	var out []*problem
	add := func(d *table, name string, loss models.Loss, lambdas ...float64) {
		t.Helper()
		for _, lambda := range lambdas {
			p := build(t, d, loss, lambda)
			if lambda < s.low || lambda > s.high || !s.takes(p) { // checkSupport tests problems that the solver does not support
				continue
			}
			out = append(out, certify(t, p, d.name, name, d.classes))
		}
	}
	for _, d := range tables() {
		add(d, "log", models.LogLoss(), 1, 0.1, 0.01)
		add(d, "hinge", models.Hinge(), 1, 0.1, 0.01)
	}
	add(denseTable(), "log", models.LogLoss(), 100, 1e-3)
	add(denseTable(), "softmax margin", models.Loss{Temp: 1, Margin: 1}, 0.1)
	add(denseTable(), "smoothed hinge", models.Loss{Temp: 0.5, Margin: 1}, 0.1)
	return s.addStructures(t, out)
}
