package frankwolfe

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// eachHinge runs a subtest for each model with the hinge and λ = c/n. The multiclass model and the structures have n
// generated examples. The grammar, whose label loss is 0/1 over trees, has a few ambiguous sentences.
func eachHinge(t *testing.T, n int, c float64, check func(t *testing.T, p *models.Risk)) {
	t.Helper()
	for _, s := range []testbed.Structured{
		{Name: "multiclass", Task: testbed.Build(t, multiclass.Model{}, generated.Digits{Train: n, Seed: 1})},
		{Name: "chain", Task: testbed.Build(t, chain.Model{Edges: "tied"},
			generated.Words{Train: n, MaxLetters: 5, Seed: 1})},
		{Name: "untied", Task: testbed.Build(t, chain.Model{Edges: "untied", Label: "pos", Cutoff: 1},
			generated.GrammarSentences{Train: n, MaxWords: 8, Seed: 1})},
		{Name: "deptree", Task: testbed.Build(t, deptree.Model{Cutoff: 3, Between: "count", Roots: "single"},
			generated.GrammarSentences{Train: n, MaxWords: 8, Seed: 1})},
		{Name: "cfg", Task: testbed.TaskOf(t, cfg.Model{LossScale: 1, Forests: 1}, testbed.AmbiguousTrees())},
	} {
		t.Run(s.Name, func(t *testing.T) {
			check(t, s.Task.Objective(models.Hinge(), c/float64(len(s.Task.Train))).(*models.Risk))
		})
	}
}

// mixture represents the distributions α explicitly: for each example, a list of labellings with their masses.
type mixture [][]weighted

type weighted struct {
	y    models.Vertex
	mass float64
}

// truths returns distributions with all mass on the true labellings.
func truths(p *models.Risk) mixture {
	out := make(mixture, len(p.Examples))
	for i := range p.Examples {
		out[i] = []weighted{{p.Examples[i].Truth, 1}}
	}
	return out
}

// step moves the share gamma of the mass of example i from all labellings to y.
func (m mixture) step(i int, y models.Vertex, gamma float64) {
	for k := range m[i] {
		m[i][k].mass *= 1 - gamma
	}
	m[i] = append(m[i], weighted{slices.Clone(y), gamma})
}

// value returns the dual D(α) and w(α), computed by their definitions.
func (m mixture) value(p *models.Risk) (dual float64, w []float64) {
	n := float64(len(p.Examples))
	w = make([]float64, p.Dim)
	for i, list := range m {
		e := &p.Examples[i]
		for _, x := range list {
			psi := testbed.Difference(p.Dim, e, x.y)
			for j, v := range psi {
				w[j] += x.mass * v / (p.Lambda * n)
			}
			dual += x.mass * e.LabelLoss(x.y) / n
		}
	}
	return dual - p.Lambda/2*dualspace.Dot(w, w), w
}

// TestBCFWStep checks that a step changes the dual by the formula in the comment of BCFW, that no other γ gives a
// larger dual, and that w and the dual of the state agree with their definitions.
func TestBCFWStep(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	eachHinge(t, 6, 1, func(t *testing.T, p *models.Risk) {
		n := len(p.Examples)
		st := newBCFWState(&BCFW{Order: "cyclic", Average: true}, p, 1)
		alpha := truths(p)
		before, _ := alpha.value(p)
		partial := 0
		for k := range 5 * n {
			i := k % n
			masses := slices.Clone(alpha[i])
			gap, gamma := st.visit(i)
			if gamma == 0 {
				continue
			}
			if gamma < 1 {
				partial++
			}
			v := testbed.Difference(p.Dim, &p.Examples[i], st.y) // after the loop: A_iᵀ(μ_i − 1_{y*})
			for _, x := range masses {
				for j, d := range testbed.Difference(p.Dim, &p.Examples[i], x.y) {
					v[j] -= x.mass * d
				}
			}
			norm := dualspace.Dot(v, v)
			alpha.step(i, st.y, gamma)
			after, w := alpha.value(p)
			change := gamma*gap - gamma*gamma*norm/(2*p.Lambda*float64(n))
			if math.Abs(float64(n)*(after-before)-change) > 1e-11*(1+float64(n)*math.Abs(after)) || !(change > 0) {
				t.Fatalf("visit %d, γ = %v: n ΔD = %v, want %v > 0", k, gamma, float64(n)*(after-before), change)
			}
			for _, other := range []float64{0.9 * gamma, min(1, 1.1*gamma), 1} {
				alpha[i] = slices.Clone(masses)
				alpha.step(i, st.y, other)
				if d, _ := alpha.value(p); d > after+1e-12*(1+math.Abs(after)) {
					t.Fatalf("visit %d: dual = %v for γ = %v, want the maximum: γ = %v gives %v", k, after, gamma, other, d)
				}
			}
			alpha[i] = slices.Clone(masses)
			alpha.step(i, st.y, gamma)
			if d := testbed.Distance(st.w, w); d > 1e-11*(1+math.Sqrt(dualspace.Dot(w, w))) ||
				math.Abs(st.dual()-after) > 1e-11*(1+math.Abs(after)) {
				t.Fatalf("visit %d: |w − w(α)| = %v, want 0; dual = %v, want %v", k, d, st.dual(), after)
			}
			before = after
		}
		if partial == 0 {
			t.Error("all steps have γ = 1: want some with γ < 1")
		}
		primal := p.Primal(st.w)
		var gaps float64
		for i := range n {
			st.Prepare(0, i)
			gaps += st.gap / float64(n)
		}
		if math.Abs(primal-st.dual()-gaps) > 1e-11*(1+primal) {
			t.Errorf("mean of the gaps of all blocks = %v, want P − D = %v", gaps, primal-st.dual())
		}
	})
}

// TestBlockGapSum checks that the statistics block_gap_sum and step_mean are the means of the gaps g_i and of the step
// lengths γ over an epoch.
func TestBlockGapSum(t *testing.T) {
	eachHinge(t, 6, 1, func(t *testing.T, p *models.Risk) {
		st := newBCFWState(&BCFW{Order: "cyclic"}, p, 1)
		for epoch := range 3 {
			var gaps, steps float64
			for i := range p.Examples {
				gap, gamma := st.visit(i)
				st.visits.Next()
				steps += gamma
				if gamma > 0 { // gamma is 0 if the gap may be a rounding error
					gaps += gap
				}
			}
			st.endEpoch()
			n, stats := float64(len(p.Examples)), testbed.EndAt(st.last()).Stats
			if math.Abs(stats["block_gap_sum"]-gaps/n) > 1e-12*gaps || math.Abs(stats["step_mean"]-steps/n) > 1e-12 {
				t.Errorf("epoch %d: block_gap_sum = %v and step_mean = %v, want %v and %v", epoch, stats["block_gap_sum"],
					stats["step_mean"], gaps/n, steps/n)
			}
		}
	})
}

// TestBCFWAverage checks that the averaged weights follow the recursion for w̄ in the comment of BCFW, and that Dual is
// the dual value of the averaged distributions. It also checks that refresh does not change w beyond rounding.
func TestBCFWAverage(t *testing.T) {
	const epochs = dualspace.RefreshEpochs + 3
	eachHinge(t, 6, 1, func(t *testing.T, p *models.Risk) {
		n := len(p.Examples)
		for _, order := range []string{"random", "permutation", "cyclic"} {
			st := newBCFWState(&BCFW{Order: order, Average: true}, p, 1)
			mean, meanLoss, dual := make([]float64, p.Dim), 0.0, 0.0
			for k := range epochs * n {
				st.visit(st.visits.Next())
				if st.visits.Done%n == 0 {
					st.endEpoch()
				}
				if dualspace.NewCadence(n).Refreshes(st.visits.Done) {
					st.refresh()
				}
				share := 2 / (float64(k) + 2)
				for j, x := range st.w {
					mean[j] += share * (x - mean[j])
				}
				meanLoss += share * (st.meanLoss() - meanLoss)
				dual = meanLoss - p.Lambda/2*dualspace.Dot(mean, mean)
				it := st.iterate()
				if d := testbed.Distance(it.W, mean); d > 1e-11*(1+math.Sqrt(dualspace.Dot(mean, mean))) ||
					math.Abs(it.Dual()-dual) > 1e-11*(1+math.Abs(dual)) {
					t.Fatalf("%s, visit %d: |average − w̄| = %v, want 0, where |w̄| = %v; dual = %v, want %v", order, k+1, d,
						math.Sqrt(dualspace.Dot(mean, mean)), it.Dual(), dual)
				}
			}
			if primal := p.Primal(mean); !(dual > 0) || dual > primal {
				t.Errorf("%s: dual = %v and primal = %v, want 0 < dual ≤ primal", order, dual, primal)
			}
			w := slices.Clone(st.w)
			st.refresh()
			if d := testbed.Distance(st.w, w); d > 1e-12*(1+math.Sqrt(dualspace.Dot(w, w))) {
				t.Errorf("%s: refresh changes w by %v, want 0", order, d)
			}
		}
	})
}

// TestBCFWBlockGap checks that the statistic block_gap_sum is exact for a problem with a single example: it must be the
// duality gap P − D before the last visit.
func TestBCFWBlockGap(t *testing.T) {
	eachHinge(t, 6, 1, func(t *testing.T, p *models.Risk) {
		p.Examples = p.Examples[:1]
		want, seen := 0.0, 0
		for it := range testbed.Iterates(t, solvers.Run(&BCFW{Order: "cyclic"}, p, solvers.Env{Seed: 1})) {
			stats := map[string]float64{}
			it.Stats(func(name string, v float64) { stats[name] = v })
			if got, ok := stats["block_gap_sum"]; ok {
				seen++
				if math.Abs(got-want) > 1e-9*(1+want) {
					t.Fatalf("epoch %d: block_gap_sum = %v, want %v", it.Epoch, got, want)
				}
			}
			if want = p.Primal(it.W) - it.Dual(); it.Epoch == 20 {
				break
			}
		}
		if seen < 2 {
			t.Errorf("%d iterates have block_gap_sum, want at least 2", seen)
		}
	})
}
