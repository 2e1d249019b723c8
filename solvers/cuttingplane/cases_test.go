package cuttingplane

import (
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// planeCases returns small tasks of a multiclass model, a chain and a grammar, with a list of all labellings of each
// example.
func planeCases(t testing.TB) []testbed.PlaneCase {
	t.Helper()
	cases := []testbed.PlaneCase{
		{Name: "multiclass", Task: testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(12, 3, 4))},
		{Name: "chain", Task: testbed.TaskOf(t, chain.Model{Edges: "tied"},
			testbed.ShortSequences(3, 2, 3, 1, 3, 2, 4, 2, 3))},
		{Name: "cfg", Task: testbed.TaskOf(t, cfg.Model{LossScale: 2, Forests: 1}, testbed.AmbiguousTrees())},
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for c := range cases {
		for i := range cases[c].Task.Train {
			cases[c].Labellings = append(cases[c].Labellings, testbed.LabellingsOf(rng, &cases[c].Task.Train[i]))
		}
	}
	for i, want := range []int{8, 2, 8, 4, 16, 4, 8} {
		if n := len(cases[1].Labellings[i]); n != want {
			t.Fatalf("LabellingsOf found %d labellings of sequence %d, want %d", n, i, want)
		}
	}
	return cases
}

// eachPlane runs a subtest for each case of planeCases, with the given loss and λ.
func eachPlane(t *testing.T, loss models.Loss, lambda float64,
	check func(t *testing.T, c testbed.PlaneCase, p *models.Risk)) {
	t.Helper()
	for _, c := range planeCases(t) {
		t.Run(c.Name, func(t *testing.T) { check(t, c, c.Task.Objective(loss, lambda).(*models.Risk)) })
	}
}

// eachRescaling runs a subtest for each case of planeCases, with margin and with slack rescaling.
func eachRescaling(t *testing.T, lambda float64, check func(t *testing.T, c testbed.PlaneCase, p *models.Risk)) {
	t.Helper()
	for name, loss := range map[string]models.Loss{"margin": models.Hinge(), "slack": models.Slack()} {
		t.Run(name, func(t *testing.T) { eachPlane(t, loss, lambda, check) })
	}
}

// exactOneSlack returns a 1-slack solver that solves each QP almost exactly, as the theorems assume.
func exactOneSlack(eps float64) *OneSlack {
	return &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Tolerance: 1e-10, Step: "qp"}
}

// planeSolvers returns the 1-slack and the n-slack method with many settings and the same ε, by name.
func planeSolvers(eps float64) map[string]solvers.Solver {
	return map[string]solvers.Solver{
		"one-slack":                &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Step: "qp", Drop: 50},
		"one-slack, cache":         &OneSlack{Epsilon: eps, Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50},
		"one-slack, small cache":   &OneSlack{Epsilon: eps, Cache: 1, CacheRule: "svmstruct", Step: "qp", Drop: 50},
		"one-slack, paper's rule":  &OneSlack{Epsilon: eps, Cache: 10, CacheRule: "paper", Step: "qp", Drop: 50},
		"n-slack, coordinate":      &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50},
		"n-slack, decomposition":   &NSlack{Epsilon: eps, Precision: "halving", QP: "decomposition", Batch: 100, Drop: 50},
		"n-slack, fixed precision": &NSlack{Epsilon: eps, Precision: "fixed", QP: "coordinate", Batch: 3},
	}
}

// bestOf returns the end of a run whose primal and dual differ by at most 1.5e-9.
func bestOf(t *testing.T, p *models.Risk) testbed.End {
	t.Helper()
	return testbed.EndOf(t, &OneSlack{Epsilon: 1e-9, Cache: 10, CacheRule: "svmstruct", Step: "qp"}, p)
}
