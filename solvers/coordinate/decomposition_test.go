package coordinate

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestDecompositionEndsAtOptimality checks the end of a run. The weights w must be those that the dual variables
// define. The dual variables must satisfy the optimality conditions for the scores that the model computes.
func TestDecompositionEndsAtOptimality(t *testing.T) {
	eachPair(t, func(t *testing.T, p *models.Risk, s *Decomposition) {
		for _, tol := range []float64{0.1, 1e-3, 1e-9} {
			d := newDecompositionState(p, s)
			d.run(tol, solvers.Env{}, func(it solvers.Iterate, _ error) bool { return soon(t, it) })
			n := float64(len(p.Examples))
			w, dual := make([]float64, p.Dim), 0.0
			scale := 0.0
			for i, a := range d.a {
				if !(a >= 0 && a <= 1/n) {
					t.Fatalf("a[%d] = %v, want from 0 to 1/n = %v", i, a, 1/n)
				}
				e := &p.Examples[i]
				sign := []float64{-1, -1}
				sign[e.Truth[0]] = 1
				e.Features.AddAdjoint(w, a/p.Lambda, sign)
				dual += a * e.Cost[1-e.Truth[0]]
				scale = max(scale, e.Cost[1-e.Truth[0]])
			}
			for j, v := range w {
				if math.Abs(v-d.w[j]) > 1e-9*(1+math.Abs(v)) {
					t.Fatalf("w[%d] = %v, want %v from the dual variables", j, d.w[j], v)
				}
			}
			if dual -= p.Lambda / 2 * dualspace.Dot(w, w); math.Abs(dual-d.dual()) > 1e-9*scale {
				t.Errorf("dual = %v, want %v", d.dual(), dual)
			}
			theta := make([]float64, 2)
			for i, a := range d.a {
				e := &p.Examples[i]
				e.Features.Score(theta, w)
				y := e.Truth[0]
				short := e.Cost[1-y] - (theta[y] - theta[1-y])
				if short > 1.001*tol*scale && a < 1/n || -short > 1.001*tol*scale && a > 0 {
					t.Errorf("tol %g: the margin violation of example %d = %v with a = %v, want one of at most ±%v or a at its bound",
						tol, i, short, a, tol*scale)
				}
			}
			if gap := p.Primal(w) - dual; gap > 1.001*tol*scale || gap < -1e-9*scale {
				t.Errorf("tol %g: gap = %v, want from 0 to %v", tol, gap, tol*scale)
			}
		}
	})
}

// TestDecompositionDoesNotDependOnTheCache checks that with a small cache a run has the same results, but computes more
// columns.
func TestDecompositionDoesNotDependOnTheCache(t *testing.T) {
	x, y := overlapping(5, 80, 6)
	p := twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 0.01)
	type run struct {
		w       [][]float64
		dual    []float64
		columns float64
	}
	record := func(cache float64, pair string) (r run) {
		for it, err := range solvers.Run(&Decomposition{Tol: 1e-6, Cache: cache, Pair: pair}, p, solvers.Env{Seed: 1}) {
			if err != nil || !soon(t, it) {
				t.Fatal(err)
			}
			r.w, r.dual = append(r.w, slices.Clone(it.W)), append(r.dual, it.Dual())
			r.columns = testbed.Stat(it, "kernel_columns")
		}
		return r
	}
	for _, pair := range []string{"violating", "second-order"} {
		whole := record(100, pair)
		if n := float64(len(x)); whole.columns > n {
			t.Errorf("%s: kernel_columns = %v with a cache for all columns, want at most %v", pair, whole.columns, n)
		}
		for _, cache := range []float64{0, 80 * 8 * 5 / 1e6} {
			few := record(cache, pair)
			if !slices.EqualFunc(whole.w, few.w, slices.Equal) || !slices.Equal(whole.dual, few.dual) {
				t.Errorf("%s: weights and duals with a cache of %v MB differ from those with a cache for all columns", pair, cache)
			}
			if few.columns <= whole.columns {
				t.Errorf("%s: kernel_columns = %v with a cache of %v MB, want more than %v as with a cache for all columns", pair,
					few.columns, cache, whole.columns)
			}
		}
	}
}
