package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// checkMax compares the labelling and the value of Max with enumeration. The result must not depend on dst.
func checkMax(t testing.TB, x *subject) {
	rng := x.rng(1)
	for range 20 {
		theta := x.scores(rng, 3)
		before := slices.Clone(theta)
		value := func(y models.Vertex) float64 { return score(y, theta) }
		_, top := x.best(value)
		y, v := x.Max.Max(nil, theta)
		unchanged(t, x.name+": Max", theta, before)
		x.attains(t, "Max", y, v, top, value)
		if !x.valid(y) {
			continue
		}
		x.overwrites(t, theta, y, v)
	}
}

// overwrites checks that Max gives the same result if dst is longer than the labelling and has other contents.
func (x *subject) overwrites(t testing.TB, theta []float64, y models.Vertex, v float64) {
	t.Helper()
	long := models.Vertex(slices.Repeat([]int{-7}, len(y)+5))
	if again, u := x.Max.Max(long, theta); !again.Equal(y) || u != v {
		t.Errorf("%s: Max gives %v (%v) with dst = nil, but %v (%v) with a longer dst", x.name, y, v, again, u)
	}
}

// attains checks the result of an oracle, the labelling y and the value got. y must be a labelling with the largest
// value, the argument best, and got must equal best.
func (x *subject) attains(t testing.TB, oracle string, y models.Vertex, got, best float64,
	value func(models.Vertex) float64) {
	t.Helper()
	const tol = 1e-12
	switch {
	case !x.valid(y):
		t.Errorf("%s: %s returned %v, which is not a labelling (parts must not decrease)", x.name, oracle, y)
	case !near(value(y), best, tol):
		t.Errorf("%s: %s returned %v with the value %v: the largest value is %v", x.name, oracle, y, value(y), best)
	case !near(got, best, tol):
		t.Errorf("%s: %s returned the value %v: want %v", x.name, oracle, got, best)
	}
}

// checkTies checks which of several best labellings Max returns. The scores are small integers, so that their sums are
// exact.
func checkTies(t testing.TB, x *subject) {
	rng := x.rng(2)
	for trial := range 40 {
		theta := make([]float64, x.parts)
		for r := range theta {
			theta[r] = float64(rng.IntN(1 + trial%4)) // all are zero in every fourth trial
		}
		want, top := x.best(func(y models.Vertex) float64 { return score(y, theta) })
		y, v := x.Max.Max(nil, theta)
		if !x.valid(y) || score(y, theta) != top || v != top {
			t.Errorf("%s: Max returned %v with the value %v: the largest value is %v", x.name, y, v, top)
			continue
		}
		if !x.anyTies && !y.Equal(want) {
			t.Errorf("%s: Max returned %v: of the labellings with the same score %v the first is %v", x.name, y, top, want)
		}
		y = slices.Clone(y)
		for range 3 {
			if again, _ := x.Max.Max(nil, theta); !again.Equal(y) {
				t.Errorf("%s: Max returned %v for a tie, and %v when called again", x.name, y, again)
			}
		}
	}
}

// checkSlack compares MaxSlack with enumeration, for the cost of the example and for random costs.
func checkSlack(t testing.TB, x *subject) {
	if x.Slack == nil {
		return
	}
	rng := x.rng(3)
	for trial := range 20 {
		theta, cost := x.scores(rng, 2), x.Cost
		if trial >= 10 || cost == nil {
			cost = x.randomCost(rng)
		}
		before := slices.Clone(theta)
		value := func(y models.Vertex) float64 { return x.slack(y, theta, cost, x.Truth) }
		_, top := x.best(value)
		y, v := x.Slack.MaxSlack(nil, theta, cost, x.Truth)
		unchanged(t, x.name+": MaxSlack", theta, before)
		x.attains(t, "MaxSlack", y, v, top, value)
	}
}

// randomCost draws costs of at most 3. Parts of the truth have the cost 0.
func (x *subject) randomCost(rng *rand.Rand) []float64 {
	cost := make([]float64, x.parts)
	if x.countCosts {
		cost = cost[:len(x.Cost)]
	}
	for r := range cost {
		cost[r] = 3 * rng.Float64()
		if x.countCosts {
			cost[r] = math.Round(cost[r])
		}
	}
	for _, r := range x.Truth {
		if r < len(cost) {
			cost[r] = 0
		}
	}
	return cost
}

// checkSecond compares Second with enumeration. The excluded labelling is the truth, the best one or a random one.
func checkSecond(t testing.TB, x *subject) {
	if x.Second == nil || len(x.all) < 2 {
		return
	}
	rng := x.rng(4)
	for range 20 {
		theta := x.scores(rng, 2)
		value := func(y models.Vertex) float64 { return score(y, theta) }
		first, _ := x.best(value)
		for _, not := range []models.Vertex{x.Truth, first, x.all[rng.IntN(len(x.all))]} {
			_, top := x.best(func(y models.Vertex) float64 {
				if y.Equal(not) {
					return math.Inf(-1)
				}
				return value(y)
			})
			y, v := x.Second.Second(nil, theta, not)
			if y.Equal(not) {
				t.Errorf("%s: Second returned the excluded labelling %v", x.name, not)
				continue
			}
			x.attains(t, "Second", y, v, top, value)
		}
	}
}
