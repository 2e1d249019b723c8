package gradient

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSGDSteps checks that step k = 0, 1, ... moves w by eta0/(1 + k/n) times the negative gradient of one term.
func TestSGDSteps(t *testing.T) {
	const n, seed = 5, 7 // with n < 10, SGD yields after each step
	p := testbed.Digits(t, n)
	w, g, k := make([]float64, p.Dim), make([]float64, p.Dim), 0
	order := dualspace.NewOrder("random", n, seed, dualspace.StreamSGD)
	for it := range testbed.Iterates(t, solvers.Run(&SGD{Eta0: 0.2}, p, solvers.Env{Seed: seed})) {
		if !slices.EqualFunc(it.W, w, func(a, b float64) bool { return math.Abs(a-b) <= 1e-13 }) {
			t.Fatalf("weights after %d steps differ from those of the formula", k)
		}
		i, term := order.Next(), *p
		term.Examples = p.Examples[i : i+1]
		term.Gradient(g, w)
		for j, v := range g {
			w[j] -= 0.2 / (1 + float64(k)/n) * v
		}
		if k++; k > 3*n {
			return
		}
	}
}
