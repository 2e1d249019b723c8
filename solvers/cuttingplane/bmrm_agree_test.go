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
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// exactBMRM returns the initial state of a run of BMRM that solves each QP almost exactly.
func exactBMRM(b *BMRM, p *models.Risk) *bmrmState {
	st := newBMRMState(b, p, solvers.Env{Seed: 1})
	st.share = 1e-9
	return st
}

// TestBMRMIsOneSlack checks that for the hinge, BMRM has the same iterates as the 1-slack method without a cache. When
// BMRM yields the w of a QP, it has made one more pass than the 1-slack method, because it computes P(w) before it
// yields w.
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
					t.Fatalf("epochs after %d QPs = %d of BMRM and %d of one-slack, want %d and %d", k, got[k].Epoch, want[k].Epoch,
						k+1, k)
				}
				if math.Abs(got[k].Dual-want[k].Dual) > 1e-8*zero {
					t.Fatalf("dual after %d QPs = %v, want %v as with one-slack", k, got[k].Dual, want[k].Dual)
				}
				for j, w := range want[k].W {
					if math.Abs(got[k].W[j]-w) > 1e-5*(1+math.Abs(w)) {
						t.Fatalf("w[%d] after %d QPs = %v, want %v as with one-slack", j, k, got[k].W[j], w)
					}
				}
				if want[k].Stats["violation"] == 0 && k > 0 {
					break
				}
			}
		})
	}
}

// TestBMRMTheorem5 checks that BMRM reaches a gap of ε within the iteration bound of the 1-slack method (see
// iterationBound), since both methods have the same iterates.
func TestBMRMTheorem5(t *testing.T) {
	for _, c := range planeCases(t)[:2] {
		delta, radius := c.Largest()
		for _, cost := range []float64{1e-3, 0.01, 0.1, 1, 100} {
			for _, eps := range []float64{1, 0.1, 1e-2, 1e-4} {
				p := c.Task.Objective(models.Hinge(), 1/cost).(*models.Risk)
				if bound, holds := iterationBound(p.Loss, delta, radius, cost, eps); holds {
					if at := testbed.EndOf(t, &BMRM{Epsilon: eps}, p); at.Epoch > bound {
						t.Errorf("%s, C = %v, ε = %v: %d iterations, want at most %d", c.Name, cost, eps, at.Epoch, bound)
					}
				}
			}
		}
	}
}

// BenchmarkBMRM measures three times of an iteration with 100 planes: the time of the pass over the examples, of the
// inner products of the new plane with all other planes, and of the computation of w. It does not measure the QP.
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
		for it := range testbed.Iterates(b, st.Run(p.Lambda)) {
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
