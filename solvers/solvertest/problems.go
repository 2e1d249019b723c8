package solvertest

import (
	"fmt"
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// problem is a small problem whose optimum lies in [low, high].
type problem struct {
	*models.Problem
	name      string
	data      *table
	low, high float64
	start     float64 // P(0), the unit of accuracy
}

// slop is the rounding that a comparison of primal and dual forgives.
func (p *problem) slop() float64 { return 1e-9 * p.start }

// with is a copy of the model problem that a test may change.
func (p *problem) with(change func(*models.Problem)) *models.Problem {
	q := *p.Problem
	change(&q)
	return &q
}

// problems are all combinations of tables, losses and λ that the solver supports.
func problems(t testing.TB, solver solvers.Solver) []*problem {
	t.Helper()
	var out []*problem
	for _, d := range tables() {
		for _, l := range []struct {
			name string
			loss models.Loss
		}{{"log", models.LogLoss()}, {"hinge", models.Hinge()}} {
			for _, lambda := range []float64{1, 0.1, 0.01} {
				out = appendProblem(t, out, solver, d, l.name, l.loss, lambda)
			}
		}
	}
	out = appendProblem(t, out, solver, denseTable(), "log", models.LogLoss(), 100)
	out = appendProblem(t, out, solver, denseTable(), "log", models.LogLoss(), 1e-3)
	out = appendProblem(t, out, solver, denseTable(), "softmax margin", models.Loss{Temp: 1, Margin: 1}, 0.1)
	return appendProblem(t, out, solver, denseTable(), "smoothed hinge", models.Loss{Temp: 0.5, Margin: 1}, 0.1)
}

func appendProblem(t testing.TB, to []*problem, solver solvers.Solver, d *table, name string, loss models.Loss, lambda float64) []*problem {
	t.Helper()
	p := build(t, d, loss, lambda)
	if solver.Supports(p) != nil {
		return to // checkSupport holds Supports to its word
	}
	low, high := optimum(d, loss, lambda)
	q := &problem{Problem: p, name: fmt.Sprintf("%s, %s, λ = %g", d.name, name, lambda), data: d, low: low, high: high}
	q.start = p.Primal(make([]float64, p.Dim))
	if !(high-low <= certified*q.start) {
		t.Fatalf("solvertest: the reference optimum of %s is certified to [%v, %v] only", q.name, low, high)
	}
	return append(to, q)
}

func build(t testing.TB, d *table, loss models.Loss, lambda float64) *models.Problem {
	t.Helper()
	task, err := models.Multiclass{}.Build(d.labelled(), nil)
	if err != nil {
		t.Fatalf("solvertest: %s: %v", d.name, err)
	}
	return task.Problem(loss, lambda)
}

func logProblem(t testing.TB) *models.Problem {
	t.Helper()
	return build(t, denseTable(), models.LogLoss(), 0.1)
}

// typical picks the problems of the checks that need no variety: dense and sparse rows, one λ, each loss.
func typical(all []*problem) []*problem {
	var out []*problem
	for _, p := range all {
		if p.Lambda == 0.1 && (p.data.name == "dense" || p.data.name == "sparse") {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return all[:1]
	}
	return out
}

func allFinite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
