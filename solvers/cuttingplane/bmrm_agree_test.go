package cuttingplane

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// exactBMRM solves each QP almost exactly.
func exactBMRM(b *BMRM, p *models.Risk) *bmrmState {
	st := newBMRMState(b, p, solvers.Env{Seed: 1})
	st.share = 1e-9
	return st
}

// TestBMRMIsOneSlack: on the hinge its iterates are those of the 1-slack method without a cache. After k QPs BMRM has
// used a pass more, as it yields w with P(w).
func TestBMRMIsOneSlack(t *testing.T) {
	for _, c := range []struct {
		name string
		task *models.Task
	}{
		{"binary", testbed.TaskOf(t, multiclass.Binary{LossScale: 100, Bias: 1}, testbed.OverlappingClasses(40, 3, 2))},
		{"multiclass", testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(30, 4, 4))},
		{"digits", testbed.Build(t, multiclass.Model{}, generated.Digits{Train: 100, Seed: 1})},
		{"words", testbed.Build(t, chain.Model{Edges: "tied"}, generated.Words{Train: 30, MaxLetters: 8, Seed: 1})},
		{"sentences", testbed.Build(t, deptree.Model{Cutoff: 1, Between: "count", Roots: "single"},
			generated.GrammarSentences{Train: 20, MaxWords: 12, Seed: 1})},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.task.Objective(models.Hinge(), 0.1).(*models.Risk)
			zero := p.Primal(make([]float64, p.Dim))
			o := exactOneSlack(0)
			o.Tolerance = 1e-13 * zero
			want := firstOf(t, solvers.Run(o, p, solvers.Env{Seed: 1}), 26)
			got := firstOf(t, exactBMRM(&BMRM{}, p).Run(p.Lambda), 27)[1:]
			for k := range min(len(want), len(got)) {
				if got[k].Epoch != k+1 || want[k].Epoch != k {
					t.Fatalf("epochs %d and %d: want one apart", got[k].Epoch, want[k].Epoch)
				}
				if math.Abs(got[k].Dual-want[k].Dual) > 1e-8*zero {
					t.Fatalf("after %d QPs the dual is %v, with one-slack %v", k, got[k].Dual, want[k].Dual)
				}
				for j, w := range want[k].W {
					if math.Abs(got[k].W[j]-w) > 1e-5*(1+math.Abs(w)) {
						t.Fatalf("after %d QPs w[%d] is %v, with one-slack %v", k, j, got[k].W[j], w)
					}
				}
				if want[k].Stats["violation"] == 0 && k > 0 {
					break
				}
			}
		})
	}
}

// TestBMRMTheorem5: so it keeps to the bound on iterations of the 1-slack method, to a gap of ε.
func TestBMRMTheorem5(t *testing.T) {
	for _, c := range planeCases(t)[:2] {
		delta, radius := c.Largest()
		for _, cost := range []float64{1e-3, 0.01, 0.1, 1, 100} {
			for _, eps := range []float64{1, 0.1, 1e-2, 1e-4} {
				p := c.Task.Objective(models.Hinge(), 1/cost).(*models.Risk)
				if bound, holds := iterationBound(p.Loss, delta, radius, cost, eps); holds {
					if at := testbed.EndOf(t, &BMRM{Epsilon: eps}, p); at.Epoch > bound {
						t.Errorf("%s, C = %v, ε = %v: %d iterations: want at most %d", c.Name, cost, eps, at.Epoch, bound)
					}
				}
			}
		}
	}
}

// TestBMRMSmooth: on the log loss it finds the optimum that L-BFGS finds, and on all structured models.
func TestBMRMSmooth(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	list := append(testbed.Structures(t, 10),
		testbed.Structured{Name: "digits", Task: testbed.Build(t, multiclass.Model{}, generated.Digits{Train: 100, Seed: 1})})
	for _, s := range list {
		for name, loss := range map[string]models.Loss{"log": models.LogLoss(), "softmax margin": {Temp: 1, Margin: 1}} {
			if s.Name != "chain" && s.Name != "digits" && loss.Margin != 0 {
				continue
			}
			t.Run(s.Name+"/"+name, func(t *testing.T) {
				p := s.Task.Objective(loss, 0.1).(*models.Risk)
				zero := p.Primal(make([]float64, p.Dim))
				at := testbed.EndOf(t, &BMRM{Epsilon: 1e-8 * zero}, p)
				low, bound := testbed.After(t, p, &gradient.LBFGS{Memory: 10}, 200)
				if low-bound > 1e-8*zero {
					t.Fatalf("L-BFGS leaves the optimum between %v and %v", bound, low)
				}
				if at.Stats["primal_best"] > low+1e-6*zero || at.Dual < bound-1e-6*zero {
					t.Errorf("primal %v and dual %v: the optimum is %v", at.Stats["primal_best"], at.Dual, low)
				}
				if at.Dual > low+1e-12*zero || at.Stats["primal_best"] < bound-1e-12*zero {
					t.Errorf("primal %v and dual %v: no bounds of the optimum, which is between %v and %v", at.Stats["primal_best"],
						at.Dual, bound, low)
				}
			})
		}
	}
}

// TestBMRMHinge: on the hinge of the structured models, its bounds and those of the 1-slack method with a cache
// enclose one optimum.
func TestBMRMHinge(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	for _, s := range testbed.Structures(t, 5)[:3] {
		t.Run(s.Name, func(t *testing.T) {
			p := s.Task.Objective(models.Hinge(), 0.1).(*models.Risk)
			eps := 1e-3 * p.Primal(make([]float64, p.Dim))
			at, other := testbed.EndOf(t, &BMRM{Epsilon: eps}, p),
				testbed.EndOf(t, &OneSlack{Epsilon: eps, Cache: 10, CacheRule: "svmstruct", Step: "qp"}, p)
			if at.Stats["primal_best"] > other.Dual+2.5*eps || at.Stats["primal_best"] < other.Dual-1e-9*eps ||
				at.Dual > other.Primal+1e-9*eps {
				t.Errorf("primal %v and dual %v: one-slack says %v and %v", at.Stats["primal_best"], at.Dual, other.Primal,
					other.Dual)
			}
		})
	}
}

// BenchmarkBMRM times the parts of an iteration apart from the QP, with a bundle of 100 planes: the pass over the
// examples, the products of the new plane with all others, and w.
func BenchmarkBMRM(b *testing.B) {
	const n, planes = 500, 100
	for _, c := range []struct {
		name string
		task *models.Task
		loss models.Loss
	}{
		{"multiclass/log", testbed.Build(b, multiclass.Model{}, generated.Digits{Train: n, Seed: 1}), models.LogLoss()},
		{"multiclass/hinge", testbed.Build(b, multiclass.Model{}, generated.Digits{Train: n, Seed: 1}), models.Hinge()},
		{"chain/log", testbed.Build(b, chain.Model{Edges: "tied"}, generated.Words{Train: n, MaxLetters: 8, Seed: 1}),
			models.LogLoss()},
		{"chain/hinge", testbed.Build(b, chain.Model{Edges: "tied"}, generated.Words{Train: n, MaxLetters: 8, Seed: 1}),
			models.Hinge()},
	} {
		p := c.task.Objective(c.loss, 1/float64(n)).(*models.Risk)
		st := newBMRMState(&BMRM{}, p, solvers.Env{Seed: 1})
		for it, err := range st.Run(p.Lambda) {
			if err != nil {
				b.Fatal(err)
			}
			if it.Epoch == planes {
				break
			}
		}
		slope := make([]float64, p.Dim)
		for _, part := range []struct {
			name string
			run  func()
		}{
			{"pass", func() { clear(slope); p.AddExpectations(slope, st.w, p.Loss) }},
			{"products", func() { st.products() }},
			{"weights", st.moveWeights},
		} {
			b.Run(c.name+"/"+part.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					part.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/example")
			})
		}
	}
}
