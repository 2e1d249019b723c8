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
	*models.Risk // the objective, if it is one; else nil
	name         string
	data         string
	low, high    float64
	start        float64 // P(0), the unit of accuracy
	own          bool    // the optimum is not known: the run's own bounds must meet
	first        []point // of the solver's run, once the suite has made one
}

// slop returns the rounding error allowed in a comparison of primal and dual.
func (p *problem) slop() float64 { return 1e-9 * p.start }

// at returns the same risk with another λ.
func (p *problem) at(lambda float64) *models.Risk { return p.Risk.At(lambda) }

// smooth reports whether the loss is smooth.
func (p *problem) smooth() bool {
	if p.Risk == nil {
		_, inference := p.objective.(*models.Inference)
		return inference
	}
	return p.Loss.Smooth()
}

// certify returns a risk as a problem with the bracket of its optimum.
// all lists the labellings of each example, the truth first.
func certify(t testing.TB, p *models.Risk, data, loss string, all func() [][]labelling) *problem {
	t.Helper()
	q := &problem{objective: p, Risk: p, name: fmt.Sprintf("%s, %s, λ = %g", data, loss, p.Lambda), data: data}
	q.start = p.Primal(make([]float64, p.Dim))
	q.bracket(t, func() (low, high float64) { return enumerate(all()).optimum(p.Loss, p.Lambda) })
	return q
}

// optima returns the memo of the reference optima, which are computed once in a process: brackets by problems' names.
var optima = sync.OnceValue(func() *sync.Map { return new(sync.Map) })

// bracket sets the interval of the optimum, from the memo or by computing it.
func (p *problem) bracket(t testing.TB, optimum func() (low, high float64)) {
	t.Helper()
	if known, ok := optima().Load(p.name); ok {
		p.low, p.high = known.([2]float64)[0], known.([2]float64)[1]
		return
	}
	p.low, p.high = optimum()
	if !(p.high-p.low <= certified*p.start) {
		t.Fatalf("solvertest: the reference optimum of %s is certified to [%v, %v] only", p.name, p.low, p.high)
	}
	optima().Store(p.name, [2]float64{p.low, p.high})
}

func build(t testing.TB, d *table, loss models.Loss, lambda float64) *models.Risk {
	t.Helper()
	task, err := multiclass.Model{}.Build(d.labelled(), nil)
	if err != nil {
		t.Fatalf("solvertest: %s: %v", d.name, err)
	}
	return task.Objective(loss, lambda).(*models.Risk)
}

func logProblem(t testing.TB) *models.Risk {
	t.Helper()
	return build(t, denseTable(), models.LogLoss(), 0.1)
}

// typical picks the problems of the checks that need no variety: dense and sparse rows and each structure, one λ, each
// loss.
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

func allFinite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
