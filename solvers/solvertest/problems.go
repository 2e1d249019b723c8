package solvertest

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
)

// problem is a small problem whose optimum lies in [low, high].
type problem struct {
	objective    models.Objective
	*models.Risk // the objective if it is a Risk, otherwise nil
	name         string
	data         string
	low, high    float64
	start        float64 // unit of accuracies: P(0), the primal at w = 0, for a Risk; otherwise a value of similar size
	own          bool    // whether the optimum is unknown, so that the run's own primal and dual must agree
	first        []point // first points of the solver's run on this problem; nil before that run
}

// slop returns the rounding error allowed in a comparison of primal and dual.
func (p *problem) slop() float64 { return 1e-9 * p.start }

// at returns the risk of p with the given λ.
func (p *problem) at(lambda float64) *models.Risk { return p.Risk.At(lambda) }

// smooth reports whether p counts as a smooth problem in the option Accuracy: risks with a smooth loss and problems of
// inference do.
func (p *problem) smooth() bool {
	if p.Risk == nil {
		_, inference := p.objective.(*models.Inference)
		return inference
	}
	return p.Loss.Smooth()
}

// certify returns a problem with the objective p, and with an interval that contains its optimum. all returns the
// labellings of each example, the true labelling first.
func certify(t testing.TB, p *models.Risk, data, loss string, all func() [][]labelling) *problem {
	t.Helper()
	q := &problem{objective: p, Risk: p, name: fmt.Sprintf("%s, %s, λ = %g", data, loss, p.Lambda), data: data}
	q.start = p.Primal(make([]float64, p.Dim))
	q.bracket(t, func() (low, high float64) { return enumerate(all()).optimum(p.Loss, p.Lambda) })
	return q
}

// optima returns the cache of the reference optima, so that each optimum is computed only once in a process. The cache
// maps the name of a problem to an interval that contains its optimum.
var optima = sync.OnceValue(func() *sync.Map { return new(sync.Map) })

// bracket sets the interval [low, high] that contains the optimum. If the interval is not in the cache, bracket
// computes it.
func (p *problem) bracket(t testing.TB, optimum func() (low, high float64)) {
	t.Helper()
	if known, ok := optima().Load(p.name); ok {
		p.low, p.high = known.([2]float64)[0], known.([2]float64)[1]
		return
	}
	p.low, p.high = optimum()
	if !(p.high-p.low <= certified*p.start) {
		t.Fatalf("solvertest: the reference optimum of %s is only known to be in [%v, %v]", p.name, p.low, p.high)
	}
	optima().Store(p.name, [2]float64{p.low, p.high})
}

// build returns the risk of a multiclass model on the table d.
func build(t testing.TB, d *table, loss models.Loss, lambda float64) *models.Risk {
	t.Helper()
	task, err := multiclass.Model{}.Build(d.labelled(), nil)
	if err != nil {
		t.Fatalf("solvertest: %s: %v", d.name, err)
	}
	return task.Objective(loss, lambda).(*models.Risk)
}

// logProblem returns a multiclass problem with the log loss.
func logProblem(t testing.TB) *models.Risk {
	t.Helper()
	return build(t, denseTable(), models.LogLoss(), 0.1)
}

// typical returns the problems for checks that need only a few problems: dense rows, sparse rows and each structure,
// with one λ and each loss.
func typical(all []*problem) []*problem {
	var out []*problem
	for _, p := range all {
		switch p.data {
		case "dense", "sparse", "chain", "deptree", "cfg", "hmm", "population":
			if p.Risk == nil || p.Lambda == 0.1 {
				out = append(out, p)
			}
		}
	}
	if len(out) == 0 {
		return all[:1]
	}
	return out
}

// allFinite reports whether all entries of v are finite.
func allFinite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
