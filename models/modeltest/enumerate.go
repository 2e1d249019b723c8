package modeltest

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/models"
)

// best returns the largest value of a labelling, and the first labelling in lexicographic order that has exactly this
// value.
func (x *subject) best(value func(models.Vertex) float64) (models.Vertex, float64) {
	var arg models.Vertex
	top := math.Inf(-1)
	for _, y := range x.all { // in lexicographic order
		if v := value(y); v > top {
			arg, top = y, v
		}
	}
	return arg, top
}

// logSum computes log Σ_y exp(θ·1_y) and the marginals by definition, where 1_y counts the parts of y.
func (x *subject) logSum(theta []float64) (mu []float64, value float64) {
	_, top := x.best(func(y models.Vertex) float64 { return score(y, theta) })
	mu = make([]float64, x.parts)
	var z float64
	for _, y := range x.all {
		p := math.Exp(score(y, theta) - top)
		z += p
		for _, r := range y {
			mu[r] += p
		}
	}
	for r := range mu {
		mu[r] /= z
	}
	return mu, top + math.Log(z)
}

// slack returns the slack-rescaled violation cost(y)(1 + θ·1_y − θ·truth), where cost(y) is the label loss of y and 1_y
// counts the parts of y.
func (x *subject) slack(y models.Vertex, theta, cost []float64, truth models.Vertex) float64 {
	return score(y, cost) * (1 + score(y, theta) - score(truth, theta))
}

// bound computes low and high, the smallest and largest count of each part in a labelling. These are bounds on the
// marginals.
func (x *subject) bound() {
	x.low, x.high = slices.Repeat([]float64{math.Inf(1)}, x.parts), make([]float64, x.parts)
	for _, y := range x.all {
		for r, c := range indicator(y, x.parts) {
			x.low[r], x.high[r] = math.Min(x.low[r], c), math.Max(x.high[r], c)
		}
	}
}

// indicator returns the vector 1_y, which has the count of each part in y.
func indicator(y models.Vertex, parts int) []float64 {
	v := make([]float64, parts)
	for _, r := range y {
		v[r]++
	}
	return v
}

// score returns v·1_y, the sum of v over the parts of y. Parts beyond the length of v count 0, since costs may be
// shorter than scores.
func score(y models.Vertex, v []float64) float64 {
	var s float64
	for _, r := range y {
		if r < len(v) {
			s += v[r]
		}
	}
	return s
}
