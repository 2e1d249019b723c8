package energy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// someEnergies returns energies of all kinds for a chain with 3 labels and 4 positions.
func someEnergies(t testing.TB, parts int, o models.ExpOracle) map[string]energy.Energy {
	rng := random(7)
	words := vocabulary(t, 3, []int{0, 1, 2, 1}, []int{2, 2, 0, 1}, []int{1, 1, 1, 0}, []int{0, 2}, []int{0, 1, 2, 1})
	features := examples.Normals(rng, 5, 1)
	strength := energy.Strength{Psi: append([]float64{2}, examples.Normals(rng, 5, 0.2)...), Features: features}
	totals := func(e energy.Energy) energy.Energy {
		of, err := energy.NewTotals(3, 4, e)
		if err != nil {
			t.Fatal(err)
		}
		return of
	}
	birds := randomPoisson(t, rng, o, 12, parts)
	return map[string]energy.Energy{
		"hinge":          measurements(rng, parts, 6, false),
		"smoothed hinge": measurements(rng, parts, 6, true),
		"label totals":   totals(measurements(rng, 3, 4, true)),
		"pair totals":    totals(measurements(rng, 12, 6, true)),
		"counts":         energy.Counts{Vocabulary: words, Length: 4, Strength: strength},
		"words":          energy.Words{Vocabulary: words, Length: 4, Strength: strength},
		"poisson":        birds,
		"sum": energy.Sum{birds, measurements(rng, parts, 3, true),
			energy.Words{Vocabulary: words, Length: 4, Strength: strength}},
		"convex sum": energy.Sum{measurements(rng, parts, 3, true), totals(measurements(rng, 12, 6, true))},
	}
}

// TestGradients checks AddGradient against finite differences of Value.
func TestGradients(t *testing.T) {
	chain := chainOf(t, 3, 4, "untied")
	parts := chain.Features.Parts()
	rng := random(1)
	for name, e := range someEnergies(t, parts, chain.Exp) {
		for range 5 {
			mu := marginals(rng, chain.Exp, parts)
			g := examples.Normals(rng, parts, 1)
			want := slices.Clone(g)
			e.AddGradient(g, mu, -1.5)
			before := e.Value(mu)
			const h = 1e-6
			for r := range mu {
				x := slices.Clone(mu)
				x[r] = mu[r] + h*mu[r]
				up := e.Value(x)
				x[r] = mu[r] - h*mu[r]
				want[r] -= 1.5 * (up - e.Value(x)) / (2 * h * mu[r])
			}
			for r := range g {
				if math.Abs(g[r]-want[r]) > 1e-5*(1+math.Abs(want[r]))+1e-9*math.Abs(before)/mu[r] {
					t.Errorf("%s: derivative by part %d = %v, want %v by finite differences (μ = %v)", name, r, g[r], want[r], mu[r])
				}
			}
		}
	}
}

// TestWhatEnergiesSay checks the properties that energies report: convexity, Lipschitz constant and leading parts.
func TestWhatEnergiesSay(t *testing.T) {
	chain := chainOf(t, 3, 4, "untied")
	parts := chain.Features.Parts()
	rng := random(2)
	for name, e := range someEnergies(t, parts, chain.Exp) {
		steepest := 0.0
		for range 100 {
			a, b := marginals(rng, chain.Exp, parts), marginals(rng, chain.Exp, parts)
			ga, gb, middle, d := make([]float64, parts), make([]float64, parts), make([]float64, parts), make([]float64, parts)
			e.AddGradient(ga, a, 1)
			e.AddGradient(gb, b, 1)
			for r := range a {
				middle[r], d[r] = (a[r]+b[r])/2, b[r]-a[r]
			}
			if excess := e.Value(middle) - (e.Value(a)+e.Value(b))/2; e.Convex() && excess > 1e-10 {
				t.Errorf("%s: Convex() = true, but the energy is %v above a chord", name, excess)
			}
			if below := e.Value(a) + dot(ga, d) - e.Value(b); e.Convex() && below > 1e-10 {
				t.Errorf("%s: Convex() = true, but the energy is %v below a tangent", name, below)
			}
			for r := range ga {
				ga[r] -= gb[r]
			}
			steepest = max(steepest, math.Sqrt(dot(ga, ga)/dot(d, d)))
			if e, ok := e.(energy.Leading); ok {
				if n := e.Leading(); slices.ContainsFunc(gb[min(n, parts):], func(g float64) bool { return g != 0 }) {
					t.Errorf("%s: gradient beyond the %d leading parts is not zero, want zero", name, n)
				}
				value := e.Value(b)
				for r := e.Leading(); r < parts; r++ {
					b[r] = 7
				}
				if e.Value(b) != value {
					t.Errorf("%s: value depends on parts beyond the %d leading parts", name, e.Leading())
				}
			}
		}
		if e, ok := e.(energy.Smooth); ok && steepest > e.Lipschitz()*(1+1e-12) {
			t.Errorf("%s: change of the gradient / change of μ = %v, want at most the Lipschitz constant %v", name, steepest,
				e.Lipschitz())
		}
	}
	if l := (energy.Linear{Weights: []float64{2, -1}, Smoothed: true,
		Rows: []models.Sparse{{Index: []int32{1, 3}, Value: []float64{3, 4}}, {}}}).Lipschitz(); math.Abs(l-50) > 1e-12 {
		t.Errorf("Lipschitz constant of 2 h(3μ_1 + 4μ_3) = %v, want 50", l)
	}
}

// TestParameterGradients checks AddParameterGradient, −(∂/∂ψ ∇L)ᵀ(s − μ), against finite differences of
// ∇L, also for an energy that is a term of a Sum.
func TestParameterGradients(t *testing.T) {
	chain := chainOf(t, 3, 4, "untied")
	parts := chain.Features.Parts()
	rng := random(3)
	all := labellings(3, 4)
	energies := someEnergies(t, parts, chain.Exp)
	parameters := map[string][]float64{
		"hinge":          energies["hinge"].(energy.Linear).Weights,
		"smoothed hinge": energies["smoothed hinge"].(energy.Linear).Weights,
		"counts":         energies["counts"].(energy.Counts).Strength.Psi,
		"words":          energies["words"].(energy.Words).Strength.Psi,
	}
	weights := measurements(rng, 12, 4, true)
	totals, err := energy.NewTotals(3, 4, weights)
	if err != nil {
		t.Fatal(err)
	}
	energies["pair totals"], parameters["pair totals"] = totals, weights.Weights
	for _, c := range parameters {
		for j := range c {
			c[j] = math.Abs(c[j]) + 0.1 // positive, since the energies are differentiable at positive parameters
		}
	}
	for name, psi := range parameters {
		e := energies[name].(energy.Parametric)
		mu, s := marginals(rng, chain.Exp, parts), indicator(all[rng.IntN(len(all))], parts)
		got := make([]float64, e.Parameters())
		e.AddParameterGradient(got, mu, s)
		sum := make([]float64, 2+len(got)) // derivatives of a Sum whose last term is e; the derivatives of e come last
		energy.Sum{energies["poisson"], energy.Linear{Weights: make([]float64, 2), Rows: make([]models.Sparse, 2)},
			e}.AddParameterGradient(sum, mu, s)
		if len(psi) != len(got) || !slices.Equal(sum[2:], got) || sum[0] != 0 || sum[1] != 0 {
			t.Errorf("%s: %d parameters, want %d; derivatives = %v, in a Sum %v", name, len(got), len(psi), got, sum)
		}
		along := func() float64 {
			g := make([]float64, parts)
			e.AddGradient(g, mu, 1)
			return dot(g, mu) - dot(g, s)
		}
		for j := range psi {
			const h = 1e-4
			before := psi[j]
			psi[j] = before + h
			want := along()
			psi[j] = before - h
			want = (want - along()) / (2 * h)
			psi[j] = before
			if math.Abs(got[j]-want) > 1e-8*(1+math.Abs(want)) {
				t.Errorf("%s: derivative by parameter %d = %v, want %v by finite differences", name, j, got[j], want)
			}
		}
	}
}

// TestSwitchedOff checks an energy whose strength or weight is 0 or negative: its value and gradient are 0, but its
// derivative by the parameter is not 0, so that learning can make the parameter positive again.
func TestSwitchedOff(t *testing.T) {
	chain := chainOf(t, 3, 4, "untied")
	parts := chain.Features.Parts()
	rng := random(4)
	mu, s := marginals(rng, chain.Exp, parts), indicator(labellings(3, 4)[17], parts)
	v := vocabulary(t, 3, []int{0, 1, 2, 1})
	for _, psi := range []float64{-3, 0, 2} {
		strength := energy.Strength{Psi: []float64{psi, 0}, Features: []float64{5}}
		for _, e := range []energy.Parametric{
			energy.Counts{Vocabulary: v, Length: 4, Strength: strength},
			energy.Words{Vocabulary: v, Length: 4, Strength: strength},
			energy.Linear{Weights: []float64{psi}, Rows: []models.Sparse{{Index: []int32{0}, Value: []float64{-1}}}},
		} {
			g, d := make([]float64, parts), make([]float64, e.Parameters())
			e.AddGradient(g, mu, 1)
			e.AddParameterGradient(d, mu, s)
			on := e.Value(mu) != 0 && slices.ContainsFunc(g, func(x float64) bool { return x != 0 })
			if on != (psi > 0) {
				t.Errorf("%T with parameter %v: value = %v, gradient = %v; want both 0 exactly if the parameter is not positive",
					e, psi, e.Value(mu), g)
			}
			if slices.Contains(d, 0) {
				t.Errorf("%T with parameter %v: derivatives by the parameters = %v, want none of them 0", e, psi, d)
			}
		}
	}
}

// TestVocabulary compares Counts and Words with their definitions. Words must be 0 if the vocabulary has no word of the
// example's length.
func TestVocabulary(t *testing.T) {
	words := [][]int{{0, 1, 2}, {2, 2, 1}, {1, 0, 2}, {0, 0}, {0, 1, 2}}
	v := vocabulary(t, 3, words...)
	if w, c := v.Size(); w != 4 || c != 3 {
		t.Errorf("%d words and %d vectors of counts, want 4 and 3", w, c)
	}
	chain := chainOf(t, 3, 3, "untied")
	rng := random(5)
	for range 50 {
		mu := marginals(rng, chain.Exp, chain.Features.Parts())
		byCounts, byWord := math.Inf(1), math.Inf(1)
		for _, w := range words {
			counts, indicator := make([]float64, 3), make([]float64, 9)
			for pos, y := range w {
				counts[y]++
				indicator[pos*3+y] = 1
			}
			var dc, dw float64
			for y := range 3 {
				dc += math.Abs(counts[y] - mu[y] - mu[3+y] - mu[6+y])
			}
			for r := range 9 {
				dw += math.Abs(indicator[r] - mu[r])
			}
			byCounts = min(byCounts, dc)
			if len(w) == 3 {
				byWord = min(byWord, dw)
			}
		}
		if got := (energy.Counts{Vocabulary: v, Length: 3, Strength: energy.Constant(2)}).Value(mu); math.Abs(
			got-2*byCounts) > 1e-12 {
			t.Errorf("value of Counts = %v, want %v", got, 2*byCounts)
		}
		if got := (energy.Words{Vocabulary: v, Length: 3, Strength: energy.Constant(2)}).Value(mu); math.Abs(
			got-2*byWord) > 1e-12 {
			t.Errorf("value of Words = %v, want %v", got, 2*byWord)
		}
		if got := (energy.Words{Vocabulary: v, Length: 1, Strength: energy.Constant(2)}).Value(mu); got != 0 {
			t.Errorf("value of Words for a length without words = %v, want 0", got)
		}
	}
}

// TestTotalsTied checks that Totals has the same value and gradient with tied as with untied transitions.
func TestTotalsTied(t *testing.T) {
	const k, l = 3, 5
	rng := random(6)
	untied, tied := chainOf(t, k, l, "untied"), chainOf(t, k, l, "tied")
	theta := examples.Normals(rng, tied.Features.Parts(), 1)
	wide := slices.Clone(theta)
	for range l - 2 {
		wide = append(wide, theta[l*k:]...)
	}
	a, b := make([]float64, len(theta)), make([]float64, len(wide))
	tied.Exp.LogSum(a, theta)
	untied.Exp.LogSum(b, wide)
	e, err := energy.NewTotals(k, l, measurements(rng, k+k*k, 5, true))
	if err != nil {
		t.Fatal(err)
	}
	if x, y := e.Value(a), e.Value(b); math.Abs(x-y) > 1e-12 {
		t.Errorf("value with tied transitions = %v, want %v as with untied", x, y)
	}
	ga, gb := make([]float64, len(a)), make([]float64, len(b))
	e.AddGradient(ga, a, 1)
	e.AddGradient(gb, b, 1)
	if d := distance(ga, gb[:len(ga)]); d > 1e-12 {
		t.Errorf("difference between the gradients with tied and untied transitions = %v, want at most 1e-12", d)
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
