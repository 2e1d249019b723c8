package coordinate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
)

// exactHinge returns the maximum of the dual, found by trying every division of a few variables into those at 0, at
// 1/n, and between.
func exactHinge(p *models.Risk, loss float64) float64 {
	n := len(p.Examples)
	z := mat.NewDense(n, p.Dim, nil)
	for i := range n {
		e := &p.Examples[i]
		sign := []float64{-1, -1}
		sign[e.Truth[0]] = 1
		e.Features.AddAdjoint(z.RawRowView(i), 1, sign)
	}
	var k mat.Dense
	k.Mul(z, z.T())
	k.Scale(1/p.Lambda, &k)
	best := math.Inf(-1)
	where := make([]int, n) // 0: at 0, 1: at 1/n, 2: between
	for {
		a := mat.NewVecDense(n, nil)
		var free []int
		for i, at := range where {
			switch at {
			case 1:
				a.SetVec(i, 1/float64(n))
			case 2:
				free = append(free, i)
			}
		}
		feasible := true
		if len(free) > 0 {
			m, b := mat.NewDense(len(free), len(free), nil), mat.NewVecDense(len(free), nil)
			for r, i := range free {
				b.SetVec(r, loss-mat.Dot(k.RowView(i), a))
				for c, j := range free {
					m.Set(r, c, k.At(i, j))
				}
			}
			var x mat.VecDense
			feasible = x.SolveVec(m, b) == nil
			for r, i := range free {
				if !feasible {
					break
				}
				a.SetVec(i, x.AtVec(r))
				feasible = x.AtVec(r) >= 0 && x.AtVec(r) <= 1/float64(n)
			}
		}
		if feasible {
			best = max(best, loss*mat.Sum(a)-mat.Inner(a, &k, a)/2)
		}
		i := 0
		for ; i < n && where[i] == 2; i++ {
			where[i] = 0
		}
		if i == n {
			return best
		}
		where[i]++
	}
}

// TestDecompositionFindsTheOptimum checks that the optimum is that of the enumeration of active sets.
func TestDecompositionFindsTheOptimum(t *testing.T) {
	for seed := range uint64(4) {
		x, y := overlapping(10+seed, 7, 8)
		for _, lambda := range []float64{1, 0.1} {
			p := twoClasses(t, multiclass.Model{}, x, y, lambda)
			want := exactHinge(p, 1)
			var end solvers.Iterate
			for it, err := range solvers.Run(&Decomposition{Tol: 1e-9, Pair: "violating"}, p, solvers.Env{Seed: 1}) {
				if err != nil || !soon(t, it) {
					t.Fatal(err)
				}
				end = it
			}
			primal, dual := p.Primal(end.W), end.Dual()
			if math.Abs(primal-want) > 1e-8 || math.Abs(dual-want) > 1e-8 {
				t.Errorf("seed %d, λ = %g: primal %v and dual %v: want %v", seed, lambda, primal, dual, want)
			}
		}
	}
}
