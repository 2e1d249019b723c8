package models_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// TestObjectives checks which objectives are valid, that each kind of unknowns has its own kind of objective, and that
// Map changes the examples of a copy only.
func TestObjectives(t *testing.T) {
	list := examples.Build(t, multiclass.New(), examples.Rows(4, 3, 3, true), nil).Train
	hinge, start := models.Hinge(), make([]float64, 5)
	task := func(u models.Unknowns, list []models.Example) *models.Task {
		return &models.Task{Model: "m", Unknowns: u, Train: list}
	}
	prior := func(start []float64, change func(*models.Distributions)) models.Objective {
		g := twoVectors()
		if change != nil {
			change(g)
		}
		p := task(g, list).Objective(hinge, 0).(*models.Generative)
		p.Start = start
		return p
	}
	weights := func(dim int, start []float64) models.Weights { return models.Weights{Dim: dim, Start: start} }
	cold := models.Loss{Temp: -1}
	for _, c := range []struct {
		p    models.Objective
		want string
	}{
		{task(weights(9, nil), list).Objective(hinge, 0.5), ""},
		{task(weights(5, start), list).Objective(hinge, 0.5), ""},
		{task(weights(9, start), list).Objective(hinge, 0.5), "Start has 5 weights: want 9"},
		{task(weights(9, nil), nil).Objective(hinge, 0.5), "no examples"},
		{task(weights(9, nil), list).Objective(hinge, 0), "lambda is 0"},
		{task(weights(9, nil), list).Objective(hinge, -1), "lambda is -1"},
		{task(weights(9, nil), list).Objective(hinge, math.NaN()), "lambda is NaN"},
		{task(weights(9, nil), list).Objective(hinge, math.Inf(1)), "lambda is +Inf"},
		{task(weights(9, nil), list).Objective(cold, 0.5), "temperature -1"},
		{task(weights(9, nil), list).Objective(models.Loss{Temp: math.NaN()}, 0.5), "temperature NaN"},
		{task(weights(9, nil), list).Objective(models.Loss{Temp: math.Inf(1)}, 0.5), "temperature +Inf"},
		{prior(nil, nil), ""},
		{prior(start, nil), ""},
		{prior(start[1:], nil), "Start has 4 log-probabilities: want 5"},
		{prior(nil, func(g *models.Distributions) { g.Eta = -2 }), "eta is -2"},
		{task(twoVectors(), nil).Objective(hinge, 0.5), "no examples"},
		{task(twoVectors(), list).Objective(cold, 0.5), "temperature -1"},
		{&models.Generative{Examples: list}, "Distributions is nil"},
		{task(models.Marginals{}, list).Objective(hinge, 0), ""},
		{task(models.Marginals{}, nil).Objective(hinge, 0), "no examples"},
	} {
		err := c.p.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%T: error %v, want %q", c.p, err, c.want)
		}
		if err != nil {
			continue
		}
		before := slices.Clone(list)
		seen := 0
		q := c.p.Map(func(e *models.Example) { e.Truth, seen = models.Vertex{seen}, seen+1 })
		if seen != 4 || q.N() != 4 || fmt.Sprintf("%T", q) != fmt.Sprintf("%T", c.p) {
			t.Errorf("Map of %T changes %d examples and returns %T", c.p, seen, q)
		}
		for i := range list {
			if !list[i].Truth.Equal(before[i].Truth) {
				t.Fatalf("Map of %T changes the objective's own examples", c.p)
			}
		}
	}
	for _, u := range []models.Unknowns{twoVectors(), models.Marginals{}} {
		if _, err := task(u, list).Risk(hinge, 1); err == nil {
			t.Errorf("a task of %T has a risk", u)
		}
	}
	if a, b, c := task(weights(9, nil), nil), task(twoVectors(), nil), task(models.Marginals{}, nil); a.Dim() != 9 ||
		b.Dim() != 5 || c.Dim() != 0 {
		t.Errorf("dimensions %d, %d, %d, want 9, 5, 0", a.Dim(), b.Dim(), c.Dim())
	}
}

// TestExpectations compares the means of AddExpectationsOf, its gradient, which is added to g, and the marginals of
// each example with sums over all labellings of chains of different lengths, in which a transition occurs several
// times. Each loss is used twice, so that memory is reused.
func TestExpectations(t *testing.T) {
	task := examples.Build(t, chain.Model{}, examples.Sequences(1, "dense", 3, 2, 4, 1, 3, 2), nil)
	all := examples.Chains(3, false)
	p := examples.RiskOf(t, task, models.LogLoss(), 0.3) // this loss must not matter
	n := float64(p.N())
	for _, loss := range []models.Loss{{Temp: 1}, {Temp: 1, Margin: 1}, {Temp: 2, Margin: 1.5}, {Temp: 0.3}, {Margin: 1},
		{Margin: 2.5}, {Temp: 1}} {
		w := examples.Weights(3, p.Dim)
		g, want := make([]float64, p.Dim), make([]float64, p.Dim)
		for j := range g {
			g[j], want[j] = float64(j), float64(j)
		}
		var m models.Moments
		marginals := make([][]float64, p.N())
		for i := range p.Examples {
			e := &p.Examples[i]
			theta := make([]float64, e.Features.Parts())
			e.Features.Score(theta, w)
			truth := e.Truth.Dot(theta)
			score := func(y models.Vertex) float64 { return y.Dot(theta) + loss.Margin*e.LabelLoss(y) }
			top := math.Inf(-1)
			for _, y := range all(e) {
				top = max(top, score(y))
			}
			var z, entropy, cost float64
			mu := make([]float64, len(theta))
			for _, y := range all(e) {
				q := 0.
				switch {
				case loss.Temp > 0:
					q = math.Exp((score(y) - top) / loss.Temp)
				case z == 0 && score(y) >= top-1e-12: // the first of several labellings in lexicographic order
					q = 1
				}
				z += q
				if q > 0 {
					entropy -= q * math.Log(q)
				}
				cost += q * loss.Margin * e.LabelLoss(y)
				for _, r := range y {
					mu[r] += q
				}
			}
			for r := range mu {
				mu[r] /= z
			}
			marginals[i] = mu
			m.Loss += (top + loss.Temp*math.Log(z) - truth) / n
			m.Entropy += (entropy/z + math.Log(z)) / n
			m.Cost += cost / z / n
			slope := slices.Clone(mu)
			for _, r := range e.Truth {
				slope[r]--
			}
			e.Features.AddAdjoint(want, 1/n, slope)
		}
		calls := 0
		got := p.AddExpectationsOf(g, w, loss, func(i int, mu []float64) {
			calls++
			for r := range mu {
				if len(mu) != len(marginals[i]) || math.Abs(mu[r]-marginals[i][r]) > 1e-10 {
					t.Fatalf("%+v: marginal %d of example %d = %v, want %v", loss, r, i, mu[r], marginals[i][r])
				}
			}
		})
		for name, v := range map[string][2]float64{"loss": {got.Loss, m.Loss}, "entropy": {got.Entropy, m.Entropy},
			"cost": {got.Cost, m.Cost}} {
			if math.Abs(v[0]-v[1]) > 1e-10*(1+math.Abs(v[1])) {
				t.Errorf("%+v: mean %s = %v, want %v by enumeration", loss, name, v[0], v[1])
			}
		}
		for j := range g {
			if math.Abs(g[j]-want[j]) > 1e-10 {
				t.Fatalf("%+v: component %d = %v, want %v", loss, j, g[j], want[j])
			}
		}
		if calls != p.N() {
			t.Errorf("%+v: %d calls for %d examples", loss, calls, p.N())
		}
	}
}

// TestBoundDependsOnTheKind checks that an inexact risk has no bound, and that a 0/1 loss over labellings has a bound
// if the loss has no margin.
func TestBoundDependsOnTheKind(t *testing.T) {
	task := examples.Build(t, multiclass.New(), examples.Rows(5, 3, 3, false), nil)
	w := make([]float64, task.Dim())
	p := examples.RiskOf(t, task, models.LogLoss(), 1)
	want := p.Bound(w)
	without(p, func(e *models.Example) { e.ZeroOne, e.Cost = 1, nil })
	if got := p.Bound(w); math.Abs(got-want) > 1e-12 {
		t.Errorf("bound with a label loss that the log loss does not use = %v, want %v", got, want)
	}
	for _, loss := range []models.Loss{models.LogLoss(), models.Hinge()} {
		q := examples.RiskOf(t, task, loss, 1)
		if q.Inexact = true; !math.IsNaN(q.Bound(w)) {
			t.Errorf("%+v: bound of an inexact risk = %v, want NaN", loss, q.Bound(w))
		}
	}
}

// TestPairsFollowTheExamples checks that the hinge of two classes, which is computed from a list of the rows, uses the
// objective's examples after these were replaced by as many others, fewer, or others with a cost of the truth or with
// more truths, for which the list cannot be used.
func TestPairsFollowTheExamples(t *testing.T) {
	m := multiclass.NewBinary()
	task := examples.Build(t, m, examples.Signed(12, 4, true), examples.Signed(30, 4, true))
	p := examples.RiskOf(t, task, models.Hinge(), 0.1)
	w := examples.Weights(1, p.Dim)
	costs := slices.Clone(task.Train)
	for i := range costs {
		costs[i].Cost = []float64{0.25, 2}
	}
	zeroOne := slices.Clone(task.Train)
	for i := range zeroOne {
		zeroOne[i].Cost, zeroOne[i].ZeroOne = nil, 3
	}
	short := slices.Clone(task.Train)
	for i := range short {
		short[i].Cost = []float64{0.5} // the other class costs 0
	}
	last := slices.Clone(task.Train) // only the last example has another form
	last[11].Features = struct{ models.FeatureMap }{last[11].Features}
	last[11].Cost = []float64{7, 7}
	for i, list := range [][]models.Example{task.Train, task.Validation[:12], costs, task.Validation[3:15], zeroOne, short,
		last, task.Train[:5], nil, task.Train} {
		p.Examples = list
		want := 0.05 * p.NormSq(w)
		for k := range list {
			theta := make([]float64, 2)
			list[k].Features.Score(theta, w)
			want += models.Hinge().Value(&list[k], theta) / float64(len(list))
		}
		if got := p.Primal(w); len(list) > 0 && math.Abs(got-want) > 1e-12 {
			t.Errorf("list %d: primal = %v, want %v", i, got, want)
		}
		if len(list) > 0 {
			q := p.At(0).Map(func(e *models.Example) { e.Cost, e.ZeroOne = []float64{0, 0}, 0 }).(*models.Risk)
			if got, want := q.Primal(w), q.AddExpectations(make([]float64, p.Dim), w, models.Hinge()).Loss; math.Abs(
				got-want) > 1e-12 || p.Lambda != 0.1 {
				t.Errorf("list %d: mean hinge without costs = %v, want %v", i, got, want)
			}
		}
	}
}
