package energy_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestAcceleratedIsItsFormula compares the tilted scores, the marginals and the averages of each step of Accelerated
// with its formulas, for several moduli, also for an energy of the first parts only.
func TestAcceleratedIsItsFormula(t *testing.T) {
	for i, sigma := range []float64{1, 0.2, 1, 3} {
		rng := random(uint64(60 + i))
		p, chain := chainProblem(t, rng, 3, 4)
		n := len(p.Theta)
		lead := n
		if i%2 == 1 {
			lead = 12
		}
		e := measurements(rng, lead, 5, true)
		p.Energy = e
		var w, v, mean []float64
		l := e.Lipschitz()
		for it := range (energy.Accelerated{Sigma: sigma, MaxCalls: 12}).Run(p) {
			if it.Step == 0 {
				w, v, mean = slices.Clone(it.Mu), slices.Clone(it.Mu), make([]float64, n)
				continue
			}
			step := float64(it.Step)
			rho, kappa := 2/(step+1), 4*l/(sigma*step*(step+1))
			u, g, tilted := make([]float64, n), make([]float64, n), make([]float64, n)
			for r := range u {
				u[r] = (1-rho)*w[r] + rho*v[r]
			}
			e.AddGradient(g, u, 1)
			for r := range g {
				mean[r] = (1-rho)*mean[r] + rho*g[r]
				tilted[r] = p.Theta[r] - mean[r]/(1+kappa)
			}
			before := slices.Clone(v)
			chain.Exp.LogSum(v, tilted)
			change := 0.
			for r := range w {
				w[r] = (1-rho)*w[r] + rho*v[r]
				if r < lead {
					change = max(change, math.Abs(v[r]-before[r]))
				}
			}
			if d := max(distance(it.Tilted, tilted), distance(it.Mu, v), distance(it.Average, w)); d > 1e-11 ||
				math.Abs(it.Rate-rho) > 1e-15 || !math.IsInf(it.Bound, -1) {
				t.Fatalf("sigma %v, step %d: difference %v, rate %v, bound %v", sigma, it.Step, d, it.Rate, it.Bound)
			}
			if it.Change < change-1e-11 || i%2 == 1 && math.Abs(it.Change-change) > 1e-11 || it.Calls != it.Step+1 {
				t.Fatalf("sigma %v, step %d: change %v after %d calls, want %v", sigma, it.Step, it.Change, it.Calls, change)
			}
		}
	}
}

// TestEnds checks for each algorithm that a run makes MaxCalls calls unless a step changes no marginal by more than the
// tolerance, which for Damped is multiplied by the rate, and that it ends at the first such step.
func TestEnds(t *testing.T) {
	rng := random(71)
	p, _ := chainProblem(t, rng, 3, 4)
	p.Energy = measurements(rng, len(p.Theta), 6, true)
	for _, tol := range []float64{0, 1e-6, 1e-3, 0.05} {
		for _, calls := range []int{1, 2, 7, 400} {
			for _, by := range []energy.Inference{energy.RDA{MaxCalls: calls, Tol: tol},
				energy.Damped{Rho: 0.7, MaxCalls: calls, Tol: tol},
				energy.Accelerated{Sigma: 1, MaxCalls: calls, Tol: tol}} {
				var last energy.Iterate
				done := false
				for it := range by.Run(p) {
					if done {
						t.Fatalf("%+v: a step after a change of %v at the rate %v", by, last.Change, last.Rate)
					}
					limit := tol
					if _, damped := by.(energy.Damped); damped {
						limit *= it.Rate
					}
					done, last = it.Change <= limit, it
				}
				if last.Calls > calls || !done && last.Calls < calls && last.Rate > 1e-6 {
					t.Errorf("%+v: ends after %d calls with a change of %v at the rate %v", by, last.Calls, last.Change,
						last.Rate)
				}
			}
		}
	}
}

// TestEquallyNear checks that Counts and Words use the first of equally near words, and that an energy of a vocabulary
// without fitting words is 0 with the gradient 0, for which only g = 0 is a subgradient.
func TestEquallyNear(t *testing.T) {
	mu := []float64{0.5, 0.25, 0.25, 0.5, 0.25, 0.25} // the same at both of the two positions
	for i, words := range [][][]int{{{1, 1}, {2, 2}}, {{2, 2}, {1, 1}}} {
		v := vocabulary(t, 3, words...)
		first := words[0][0]
		strength := energy.Constant(2)
		for name, e := range map[string]energy.Kinked{"counts": energy.Counts{Vocabulary: v, Length: 2, Strength: strength},
			"words": energy.Words{Vocabulary: v, Length: 2, Strength: strength}} {
			g := make([]float64, 6)
			e.AddGradient(g, mu, 1)
			want := make([]float64, 6)
			for r := range want {
				if want[r] = 2; r%3 == first {
					want[r] = -2
				}
			}
			if !slices.Equal(g, want) || e.SubgradientDistance(mu, want) != 0 {
				t.Errorf("%s of words %v: gradient %v, want %v as for the first word", name, words, g, want)
			}
		}
		if i > 0 {
			continue
		}
		none := vocabulary(t, 3)
		for name, e := range map[string]energy.Kinked{
			"no words":            energy.Counts{Vocabulary: none, Length: 2, Strength: strength},
			"no words at all":     energy.Words{Vocabulary: none, Length: 2, Strength: strength},
			"words of two labels": energy.Words{Vocabulary: v, Length: 1, Strength: strength},
		} {
			g, d := slices.Repeat([]float64{7}, 6), []float64{3}
			e.AddGradient(g, mu, 1)
			e.(energy.Parametric).AddParameterGradient(d, mu, make([]float64, 6))
			far := make([]float64, 6)
			far[1] = -0.75
			if e.Value(mu) != 0 || !slices.Equal(g, slices.Repeat([]float64{7}, 6)) || d[0] != 3 ||
				e.SubgradientDistance(mu, make([]float64, 6)) != 0 || e.SubgradientDistance(mu, far) != 0.75 {
				t.Errorf("%s: value %v, gradient %v, derivative %v, want 0", name, e.Value(mu), g, d)
			}
		}
	}
}

// plainEnergy hides the optional interfaces of an energy.
type plainEnergy struct{ energy.Energy }

// TestSums checks what a Sum says about its terms: the leading parts, the convexity and the Lipschitz constant.
func TestSums(t *testing.T) {
	rng := random(72)
	few, more := measurements(rng, 5, 6, true), measurements(rng, 9, 6, true)
	kinks := measurements(rng, 4, 3, false)
	words := energy.Words{Vocabulary: vocabulary(t, 3, []int{0, 1}), Length: 2, Strength: energy.Constant(1)}
	for _, c := range []struct {
		sum       energy.Sum
		leading   int
		convex    bool
		lipschitz float64
	}{
		{energy.Sum{few, more}, more.Leading(), true, few.Lipschitz() + more.Lipschitz()},
		{energy.Sum{more, few}, more.Leading(), true, few.Lipschitz() + more.Lipschitz()},
		{energy.Sum{words, few}, 6, false, math.Inf(1)},
		{energy.Sum{few, words}, 6, false, math.Inf(1)},
		{energy.Sum{few, kinks}, few.Leading(), true, math.Inf(1)},
		{energy.Sum{few, plainEnergy{few}}, math.MaxInt, true, math.Inf(1)},
		{energy.Sum{}, 0, true, 0},
	} {
		if c.sum.Leading() != c.leading || c.sum.Convex() != c.convex || c.sum.Lipschitz() != c.lipschitz {
			t.Errorf("a sum of %d terms: %d leading parts, convex %v, constant %v, want %d, %v, %v", len(c.sum),
				c.sum.Leading(), c.sum.Convex(), c.sum.Lipschitz(), c.leading, c.convex, c.lipschitz)
		}
	}
}

// TestMoreErrors checks further values that are refused, each beside one that is accepted.
func TestMoreErrors(t *testing.T) {
	row := func(index []int32, value []float64) energy.Linear {
		return energy.Linear{Rows: []models.Sparse{{Index: index, Value: value}}, Weights: []float64{1}}
	}
	linear := func(e energy.Linear) error { return e.Check() }
	fourier := func(d, inputs int, bandwidth float64) error {
		_, err := energy.NewFourier(d, inputs, bandwidth, 1)
		return err
	}
	poisson := func(count, population, rate float64) error {
		_, err := energy.NewPoisson([]float64{0, count}, population, rate)
		return err
	}
	totals := func(labels, length int, e energy.Energy) error {
		_, err := energy.NewTotals(labels, length, e)
		return err
	}
	offsets := row([]int32{0}, []float64{1})
	offsets.Offsets = []float64{1, 2}
	infinite := row([]int32{0}, []float64{1})
	infinite.Weights = []float64{math.Inf(-1)}
	inf := math.Inf(1)
	for _, c := range []struct {
		err  error
		want string
	}{
		{linear(row([]int32{0, 3}, []float64{1, -1})), ""},
		{linear(row([]int32{-1}, []float64{1})), "part -1 at index 0"},
		{linear(row([]int32{2, 1}, []float64{1, 1})), "part 1 at index 1"},
		{linear(row([]int32{0, 1}, []float64{1})), "2 parts and 1 values"},
		{linear(row([]int32{0, 1}, []float64{1, inf})), "value +Inf for part 1"},
		{linear(row([]int32{0, 1}, []float64{math.NaN(), 1})), "value NaN for part 0"},
		{linear(offsets), "2 offsets"},
		{linear(infinite), "weight -Inf"},
		{fourier(1, 1, 1), ""},
		{fourier(0, 1, 1), "0 random Fourier features"},
		{fourier(1, 0, 1), "0 inputs"},
		{fourier(1, 1, inf), "is +Inf"},
		{fourier(1, 1, math.NaN()), "is NaN"},
		{poisson(math.NaN(), 1, 1), ""},
		{poisson(inf, 1, 1), "cell 1 is +Inf"},
		{poisson(1, inf, 1), "population is +Inf"},
		{poisson(1, 1, inf), "rate of counts is +Inf"},
		{poisson(1, 1, 0), "rate of counts is 0"},
		{totals(1, 1, energy.Sum{}), ""},
		{totals(0, 1, energy.Sum{}), "0 labels"},
		{totals(1, 0, energy.Sum{}), "0 positions"},
		{totals(1, 1, nil), "is nil"},
		{totals(2, 3, row([]int32{5}, []float64{1})), ""},
	} {
		if c.want == "" && c.err != nil || c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
	examples.Panics(t, "a strength with too few parameters", "energy: ", "1 parameters and 2 features", func() {
		energy.Strength{Psi: []float64{1}, Features: []float64{1, 2}}.Value()
	})
	if v := (energy.Strength{Psi: []float64{1, 2, -1}, Features: []float64{3, 4}}).Value(); v != 3 {
		t.Errorf("strength 1 + 2·3 − 4 = %v, want 3", v)
	}
}
