package simplicial

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// ringProblem returns the training problem of a hidden Markov model with states on a ring. A transition is
// deterministic, or random with probability data.P. A state with a symbol of the same number emits this symbol, or a
// random symbol with probability data.Q. The label loss is the distance along the ring.
func ringProblem(tb testing.TB, data generated.Tracking) *models.Generative {
	tb.Helper()
	return problemOf(tb, generative.HMM{LabelLoss: "ring", Eta: 0.1, Prior: "uniform"}, data, models.Hinge())
}

// smallRing returns the settings of a data set so small that all labellings can be listed.
func smallRing() generated.Tracking {
	return generated.Tracking{Train: 6, Length: 4, States: 3, Observations: 2, P: 0.3, Q: 0.3, Seed: 7}
}

// bayesProblem returns the training problem of a naive Bayes model with three classes.
func bayesProblem(tb testing.TB) *models.Generative {
	tb.Helper()
	return problemOf(tb, generative.BayesNet{Nodes: 4, Structure: "naive", LossScale: 1, Eta: 0.3, Prior: "uniform"},
		generated.RandomNetwork{Variables: 3, Values: 2, Classes: 3, Contrast: 1, Train: 20, Seed: 3}, models.Hinge())
}

func problemOf(tb testing.TB, model models.Builder, data datasets.Loader, loss models.Loss) *models.Generative {
	tb.Helper()
	return testbed.Build(tb, model, data).Objective(loss, 0).(*models.Generative)
}

// pull is a models.Convex whose terms, one for each component of θ, are not linear functions −c x.
type pull struct{}

func (pull) At(j int, x float64) (value, slope, curvature float64) {
	if j%2 == 0 {
		return 0.1 * (x + 1) * (x + 1), 0.2 * (x + 1), 0.2
	}
	return math.Exp(x) - 0.3*x, math.Exp(x) - 0.3, math.Exp(x)
}

func (pull) Tail(j int) float64 {
	if j%2 == 0 {
		return math.Inf(-1)
	}
	return -0.3
}

// rsdCase is a test problem that is so small that all labellings can be listed.
type rsdCase struct {
	name string
	p    *models.Generative
}

func rsdCases(tb testing.TB) []rsdCase {
	with := func(p *models.Generative, change func(p *models.Generative, g *models.Distributions)) *models.Generative {
		change(p, p.Distributions)
		return p
	}
	return []rsdCase{
		{"hmm", ringProblem(tb, smallRing())},
		{"bayes", bayesProblem(tb)},
		{"hmm, loss-rescaled slack",
			with(ringProblem(tb, smallRing()), func(p *models.Generative, _ *models.Distributions) { p.Loss = models.Slack() })},
		{"bayes, loss-rescaled slack",
			with(bayesProblem(tb), func(p *models.Generative, _ *models.Distributions) { p.Loss = models.Slack() })},
		{"hmm, quadratic penalty",
			with(ringProblem(tb, smallRing()), func(_ *models.Generative, g *models.Distributions) { g.Quadratic = true })},
		{"bayes, quadratic penalty",
			with(bayesProblem(tb), func(_ *models.Generative, g *models.Distributions) { g.Quadratic = true })},
		{"hmm, other terms", with(ringProblem(tb, smallRing()),
			func(_ *models.Generative, g *models.Distributions) { g.Terms, g.Prior = pull{}, nil })},
		{"bayes, large eta", with(bayesProblem(tb), func(_ *models.Generative, g *models.Distributions) { g.Eta = 5 })},
	}
}

// margin is the constraint a·θ + b ≤ ε_k that one labelling of example k puts on the slack ε_k of this example.
type margin struct {
	k int
	a []float64
	b float64
}

// margins returns a margin for each labelling of each example of a problem.
func margins(p *models.Generative) []margin {
	var out []margin
	rng := rand.New(rand.NewPCG(2, 2))
	for k := range p.Examples {
		e := &p.Examples[k]
		for _, y := range testbed.LabellingsOf(rng, e) {
			m := margin{k, testbed.Difference(p.Dim(), e, y), e.LabelLoss(y)}
			c := -1.0
			if p.Loss.Slack {
				c = -m.b
			}
			dualspace.Scale(m.a, c)
			out = append(out, m)
		}
	}
	return out
}
