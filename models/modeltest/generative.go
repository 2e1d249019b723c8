package modeltest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// checkGenerative checks that the vectors of log-probabilities are valid, and that those of the prior are
// distributions.
func checkGenerative(t testing.TB, task *models.Task) {
	g, ok := task.Unknowns.(*models.Distributions)
	if !ok {
		return
	}
	if err := g.Check(); err != nil {
		t.Error(err)
		return
	}
	for i := 0; i < g.Vectors() && g.Prior != nil; i++ {
		var sum float64
		for _, c := range g.Prior[g.First[i]:g.First[i+1]] {
			sum += c
		}
		if !near(sum, 1, 1e-9) {
			t.Errorf("the prior of vector %d sums to %v: want a distribution", i, sum)
			return
		}
	}
}

// checkJoint checks, where the weights are log-probabilities, that Aᵀ1_y counts how often each of them is in the joint
// probability of input and labelling, and that all labellings of one input together have a probability of at most 1.
func checkJoint(t testing.TB, x *subject) {
	g, ok := x.task.Unknowns.(*models.Distributions)
	if !ok {
		return
	}
	for _, y := range x.all[:min(len(x.all), 50)] {
		v := make([]float64, x.parts)
		for _, r := range y {
			v[r]++
		}
		for j, n := range x.adjoint(v) {
			if n < 0 || n != math.Trunc(n) {
				t.Errorf("%s: labelling %v has the log-probability %d %v times: want a count", x.name, y, j, n)
				return
			}
		}
	}
	rng := x.rng(14)
	for range 5 {
		w := logProbabilities(rng, g)
		if _, p := x.logSum(x.score(w)); p > 1e-9 {
			t.Errorf("%s: at log-probabilities of distributions the labellings have a probability of %v together: want at "+
				"most 1", x.name, math.Exp(p))
			return
		}
	}
}

// logProbabilities returns those of random distributions.
func logProbabilities(rng *rand.Rand, g *models.Distributions) []float64 {
	w := gaussian(rng, g.Dim(), 1)
	for i := range g.Vectors() {
		v := w[g.First[i]:g.First[i+1]]
		var sum float64
		for _, s := range v {
			sum += math.Exp(s)
		}
		for j := range v {
			v[j] -= math.Log(sum)
		}
	}
	return w
}
