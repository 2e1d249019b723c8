package gradient

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// smoothProblems returns problems of n examples with smooth losses.
func smoothProblems(t *testing.T, n int) map[string]*models.Risk {
	t.Helper()
	rows := testbed.OverlappingClasses(n, 4, 3)
	return map[string]*models.Risk{
		"classes": testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows).Objective(models.LogLoss(), 0.1).(*models.Risk),
		"smoothed hinge": testbed.TaskOf(t, multiclass.Model{LossScale: 2}, rows).Objective(
			models.Loss{Temp: 0.3, Margin: 1}, 0.03).(*models.Risk),
		"chain": testbed.Build(t, chain.Model{Edges: "tied"}, generated.Words{Train: n, MaxLetters: 4, Seed: 2}).Objective(
			models.LogLoss(), 1).(*models.Risk),
	}
}

// curvature is the estimate M of SAGA and SVRG (see SAGA), computed with dense vectors.
type curvature struct {
	p      *models.Risk
	m      float64
	visits int
}

// at returns M at the next visit, which is to example i at the weights w. M begins at λ.
func (c *curvature) at(i int, w []float64) float64 {
	if c.m == 0 {
		c.m = c.p.Lambda
	}
	if c.visits++; (c.visits-1)%probeEvery != 0 {
		return c.m
	}
	one, e := *c.p, &c.p.Examples[i]
	one.Examples = c.p.Examples[i : i+1]
	g, theta, step := make([]float64, len(w)), make([]float64, e.Features.Parts()), make([]float64, len(w))
	before := one.AddExpectations(g, w, one.Loss).Loss
	var norm float64
	for _, v := range g {
		norm += v * v
	}
	for ; norm > 0; c.m *= 2 {
		for j, v := range g {
			step[j] = w[j] - v/c.m
		}
		e.Features.Score(theta, step)
		if one.Loss.Value(e, theta) <= before-norm/(2*c.m)+probeTol*(1+math.Abs(before)) {
			break
		}
	}
	return c.m
}

// TestSAGAIsTheAlgorithm checks that a run has the same weights as a direct implementation of the algorithm with dense
// vectors, and that the dual is the dual value of the stored table. With many examples, there are several visits
// between two yields. With a large λ and a long step, the factor a in w = a·u + b·ḡ becomes very small between two
// yields.
func TestSAGAIsTheAlgorithm(t *testing.T) {
	for _, n := range []int{7, 43} {
		for name, p := range smoothProblems(t, n) {
			checkSAGA(t, name, p, &SAGA{Step: 0.5, Order: "cyclic"})
			checkSAGA(t, name, p, &SAGA{Step: 0.2, Order: "permutation"})
			checkSAGA(t, name, p, &SAGA{Step: 0.2, Order: "random"})
			checkSAGA(t, name, p.At(1e4), &SAGA{Step: 1.98, Order: "cyclic"})
			checkSAGA(t, name, p.At(1e4), &SAGA{Step: 2, Order: "cyclic"})
		}
	}
}

// checkSAGA compares the first 25 epochs of a run with the algorithm, or only two epochs if there are many examples or
// if the step is not 0.5.
func checkSAGA(t *testing.T, name string, p *models.Risk, s *SAGA) {
	t.Helper()
	n := len(p.Examples)
	name = fmt.Sprintf("%s, n = %d, λ = %v, %+v", name, n, p.Lambda, *s)
	m := curvature{p: p}
	w, mean := make([]float64, p.Dim), make([]float64, p.Dim)
	table, terms := make([][]float64, n), make([]float64, n) // table[i]: A_iᵀ(μ_i − 1_{y_i})
	for i := range table {
		table[i] = make([]float64, p.Dim)
	}
	visits := 0
	order, due := dualspace.NewOrder(s.Order, n, 1, dualspace.StreamSAGA), dualspace.NewCadence(n)
	visit := func(i int) {
		one := *p
		one.Examples = p.Examples[i : i+1]
		eta := s.Step / (p.Lambda + m.at(i, w))
		g := make([]float64, p.Dim)
		sums := one.AddExpectations(g, w, p.Loss)
		terms[i] = p.Loss.Temp*sums.Entropy + sums.Cost
		for j := range w {
			w[j] -= eta * (g[j] - table[i][j] + mean[j] + p.Lambda*w[j])
			mean[j] += (g[j] - table[i][j]) / float64(n)
		}
		table[i] = g
	}
	for it := range testbed.Iterates(t, s.Train(p, solvers.Env{Seed: 1})) {
		if it.Epoch == 25 || (n > 10 || s.Step != 0.5) && it.Epoch == 2 { // the solver has recomputed ḡ before epoch 25
			break
		}
		for j, v := range w {
			if math.Abs(v-it.W[j]) > 1e-12*(1+math.Abs(v)) {
				t.Fatalf("%s: weight %d = %v after %d visits, want %v", name, j, it.W[j], visits, v)
			}
		}
		var dual float64
		for _, v := range terms {
			dual += v / float64(n)
		}
		for _, v := range mean {
			dual -= v * v / (2 * p.Lambda)
		}
		if d := it.Dual(); math.Abs(d-dual) > 1e-12*(1+math.Abs(dual)) {
			t.Fatalf("%s: dual = %v after %d visits, want %v", name, d, visits, dual)
		}
		for next := due.Next(visits); visits < next; visits++ {
			visit(order.Next())
		}
	}
	if m.m <= p.Lambda && p.Lambda < 100 {
		t.Errorf("%s: M = %v, want a problem in which it grows above λ = %v", name, m.m, p.Lambda)
	}
}

// TestSAGASchedule compares the bits of a run of SAGA with those of its steps: every eighth visit tests the estimated
// curvature, and ḡ is recomputed after every tenth epoch, which changes its rounding errors.
func TestSAGASchedule(t *testing.T) {
	drifted := false
	for name, p := range smoothProblems(t, 9) {
		st, old := sagaState{newTableState(p, 0.5)}, sagaState{newTableState(p, 0.5)} // old: never recomputes ḡ
		visits := 0
		for it := range testbed.Iterates(t, (&SAGA{Step: 0.5, Order: "cyclic"}).Train(p, solvers.Env{Seed: 1})) {
			st.fold()
			old.fold()
			if !slices.Equal(it.W, st.u) || it.Dual() != st.dual() {
				t.Fatalf("%s: after %d visits, the weights or the dual have other bits than those of the steps", name, visits)
			}
			drifted = drifted || !slices.Equal(old.u, st.u)
			if it.Epoch == 22 {
				break
			}
			st.visit(visits%9, visits%8 == 0)
			old.visit(visits%9, visits%8 == 0)
			if visits++; visits%90 == 0 {
				st.refresh()
			}
		}
	}
	if !drifted {
		t.Error("to recompute ḡ changes no bit: want a problem with rounding errors")
	}
}
