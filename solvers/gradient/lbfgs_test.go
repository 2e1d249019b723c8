package gradient

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/gaplab/gaplab/models"
)

// TestDirection checks that direction returns the same vector as the two-loop recursion of gonum. It tests vectors of
// one block and of several blocks, and adds more pairs than can be stored. The bits must not depend on the number of
// workers.
func TestDirection(t *testing.T) {
	for _, dim := range []int{1, 3, vectorPiece + 1, 3*vectorBlock + 5} {
		rng := rand.New(rand.NewPCG(1, uint64(dim)))
		curvature := make([]float64, dim)
		for j := range curvature {
			curvature[j] = math.Exp(4 * rng.Float64())
		}
		gradient := func(g, w []float64) {
			for j := range g {
				g[j] = curvature[j]*w[j] + 0.1*math.Sin(w[j])
			}
		}
		one := &models.Risk{Weights: models.Weights{Dim: dim}}
		const most = 4
		want := &optimize.LBFGS{Store: most}
		m, same := newPairs(one, most), newPairs(one.Parallel(3), most)
		at, next := newPoint(dim), newPoint(dim)
		for j := range at.w {
			at.w[j] = rng.NormFloat64()
		}
		gradient(at.g, at.w)
		d, e, f := make([]float64, dim), make([]float64, dim), make([]float64, dim)
		for k := range 3 * most {
			place := &optimize.Location{X: at.w, Gradient: at.g}
			if k == 0 {
				want.InitDirection(place, f)
			} else {
				want.NextDirection(place, f)
			}
			slope, step := m.direction(d, at.g)
			if s, u := same.direction(e, at.g); s != slope || u != step || !floats.Equal(d, e) {
				t.Fatalf("dim %d, %d pairs: the result with three workers has other bits than with one", dim, k)
			}
			if away := floats.Distance(d, f, 2); away > 1e-9*floats.Norm(f, 2) {
				t.Errorf("dim %d, %d pairs: distance from gonum's direction = %g, want 0; gonum's direction has length %g", dim, k,
					away, floats.Norm(f, 2))
			}
			if exact := floats.Dot(d, at.g); math.Abs(slope-exact) > 1e-9*math.Abs(exact) || slope >= 0 {
				t.Errorf("dim %d, %d pairs: slope = %g, want %g < 0", dim, k, slope, exact)
			}
			for j := range next.w { // a random step; the curvature is positive in every direction
				next.w[j] = at.w[j] + 0.01*rng.NormFloat64()
			}
			gradient(next.g, next.w)
			m.add(at, next)
			same.add(at, next)
			at, next = next, at
		}
	}
}

func BenchmarkDirection(b *testing.B) {
	const dim = 1 << 20
	m := newPairs(&models.Risk{Weights: models.Weights{Dim: dim}}, 10)
	at, next, d := newPoint(dim), newPoint(dim), make([]float64, dim)
	step := func(k int) {
		for j := range next.w {
			next.w[j] = at.w[j] + float64((j+k)%7)
			next.g[j] = next.w[j]
		}
		m.add(at, next)
		at, next = next, at
	}
	for k := range 10 {
		step(k)
	}
	for b.Loop() {
		m.add(next, at)
		m.direction(d, at.g)
	}
}
