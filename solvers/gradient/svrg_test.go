package gradient

import (
	"fmt"
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSVRGIsTheAlgorithm checks that a run has the same weights as a direct implementation of the algorithm with dense
// vectors, which recomputes the gradient at the snapshot in each visit. The dual must be the lower bound D that SVRG
// defines at the snapshot. With many examples, there are several visits between two yields.
func TestSVRGIsTheAlgorithm(t *testing.T) {
	for _, n := range []int{6, 43} {
		for name, p := range smoothProblems(t, n) {
			checkSVRG(t, name, p, &SVRG{Step: 0.3, Order: "cyclic", Inner: 2})
			checkSVRG(t, name, p, &SVRG{Step: 0.2, Order: "permutation", Inner: 1})
			checkSVRG(t, name, p, &SVRG{Step: 0.2, Order: "random", Inner: 3})
			checkSVRG(t, name, p.At(1e4), &SVRG{Step: 1.98, Order: "cyclic", Inner: 2})
		}
	}
}

// checkSVRG compares the first nine epochs of a run with the algorithm, or only three epochs if there are many
// examples.
func checkSVRG(t *testing.T, name string, p *models.Risk, s *SVRG) {
	t.Helper()
	n := len(p.Examples)
	name = fmt.Sprintf("%s, n = %d, λ = %v, %+v", name, n, p.Lambda, *s)
	m := curvature{p: p}
	w, snapshot, mean := make([]float64, p.Dim), make([]float64, p.Dim), make([]float64, p.Dim)
	dual, visits := 0., 0
	order, due := dualspace.NewOrder(s.Order, n, 1, dualspace.StreamSVRG), dualspace.NewCadence(n)
	of := func(i int, w []float64) []float64 { // the gradient A_iᵀ(μ_i − 1_{y_i}) at w
		one := *p
		one.Examples = p.Examples[i : i+1]
		g := make([]float64, p.Dim)
		one.AddExpectations(g, w, p.Loss)
		return g
	}
	visit := func() {
		if visits%(s.Inner*n) == 0 {
			copy(snapshot, w)
			clear(mean)
			p.AddExpectations(mean, snapshot, p.Loss)
			dual = p.Bound(snapshot)
		}
		i := order.Next()
		eta := s.Step / (p.Lambda + m.at(i, w))
		now, then := of(i, w), of(i, snapshot)
		for j := range w {
			w[j] -= eta * (now[j] - then[j] + mean[j] + p.Lambda*w[j])
		}
		visits++
	}
	for it := range testbed.Iterates(t, s.Train(p, solvers.Env{Seed: 1})) {
		if it.Epoch == 9 || n > 10 && it.Epoch == 3 {
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
		for next := due.Next(visits); visits < next; {
			visit()
		}
	}
}
