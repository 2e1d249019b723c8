package modeltest

import (
	"math"
	"slices"
	"testing"
)

// checkLogSum compares LogSum with enumeration. Calls without marginals, and calls with the same slice for scores and
// marginals, must give the same results.
func checkLogSum(t testing.TB, x *subject) {
	if x.Exp == nil {
		return
	}
	rng := x.rng(5)
	for _, scale := range []float64{0, 0.1, 1, 1, 1, 10, 50} {
		theta := x.scores(rng, scale)
		before := slices.Clone(theta)
		wantMu, want := x.logSum(theta)
		mu := slices.Repeat([]float64{math.NaN()}, x.parts)
		got := x.Exp.LogSum(mu, theta)
		unchanged(t, x.name+": LogSum", theta, before)
		if !near(got, want, 1e-10) {
			t.Errorf("%s: LogSum is %v: want %v by enumeration (scores of size %v)", x.name, got, want, scale)
		}
		x.marginals(t, mu, wantMu, 1e-9)
		if v := x.Exp.LogSum(nil, theta); !near(v, got, 1e-13) {
			t.Errorf("%s: LogSum is %v without marginals, but %v with them", x.name, v, got)
		}
		unchanged(t, x.name+": LogSum(nil, θ)", theta, before)
		inPlace := slices.Clone(theta)
		if v := x.Exp.LogSum(inPlace, inPlace); v != got || !slices.Equal(inPlace, mu) {
			t.Errorf("%s: LogSum in place (mu is theta) is %v: want %v and the same marginals", x.name, v, got)
		}
	}
}

// marginals reports an error for the first part whose marginal in mu is infeasible or differs from its marginal in
// want.
func (x *subject) marginals(t testing.TB, mu, want []float64, tol float64) {
	t.Helper()
	for r, m := range mu {
		if !x.feasible(t, r, m, tol) {
			return
		}
		if !near(m, want[r], tol) {
			t.Errorf("%s: marginal of part %d is %v: want %v by enumeration", x.name, r, m, want[r])
			return
		}
	}
}

// feasible reports an error and returns false if m, the marginal of part r, is outside the bounds that hold for all
// distributions over labellings.
func (x *subject) feasible(t testing.TB, r int, m, tol float64) bool {
	t.Helper()
	if m >= x.low[r]-tol && m <= x.high[r]+tol {
		return true
	}
	t.Errorf("%s: marginal of part %d is %v, which is infeasible: want %v to %v", x.name, r, m, x.low[r], x.high[r])
	return false
}

// checkFiniteDifferences checks that the marginals are the gradient of LogSum.
func checkFiniteDifferences(t testing.TB, x *subject) {
	if x.Exp == nil {
		return
	}
	rng := x.rng(6)
	// The error of central differences is about h² times the third derivative, plus the rounding error / h: 1e-10.
	const h = 1e-5
	for range 3 {
		theta := x.scores(rng, 1)
		mu := make([]float64, x.parts)
		x.Exp.LogSum(mu, theta)
		for r := range theta {
			at := theta[r]
			theta[r] = at + h
			up := x.Exp.LogSum(nil, theta)
			theta[r] = at - h
			down := x.Exp.LogSum(nil, theta)
			theta[r] = at
			if d := (up - down) / (2 * h); !near(mu[r], d, 1e-7) {
				t.Errorf("%s: marginal of part %d is %v: want %v, the slope of LogSum", x.name, r, mu[r], d)
				return
			}
		}
	}
}

// checkHuge compares Max and LogSum with enumeration at scores of ±10⁶.
func checkHuge(t testing.TB, x *subject) {
	rng := x.rng(7)
	const huge = 1e6
	for _, c := range []struct {
		name string
		draw func() float64
	}{
		{"1e6", func() float64 { return huge }},
		{"-1e6", func() float64 { return -huge }},
		{"±1e6", func() float64 { return huge * float64(2*rng.IntN(2)-1) }},
		{"standard deviation 1e6", func() float64 { return huge * rng.NormFloat64() }},
		{"1e6 plus normal noise", func() float64 { return huge + rng.NormFloat64() }},
	} {
		theta := make([]float64, x.parts)
		for r := range theta {
			theta[r] = c.draw()
		}
		y, v := x.Max.Max(nil, theta)
		top := math.Inf(-1)
		for _, z := range x.all {
			top = math.Max(top, score(z, theta))
		}
		if !x.valid(y) || !near(v, top, 1e-9) {
			t.Errorf("%s: with scores of %s Max returned %v with the value %v: want the value %v", x.name, c.name, y, v, top)
		}
		if x.Exp == nil {
			continue
		}
		mu := make([]float64, x.parts)
		got := x.Exp.LogSum(mu, theta)
		wantMu, want := x.logSum(theta)
		if !near(got, want, 1e-9) {
			t.Errorf("%s: with scores of %s LogSum is %v: want %v", x.name, c.name, got, want)
		}
		x.marginals(t, mu, wantMu, 1e-6) // sums of numbers of size 1e6 have errors of about 1e-9
	}
}
