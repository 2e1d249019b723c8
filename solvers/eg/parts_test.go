package eg

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// definition returns the dual D(α) and w(α) (see Solver), computed by their definitions from only the scores and λ. It
// calls the exp-oracle once for each example.
func definition(st *egState) (dual float64, w []float64) {
	n := float64(len(st.p.Examples))
	w = make([]float64, st.p.Dim)
	for i := range st.p.Examples {
		e := &st.p.Examples[i]
		s, _ := st.parts(i)
		mu := make([]float64, len(s))
		entropy := e.Exp.LogSum(mu, s) - dualspace.Dot(s, mu)
		dual += st.p.Loss.Temp * entropy / n
		if e.Cost != nil {
			dual += st.p.Loss.Margin * dualspace.Dot(e.Cost, mu) / n
		}
		for _, r := range e.Truth {
			mu[r]--
		}
		e.Features.AddAdjoint(w, -1/(st.lambda*n), mu)
	}
	return dual - st.lambda/2*dualspace.Dot(w, w), w
}

// TestChangeOfTheDual checks that a trial, with one oracle call, computes the exact change of the dual, for rates that
// are too small, suitable and too large.
func TestChangeOfTheDual(t *testing.T) {
	testbed.EachStructure(t, 8, 1, func(t *testing.T, p *models.Risk) {
		st := newEGState(p, solvers.Env{Seed: 1}, 2, 1)
		before, _ := definition(st)
		if d := st.dual(); math.Abs(d-before) > 1e-12*(1+math.Abs(before)) {
			t.Errorf("dual at the start = %v, want %v", d, before)
		}
		rates := []float64{1e-3, 0.1, 0.5, 3}
		rises, falls := 0, 0
		for k := range 3 * len(rates) * len(p.Examples) {
			i := k % len(p.Examples)
			v := st.egVisit
			st.direction(v, i)
			st.try(v, i, rates[k%len(rates)])
			st.accept(v, i)
			change := v.change
			after, _ := definition(st)
			if n := float64(len(p.Examples)); math.Abs(n*(after-before)-change) > 1e-10*(n*math.Abs(after)+math.Abs(change)+1) {
				t.Fatalf("visit %d with rate %v: n ΔD = %v, want %v: the dual changes from %v to %v", k, rates[k%len(rates)],
					change, n*(after-before), before, after)
			}
			if change > 1e-6 {
				rises++
			}
			if change < -1e-6 {
				falls++
			}
			before = after
		}
		if rises == 0 || falls == 0 {
			t.Errorf("%d visits increased the dual and %d decreased it: want some of both", rises, falls)
		}
	})
}

// stateOf returns the state that online and batch EG share.
func stateOf(session solvers.Session) *egState {
	if batch, ok := session.(*egBatch); ok {
		return batch.egState
	}
	return session.(*egOnline).egState
}

// TestWeightsKeptUpToDate checks that w and the dual, which the solver updates at each step, are equal to the w and the
// dual that the scores define, in both runs of a session with two λ.
func TestWeightsKeptUpToDate(t *testing.T) {
	testbed.EachStructure(t, 20, 1, func(t *testing.T, p *models.Risk) {
		for name, solver := range map[string]*Solver{
			"online": {Eta: 0.5, Order: "random", Rate: "adaptive"},
			"batch":  {Eta: 0.5, Order: "batch", Rate: "adaptive"},
		} {
			session, err := solver.Start(p, solvers.Env{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			st := stateOf(session)
			for _, lambda := range []float64{p.Lambda, p.Lambda / 3} {
				end := 0
				for it := range testbed.Iterates(t, session.Run(lambda)) {
					if end == 0 {
						end = it.Epoch + 6
					}
					if it.Epoch == end {
						break
					}
				}
				dual, w := definition(st)
				if d := testbed.Distance(st.w, w); d > 1e-11*math.Sqrt(dualspace.Dot(w, w)) {
					t.Errorf("%s, λ = %v: |w − w(α)| = %v, want 0; |w(α)| = %v", name, lambda, d, math.Sqrt(dualspace.Dot(w, w)))
				}
				if d := st.dual(); math.Abs(d-dual) > 1e-11*(1+math.Abs(dual)) {
					t.Errorf("%s, λ = %v: dual = %v, want %v", name, lambda, d, dual)
				}
			}
		}
	})
}

// TestEitherNorm checks that a run has the same results if |Aᵀv|² is computed by NormSq or by Adjoint. In the second
// case, the solver also updates w with the result of Adjoint.
func TestEitherNorm(t *testing.T) {
	testbed.EachStructure(t, 8, 1, func(t *testing.T, p *models.Risk) {
		norm, sparse := testbed.WithFeatures(p, testbed.NewNormOnly), testbed.WithFeatures(p, testbed.NewSparseOnly)
		if _, ok := norm.Examples[0].Features.(models.SparseMap); ok {
			t.Fatal("the features of NewNormOnly implement SparseMap, want Gram only")
		}
		if _, ok := sparse.Examples[0].Features.(models.Gram); ok {
			t.Fatal("the features of NewSparseOnly implement Gram, want SparseMap only")
		}
		for name, solver := range map[string]*Solver{
			"rate found": {Order: "random", Rate: "adaptive"},
			"start":      {Eta: 2, Order: "permutation", Rate: "adaptive", StartScore: 10},
			"constant":   {Eta: 0.05, Order: "cyclic", Rate: "constant"},
			"batch":      {Eta: 0.5, Order: "batch", Rate: "adaptive"},
		} {
			want, other := testbed.Trace(t, solvers.Run(solver, norm, solvers.Env{Seed: 1})),
				testbed.Trace(t, solvers.Run(solver, sparse, solvers.Env{Seed: 1}))
			for k := range want {
				if d := testbed.Distance(want[k].W, other[k].W); d > 1e-8*(1+math.Sqrt(dualspace.Dot(want[k].W, want[k].W))) {
					t.Errorf("%s: the weights of both runs differ by %v at yield %d, want 0", name, d, k)
					break
				}
			}
		}
	})
}
