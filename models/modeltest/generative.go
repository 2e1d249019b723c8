package modeltest

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// checkGenerative checks the unknowns of a generative model: they must be valid, and each vector of the prior must be a
// distribution.
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
		if s := sum(g.Prior[g.First[i]:g.First[i+1]]); !near(s, 1, 1e-9) {
			t.Errorf("the prior of vector %d has the sum %v: want a distribution", i, s)
			return
		}
	}
}

// checkJoint checks a model whose weights are log-probabilities. The transposed feature map must count how often each
// probability is a factor of the joint probability of the input and the labelling y. For one input, the probabilities
// of all labellings must have a sum of at most 1.
func checkJoint(t testing.TB, x *subject) {
	g, ok := x.task.Unknowns.(*models.Distributions)
	if !ok {
		return
	}
	for _, y := range x.all[:min(len(x.all), 50)] {
		for j, n := range x.adjoint(indicator(y, x.parts)) {
			if n < 0 || n != math.Trunc(n) {
				t.Errorf("%s: in labelling %v the count of log-probability %d is %v: want 0, 1, 2, ...", x.name, y, j, n)
				return
			}
		}
	}
	rng := x.rng(14)
	for range 5 {
		w := examples.LogProbabilities(g, rng.Uint64())
		if _, p := x.logSum(x.score(w)); p > 1e-9 {
			t.Errorf("%s: with random distributions the sum of the probabilities of all labellings is %v: want at most 1",
				x.name, math.Exp(p))
			return
		}
	}
}
