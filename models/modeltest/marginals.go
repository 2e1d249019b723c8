package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// expected returns the marginals of a random distribution over the labellings.
func (x *subject) expected(rng *rand.Rand) []float64 {
	mu, _ := x.logSum(x.scores(rng, 1))
	return mu
}

// checkPolytope checks that Infeasibility is 0 for the marginals of a distribution over labellings, and large if one of
// the marginals is changed.
func checkPolytope(t testing.TB, x *subject) {
	if x.Polytope == nil {
		return
	}
	rng := x.rng(15)
	for range 10 {
		mu := x.expected(rng)
		before := slices.Clone(mu)
		if got := x.Polytope.Infeasibility(mu); !(got <= 1e-9) {
			t.Errorf("%s: Infeasibility of marginals is %v: want 0", x.name, got)
			return
		}
		unchanged(t, x.name+": Infeasibility", mu, before)
		r := rng.IntN(models.BaseFeatures(x.Features).Parts())
		mu[r] += 0.25
		if got := x.Polytope.Infeasibility(mu); !(got >= 0.01) && x.occurs(r) {
			t.Errorf("%s: Infeasibility is %v after adding 0.25 to the marginal of part %d: want at least 0.01", x.name, got,
				r)
			return
		}
	}
}

// occurs reports whether some labelling contains part r.
func (x *subject) occurs(r int) bool {
	return slices.ContainsFunc(x.all, func(y models.Vertex) bool { return slices.Contains(y, r) })
}

// checkEnergy checks that AddGradient adds c times the gradient of Value. If the energy reports that it is convex, its
// tangents must not be above its values.
func checkEnergy(t testing.TB, x *subject) {
	e := x.Energy
	if e == nil {
		return
	}
	rng := x.rng(16)
	gradient := func(mu []float64) []float64 {
		g := make([]float64, x.parts)
		e.AddGradient(g, mu, 1)
		return g
	}
	for range 10 {
		a, b := x.expected(rng), x.expected(rng)
		before := slices.Clone(a)
		value, g := e.Value(a), gradient(a)
		unchanged(t, x.name+": the energy", a, before)
		added := examples.Normals(rng, x.parts, 1)
		want := slices.Clone(added)
		e.AddGradient(added, a, -2.5)
		for r := range want {
			if want[r] -= 2.5 * g[r]; !near(added[r], want[r], 1e-10) {
				t.Errorf("%s: after AddGradient with c = −2.5, component %d of g is %v: want %v", x.name, r, added[r], want[r])
				return
			}
		}
		const h = 1e-6
		up, down, slope := slices.Clone(a), slices.Clone(a), 0.0
		for r := range a {
			d := b[r] - a[r]
			up[r] += h * d
			down[r] -= h * d
			slope += g[r] * d
		}
		if d := (e.Value(up) - e.Value(down)) / (2 * h); !near(slope, d, 1e-5) {
			t.Errorf("%s: the slope of the energy by AddGradient is %v: want %v by differences of Value", x.name, slope, d)
			return
		}
		if other := e.Value(b); e.Convex() && !(other >= value+slope-1e-9*math.Max(1, math.Abs(other))) {
			t.Errorf("%s: Convex of the energy is true, but the energy has the value %v where a tangent has the larger value %v",
				x.name, other, value+slope)
			return
		}
	}
	x.panics(t, "Value with nil marginals", func() { e.Value(nil) })
	x.panics(t, "AddGradient with nil marginals", func() { e.AddGradient(make([]float64, x.parts), nil, 1) })
}
