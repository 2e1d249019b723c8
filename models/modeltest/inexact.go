package modeltest

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// checkInexactMax checks a max-oracle that need not find the best labelling. It must return some labelling, always the
// same one for the same scores, and must not change the scores.
func checkInexactMax(t testing.TB, x *subject) {
	rng := x.rng(1)
	for range 20 {
		theta := x.scores(rng, 3)
		before := slices.Clone(theta)
		y, v := x.Max.Max(nil, theta)
		unchanged(t, x.name+": Max", theta, before)
		if !slices.IsSorted(y) || !x.valid(y) {
			t.Errorf("%s: Max returned %v, which is not a labelling", x.name, y)
			return
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s: Max returned the value %v: want a finite number", x.name, v)
		}
		x.overwrites(t, theta, y, v)
	}
}

// checkInexactLogSum checks an exp-oracle whose marginals are only approximate. The value must be finite, and the same
// with and without marginals. The marginals of the parts of the base must be within the bounds that hold for
// distributions over labellings.
func checkInexactLogSum(t testing.TB, x *subject) {
	if x.Exp == nil {
		return
	}
	rng := x.rng(5)
	n := models.BaseFeatures(x.Features).Parts()
	for range 5 {
		theta := x.scores(rng, 1)
		before := slices.Clone(theta)
		mu := slices.Repeat([]float64{math.NaN()}, x.parts)
		got := x.Exp.LogSum(mu, theta)
		unchanged(t, x.name+": LogSum", theta, before)
		if !finite(got) || slices.ContainsFunc(mu, func(m float64) bool { return !finite(m) }) {
			t.Errorf("%s: LogSum is %v, with the marginals %v: want finite numbers", x.name, got, mu)
			return
		}
		if v := x.Exp.LogSum(nil, theta); !near(v, got, 1e-13) {
			t.Errorf("%s: LogSum is %v without marginals, but %v with them", x.name, v, got)
		}
		for r, m := range mu[:n] {
			if !x.feasible(t, r, m, 1e-9) {
				return
			}
		}
	}
}
