package gradient

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSVRGIsTheAlgorithm checks that a run has the same weights as a direct implementation of the algorithm with dense
// vectors, which recomputes the gradient at the snapshot in each visit. The dual must be the lower bound D that SVRG
// defines at the snapshot.
func TestSVRGIsTheAlgorithm(t *testing.T) {
	const n, inner = 6, 2
	for name, p := range smoothProblems(t, n) {
		m := curvature{p: p}
		w, snapshot, mean := make([]float64, p.Dim), make([]float64, p.Dim), make([]float64, p.Dim)
		dual, visits := 0., 0
		of := func(i int, w []float64) []float64 { // the gradient A_iᵀ(μ_i − 1_{y_i}) at w
			one := *p
			one.Examples = p.Examples[i : i+1]
			g := make([]float64, p.Dim)
			one.AddExpectations(g, w, p.Loss)
			return g
		}
		visit := func() {
			if visits%(inner*n) == 0 {
				copy(snapshot, w)
				clear(mean)
				p.AddExpectations(mean, snapshot, p.Loss)
				dual = p.Bound(snapshot)
			}
			i := visits % n
			eta := 0.3 / (p.Lambda + m.at(i, w))
			now, then := of(i, w), of(i, snapshot)
			for j := range w {
				w[j] -= eta * (now[j] - then[j] + mean[j] + p.Lambda*w[j])
			}
			visits++
		}
		s := &SVRG{Step: 0.3, Order: "cyclic", Inner: inner}
		for it := range testbed.Iterates(t, s.Train(p, solvers.Env{Seed: 1})) {
			if it.Epoch == 9 {
				break
			}
			for j, v := range w {
				if math.Abs(v-it.W[j]) > 1e-12*(1+math.Abs(v)) {
					t.Fatalf("%s: weight %d = %v after %d visits, want %v", name, j, it.W[j], visits, v)
				}
			}
			if d := it.Dual(); math.Abs(d-dual) > 1e-11*(1+math.Abs(dual)) {
				t.Fatalf("%s: dual = %v after %d visits, want %v", name, d, visits, dual)
			}
			visit() // n is so small that the solver yields after each visit
		}
	}
}
