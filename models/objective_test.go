package models_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
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

// certifier is a max-oracle that finds only labelling 1, which is best if its score is the largest.
type certifier struct{ models.MaxOracle }

func (c certifier) MaxCertified(dst models.Vertex, theta []float64) (models.Vertex, float64, bool) {
	_, top := c.Max(nil, theta)
	return append(dst[:0], 1), theta[1], theta[1] >= top
}

// last decodes every example as its last part.
type last struct{}

func (last) Decode(dst models.Vertex, theta []float64) models.Vertex {
	return append(dst[:0], len(theta)-1)
}

// TestCounts checks the prediction of each validation example and the numbers of each metric: with a rule of
// prediction, with an oracle that certifies, with both, and with scores in another slice than the given one.
func TestCounts(t *testing.T) {
	const k = 3
	task := examples.Build(t, multiclass.New(), examples.Rows(3, 4, k, true), examples.Rows(9, 4, k, true))
	var seen [9]models.Vertex
	index := func(e *models.Example) int {
		return slices.IndexFunc(task.Validation, func(o models.Example) bool { return o.Features == e.Features })
	}
	task.Metrics = []models.Metric{
		{Name: "place", Of: func(y models.Vertex, e *models.Example) (num, den float64) {
			seen[index(e)] = slices.Clone(y)
			return float64(y[0]), float64(2 + index(e))
		}},
		{Name: "certified", Certified: true},
		{Name: "error", Of: models.ZeroOneLoss},
	}
	w := examples.Weights(4, task.Dim())
	var want [9]struct {
		class     int
		certified float64
	}
	for i := range task.Validation {
		e := &task.Validation[i]
		theta := make([]float64, k)
		e.Features.Score(theta, w)
		best := slices.Index(theta, slices.Max(theta))
		want[i].class = best
		switch i % 4 {
		case 1:
			e.Decoding, want[i].class = last{}, k-1
		case 2:
			e.Max, want[i].class = certifier{e.Max}, 1
			if best == 1 {
				want[i].certified = 1
			}
		case 3:
			e.Max, e.Decoding, want[i].class = certifier{e.Max}, last{}, k-1
		}
		y, v := e.Predict(make(models.Vertex, 5), theta)
		if i%4 != 2 && (!y.Equal(models.Vertex{want[i].class}) || v != theta[want[i].class]) {
			t.Errorf("example %d: prediction %v with score %v, want %d", i, y, v, want[i].class)
		}
	}
	check := func(c models.Counts) {
		t.Helper()
		if !slices.Equal(c.Names, []string{"place", "certified", "error"}) {
			t.Fatalf("metrics %q", c.Names)
		}
		for i, x := range want {
			wrong := 1.
			if x.class == task.Validation[i].Truth[0] {
				wrong = 0
			}
			if len(seen[i]) != 1 || seen[i][0] != x.class || c.Num[0][i] != float64(x.class) ||
				c.Den[0][i] != float64(2+i) || c.Num[1][i] != x.certified || c.Den[1][i] != 1 || c.Num[2][i] != wrong ||
				c.Den[2][i] != 1 {
				t.Errorf("example %d: prediction %v, numbers %v of %v, want %+v", i, seen[i],
					[]float64{c.Num[0][i], c.Num[1][i], c.Num[2][i]}, []float64{c.Den[0][i], c.Den[1][i], c.Den[2][i]}, x)
			}
		}
	}
	check(task.Counts(task.Scores(w), 1))
	check(task.Counts(func(theta []float64, i int) []float64 {
		for r := range theta {
			theta[r] = -float64(r)
		}
		own := make([]float64, k)
		task.Validation[i].Features.Score(own, w)
		return own
	}, 1))
}

// TestMarginalsOfChoices checks that the probabilities are in the order places, labels, that impossible labels have the
// probability 0, and that the memory is reused.
func TestMarginalsOfChoices(t *testing.T) {
	c := models.Choices{Places: 2, Labels: []string{"a", "b", "c"}, Part: func(place, label int) int {
		if place == 1 && label == 0 {
			return -1
		}
		return 5 - place*3 - label
	}}
	mu := []float64{0.5, 0.25, 0.125, 0.1, 0.2, 0.7}
	to := slices.Repeat([]float64{9}, 8)
	got := c.Marginals(to, mu)
	if want := []float64{0.7, 0.2, 0.1, 0, 0.25, 0.5}; !slices.Equal(got, want) || &got[0] != &to[0] {
		t.Errorf("marginals %v, want %v in the memory of the argument", got, want)
	}
}

// TestInBlocks checks that the blocks cover the range once and in order, with their numbers, also if there are more
// blocks than elements, and that a panic arrives in the caller with its message.
func TestInBlocks(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 9} {
		for _, n := range []int{0, 1, 5, 64, 100} {
			for _, blocks := range []int{1, 3, 64} {
				from, to := make([]int, blocks), make([]int, blocks)
				models.InBlocks(n, blocks, workers, func(b, lo, hi int) { from[b], to[b] = lo, hi })
				end := 0
				for b := range blocks {
					if from[b] != end || to[b]-from[b] > (n+blocks-1)/blocks {
						t.Fatalf("%d elements, %d workers: block %d of %d is %d to %d", n, workers, b, blocks, from[b], to[b])
					}
					end = to[b]
				}
				if end != n {
					t.Errorf("%d elements in %d blocks, %d workers: the last block ends at %d", n, blocks, workers, end)
				}
			}
		}
		examples.Panics(t, fmt.Sprint(workers, " workers"), "block 2", "", func() {
			models.InBlocks(10, 3, workers, func(b, _, _ int) {
				if b == 2 {
					panic("block 2")
				}
			})
		})
	}
}

// layer is a feature map on top of another one.
type layer struct{ models.FeatureMap }

func (l layer) Base() models.FeatureMap { return l.FeatureMap }

func TestBaseFeatures(t *testing.T) {
	f := examples.Identity(3)
	for _, top := range []models.FeatureMap{f, layer{f}, layer{layer{f}}} {
		if got := models.BaseFeatures(top); got != models.FeatureMap(f) {
			t.Errorf("base of %T = %T, want %T", top, got, f)
		}
	}
}

// TestChainEntropy compares the entropy of chains of one to four positions, from their marginals, with log Z − μ·θ.
func TestChainEntropy(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, k := range []int{1, 2, 3} {
		task := examples.Build(t, chain.Model{Edges: "untied"}, examples.Sequences(1, "dense", max(k, 2), 2, 1, 2, 3, 4), nil)
		for i := range task.Train {
			e := &task.Train[i]
			theta := examples.Normals(rng, e.Features.Parts(), 1)
			mu := make([]float64, len(theta))
			want := e.Exp.LogSum(mu, theta)
			for r, m := range mu {
				want -= m * theta[r]
			}
			if got := models.ChainEntropy(mu, max(k, 2)); math.Abs(got-want) > 1e-10 {
				t.Errorf("%d labels, %d positions: entropy = %v, want %v", max(k, 2), i+1, got, want)
			}
		}
	}
	if got := models.ChainEntropy([]float64{0, 1}, 2); got != 0 {
		t.Errorf("entropy of a certain label = %v, want 0", got)
	}
}

// TestSparse checks the methods of sparse vectors and of rows against dense vectors.
func TestSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for trial := range 20 {
		a, b := make([]float64, 3+trial), make([]float64, trial%5)
		for _, v := range [][]float64{a, b} {
			for j := range v {
				if rng.IntN(2) == 0 {
					v[j] = float64(rng.IntN(9) - 4)
				}
			}
		}
		both := slices.Concat(a, b)
		s := models.SparseOf(a)
		kept := s.Clone()
		s.AppendRow(len(a), b)
		if want := models.SparseOf(both); !slices.Equal(s.Index, want.Index) || !slices.Equal(s.Value, want.Value) {
			t.Fatalf("%v and %v as one sparse vector: %v", a, b, s)
		}
		if len(kept.Index) > 0 {
			kept.Value[0], kept.Index[0] = 100, 200
		}
		v := examples.Weights(uint64(trial), len(both))
		dot, norm := 0., 0.
		sum, rowSum, denseSum := slices.Clone(v), slices.Clone(v), slices.Clone(v)
		s.AddTo(sum, -2)
		models.Row(s).AddTo(rowSum, -2)
		models.Row{Value: both}.AddTo(denseSum, -2)
		for j, x := range both {
			dot, norm = dot+x*v[j], norm+x*x
			if want := v[j] - 2*x; sum[j] != want || rowSum[j] != want || denseSum[j] != want {
				t.Fatalf("component %d of the sums = %v, %v, %v, want %v", j, sum[j], rowSum[j], denseSum[j], want)
			}
		}
		for _, got := range []float64{s.Dot(v), models.Row(s).Dot(v),
			models.Row{Value: both}.Dot(v)} {
			if math.Abs(got-dot) > 1e-12*(1+norm) {
				t.Fatalf("product = %v, want %v", got, dot)
			}
		}
		if s.NormSq() != norm {
			t.Fatalf("norm = %v, want %v", s.NormSq(), norm)
		}
	}
}

// TestSame checks that the model same takes over the earlier task, with other examples and the given weights as its
// start, does not change the earlier task, and has neither its warnings nor its validation data.
func TestSame(t *testing.T) {
	train, other := examples.Sequences(1, "dense", 3, 2, 4, 1), examples.Sequences(2, "dense", 3, 2, 2, 3, 1)
	base := examples.Build(t, chain.Model{}, train, train)
	base.Warnings = []string{"of the earlier task"}
	w := examples.Weights(1, base.Dim())
	for _, held := range []datasets.Data{nil, train} {
		task, err := models.Same{}.Extend(base, w, other, held)
		if err != nil {
			t.Fatal(err)
		}
		validation := 0
		if held != nil {
			validation = held.Len()
		}
		u := task.Unknowns.(models.Weights)
		if len(task.Train) != 3 || len(task.Validation) != validation || !slices.Equal(u.Start, w) || u.Dim != base.Dim() ||
			task.Warnings != nil || len(task.Metrics) != len(base.Metrics) || task.Model != base.Model {
			t.Errorf("the task has %d and %d examples, the start %v, the warnings %q", len(task.Train), len(task.Validation),
				u.Start, task.Warnings)
		}
		if len(base.Train) != 2 || len(base.Validation) != 2 || len(base.Warnings) != 1 ||
			base.Unknowns.(models.Weights).Start != nil {
			t.Error("the earlier task has changed")
		}
	}
	closed := *base
	closed.Examples = nil
	free := *base
	free.Unknowns = twoVectors()
	failing := *base
	failing.Examples = func(datasets.Data) ([]models.Example, error) { return nil, errors.New("damaged") }
	for _, c := range []struct {
		base *models.Task
		w    []float64
		want string
	}{
		{&closed, w, "cannot build examples"}, {&free, w, "cannot build examples"}, {base, w[1:], "weights: want"},
		{&failing, w, "damaged"},
	} {
		if _, err := (models.Same{}).Extend(c.base, c.w, other, train); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := (models.Same{}).Extend(base, w, other, examples.Rows(3, 2, 2, false)); err == nil {
		t.Error("validation data of another kind are accepted")
	}
	if _, err := (models.Same{}).Build(train, nil); err == nil {
		t.Error("the model same is built without an earlier task")
	}
}
