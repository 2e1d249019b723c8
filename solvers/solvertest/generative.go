package solvertest

import (
	"context"
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
)

// generatives returns those problems over log-probabilities that the suite's solver supports.
func (s *suite) generatives(t testing.TB) []*problem {
	t.Helper()
	var out []*problem
	for _, p := range generatives(t) {
		if s.takes(p.objective) {
			out = append(out, p)
		}
	}
	return out
}

// generatives returns problems of a hidden Markov model and a Bayesian network, with the margin-rescaled and the
// slack-rescaled hinge. The upper bound on each optimum is the best objective of a few feasible points. The optima are
// unknown, so the solver's own primal and dual must agree.
func generatives(t testing.TB) []*problem {
	t.Helper()
	var out []*problem
	for _, m := range []struct {
		name   string
		loader datasets.Loader
		model  models.Builder
	}{
		{"hmm", generated.Tracking{Train: 6, Validation: 1, Length: 4, States: 3, Observations: 2, P: 0.3, Q: 0.3, Seed: 7},
			generative.HMM{LabelLoss: "ring", Eta: 0.1, Prior: "uniform"}},
		{"bayes", generated.RandomNetwork{Variables: 3, Values: 2, Classes: 3, Contrast: 1, Train: 20, Validation: 1,
			Seed: 3},
			generative.BayesNet{Nodes: 4, Structure: "naive", LossScale: 1, Eta: 0.3, Prior: "uniform"}},
	} {
		set, err := m.loader.Load(context.Background(), datasets.Source{})
		if err != nil {
			t.Fatalf("solvertest: %s: %v", m.name, err)
		}
		task, err := m.model.Build(set.Train, nil)
		if err != nil {
			t.Fatalf("solvertest: %s: %v", m.name, err)
		}
		for _, loss := range []models.Loss{models.Hinge(), models.Slack()} {
			name := "hinge"
			if loss.Slack {
				name = "slack rescaling"
			}
			p := task.Objective(loss, 0).(*models.Generative)
			uniform := make([]float64, p.Dim())
			p.Uniform(uniform)
			start := p.Primal(uniform)
			out = append(out, &problem{objective: p, name: m.name + ", " + name, data: m.name, low: math.Inf(-1),
				high: min(start, p.Primal(p.MaximumLikelihood(p.Examples, 0.1))), start: math.Abs(start), own: true})
		}
	}
	return out
}
