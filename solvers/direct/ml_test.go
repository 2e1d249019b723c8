package direct_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/direct"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// trackingProblem returns a small training problem of a hidden Markov model, and its task.
func trackingProblem(t testing.TB) (*models.Task, *models.Generative) {
	t.Helper()
	set, err := generated.Tracking{Train: 20, Validation: 20, Length: 10, States: 4, Observations: 3, P: 0.3, Q: 0.3,
		Seed: 1}.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := generative.HMM{LabelLoss: "ring", Eta: 0.1}.Build(set.Train, set.Validation)
	if err != nil {
		t.Fatal(err)
	}
	return task, task.Objective(models.Hinge(), 0).(*models.Generative)
}

// TestML checks that ML yields one iterate, whose weights are the logarithms of the relative frequencies, and that it
// predicts better than uniform distributions do.
func TestML(t *testing.T) {
	task, p := trackingProblem(t)
	s := &direct.ML{Smoothing: 0.1}
	if err := solvers.Missing(s, p); err != nil {
		t.Fatal(err)
	}
	yields := 0
	for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
		yields++
		if !slices.Equal(it.W, p.MaximumLikelihood(p.Examples, 0.1)) || it.Epoch != 0 {
			t.Errorf("weights of epoch %d differ from MaximumLikelihood, or the epoch is not 0", it.Epoch)
		}
		uniform := make([]float64, p.Dim())
		p.Uniform(uniform)
		if a, b := task.Evaluate(it.W, 1)["validation_error"], task.Evaluate(uniform, 1)["validation_error"]; !(a < b) {
			t.Errorf("validation_error = %v, want less than %v as with uniform distributions", a, b)
		}
	}
	if yields != 1 {
		t.Errorf("%d iterates, want 1", yields)
	}
	for range solvers.Run(s, p, solvers.Env{Seed: 1}) {
		break // tests that a break after the only iterate does not panic
	}
}

func TestMLNeeds(t *testing.T) {
	_, p := trackingProblem(t)
	risk := &models.Risk{Weights: models.Weights{Dim: p.Dim()}, Lambda: 1, Loss: p.Loss, Examples: p.Examples}
	if err := solvers.Missing(&direct.ML{}, risk); !errors.Is(err, solvers.ErrUnsupported) {
		t.Errorf("weights that are not log-probabilities: Missing = %v, want ErrUnsupported", err)
	}
	empty := *p
	empty.Examples = nil
	for _, c := range []struct {
		s *direct.ML
		p *models.Generative
	}{{&direct.ML{}, &empty}, {&direct.ML{Smoothing: -1}, p}, {&direct.ML{Smoothing: math.NaN()}, p}} {
		n := 0
		for _, err := range solvers.Run(c.s, c.p, solvers.Env{Seed: 1}) {
			if n++; err == nil {
				t.Errorf("%+v on %d examples: no error, want one", c.s, len(c.p.Examples))
			}
		}
		if n != 1 {
			t.Errorf("%+v: %d yields, want 1 with an error", c.s, n)
		}
	}
}
