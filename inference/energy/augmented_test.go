package energy_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
)

// The marginals of the augmented model are the gradient of its log-partition function, by finite differences.
func TestAugmented(t *testing.T) {
	rng := random(51)
	for name, p := range convexProblems(t, rng) {
		chain := chainOf(t, 3, 4, "untied")
		a, err := energy.NewAugmented(chain.Exp, chain.Max, p.Energy, energy.Damped{Rho: 1, MaxCalls: 3000, Tol: 1e-12})
		if err != nil {
			t.Fatal(err)
		}
		theta, mu := slices.Clone(p.Theta), make([]float64, len(p.Theta))
		value := a.LogSum(mu, theta)
		if _, optimum := enumeratedOptimum(t, p, labellings(3, 4)); math.Abs(value+optimum) > 1e-8*(1+math.Abs(value)) {
			t.Errorf("%s: LogSum is %v: minus the optimum is %v", name, value, -optimum)
		}
		for r := 0; r < len(theta); r += 3 {
			const h = 1e-4
			theta[r] = p.Theta[r] + h
			want := a.LogSum(nil, theta)
			theta[r] = p.Theta[r] - h
			want = (want - a.LogSum(nil, theta)) / (2 * h)
			theta[r] = p.Theta[r]
			if math.Abs(mu[r]-want) > 1e-5 {
				t.Errorf("%s: the marginal of part %d is %v: by finite differences %v", name, r, mu[r], want)
			}
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if v := a.LogSum(nil, p.Theta); v != value {
					t.Errorf("%s: LogSum is %v in another goroutine: want %v", name, v, value)
				}
			})
		}
		wg.Wait()
		it := energy.Solve(p, energy.Damped{Rho: 1, MaxCalls: 3000, Tol: 1e-12})
		if y, _ := a.Max(nil, theta); !y.Equal(it.Predict(nil, chain.Max)) {
			t.Errorf("%s: the prediction is %v: want %v", name, y, it.Predict(nil, chain.Max))
		}
		if v := a.LogSum(theta, theta); v != value || !slices.Equal(theta, mu) {
			t.Errorf("%s: LogSum in place is %v: want %v", name, v, value)
		}
		copy(theta, p.Theta)
		if n := testing.AllocsPerRun(5, func() { a.LogSum(mu, theta) }); n != 0 {
			t.Errorf("%s: %v allocations a call", name, n)
		}
	}
}
