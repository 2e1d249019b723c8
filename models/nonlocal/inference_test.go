package nonlocal

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestInferenceIsThatOfTheBase checks that the problems of the model inference are the problems that the nonlocal task
// solves to make predictions. The same algorithm must give the same labels, marginals and metrics for both.
func TestInferenceIsThatOfTheBase(t *testing.T) {
	for _, base := range []string{baseFrozen, baseTrained} {
		for _, s := range everySetting(t, func(m *Model) { m.Base, m.Initial = base, 0.4 }) {
			below := s.build(t)
			w := some(below, 4, 0.3)
			task, err := Inference{}.Extend(below, w, s.train, s.validation)
			if err != nil {
				t.Fatal(err)
			}
			if task.Dim() != 0 || len(task.Train) != len(below.Validation) || &task.Train[0] != &task.Validation[0] {
				t.Fatalf("%s: %d weights, %d training examples and %d validation examples, "+
					"want 0 weights and the same examples twice",
					s.name, task.Dim(), len(task.Train), len(task.Validation))
			}
			by := below.Train[0].Features.(*example).By
			tilted := make([][]float64, len(task.Train))
			for i := range task.Train {
				e := &task.Train[i]
				theta := make([]float64, e.Features.Parts())
				e.Features.Score(theta, nil)
				last := energy.Solve(&energy.Problem{Theta: theta, Oracle: e.Exp, Energy: e.Energy}, by)
				tilted[i] = last.Tilted

				v := &below.Validation[i]
				all := make([]float64, v.Features.Parts())
				v.Features.Score(all, w)
				want, _ := v.Max.Max(nil, all)
				if got := last.Predict(nil, e.Max); !got.Equal(want) {
					t.Errorf("%s: example %d: labels = %v, want %v as in the nonlocal task", s.name, i, got, want)
				}
				mu := make([]float64, len(all))
				v.Exp.LogSum(mu, all)
				for r, m := range last.Mu {
					if math.Abs(m-mu[r]) > 1e-12 {
						t.Errorf("%s: example %d: marginal of part %d = %v, want %v as in the nonlocal task", s.name, i, r, m, mu[r])
					}
				}
			}
			got := task.Counts(func(_ []float64, i int) []float64 { return tilted[i] }, 1).Metrics()
			for name, want := range below.Evaluate(w, 1) {
				if got[name] != want {
					t.Errorf("%s: %s = %v, want %v as in the nonlocal task", s.name, name, got[name], want)
				}
			}
		}
	}
}

// TestInferenceOptimum checks that for a convex energy the algorithms find the same minimum of F, and that it is not
// below the bound.
func TestInferenceOptimum(t *testing.T) {
	s := everySetting(t, func(m *Model) { m.Initial = 0.4 })[0]
	below := s.build(t)
	task, err := Inference{}.Extend(below, weightsOf(below).Start, s.train, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(task.Train) != len(below.Train) {
		t.Fatalf("number of examples = %d, want the training examples, as there are no validation data", len(task.Train))
	}
	for i := range task.Train {
		e := &task.Train[i]
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, nil)
		problem := func() *energy.Problem { return &energy.Problem{Theta: theta, Oracle: e.Exp, Energy: e.Energy} }
		want := energy.Solve(problem(), energy.Damped{Rho: 0.5, MaxCalls: 5000, Tol: 1e-12}).Value()
		rda := energy.Solve(problem(), energy.RDA{MaxCalls: 3000})
		if v := rda.Value(); math.Abs(v-want) > 1e-6 || rda.Bound > want+1e-9 {
			t.Errorf("example %d: RDA gives F = %v and the bound %v, but damped steps give F = %v", i, v, rda.Bound, want)
		}
		if v := energy.Solve(problem(), energy.Accelerated{Sigma: 1, MaxCalls: 3000}).Value(); math.Abs(v-want) > 1e-5 {
			t.Errorf("example %d: F = %v by accelerated steps, want %v as by damped steps", i, v, want)
		}
	}
}

// TestFixedScores checks that the feature map of the inference task has no weights, and panics if called with slices of
// a wrong length.
func TestFixedScores(t *testing.T) {
	f := &fixed{scores: []float64{1, 2}}
	theta := make([]float64, 2)
	f.Score(theta, nil)
	if theta[0] != 1 || theta[1] != 2 || f.Parts() != 2 {
		t.Errorf("scores = %v for %d parts, want [1 2] for 2 parts", theta, f.Parts())
	}
	for name, call := range map[string]func(){
		"scores":  func() { f.Score(make([]float64, 3), nil) },
		"weights": func() { f.AddAdjoint(make([]float64, 1), 1, theta) },
	} {
		examples.Panics(t, name+" of a wrong length", "", "", call)
	}
}
