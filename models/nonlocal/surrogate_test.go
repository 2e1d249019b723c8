package nonlocal

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestGradient checks by finite differences that Risk.Gradient is the gradient of the surrogate loss (see
// example.LogSum) at the marginals that inference returns. The finite differences keep these marginals fixed. Only
// examples for which inference converged are compared: with energies of counts it may stop at a kink.
func TestGradient(t *testing.T) {
	for _, base := range []string{baseFrozen, baseTrained} {
		for _, s := range everySetting(t, func(m *Model) {
			m.Base, m.Inference, m.MaxCalls, m.Tol, m.Initial = base, inferenceDamped, 2000, 1e-12, 0.1
		}) {
			task := s.build(t)
			p := examples.RiskOf(t, task, models.LogLoss(), 0.1)
			w := some(task, 1, 0.02)
			p.Examples = nil
			var mus [][]float64
			for _, e := range task.Train {
				x := e.Features.(*example)
				q := x.problem(w)
				mu := slices.Clone(energy.Solve(q, x.By).Mu)
				if residual, _ := q.Certify(mu); residual < 1e-9 {
					p.Examples, mus = append(p.Examples, e), append(mus, mu)
				}
			}
			if n := len(p.Examples); n == 0 || n < len(task.Train) && s.model.Energy != energyCounts {
				t.Fatalf("%s, %s: inference converged for only %d of %d examples", s.name, base, n, len(task.Train))
			}
			value := func() float64 {
				var sum, norm float64
				for i, e := range p.Examples {
					sum -= e.Features.(*example).problem(w).Surrogate(mus[i], e.Truth)
				}
				for _, v := range w {
					norm += v * v
				}
				return p.Lambda/2*norm + sum/float64(len(p.Examples))
			}
			g := make([]float64, task.Dim())
			if got, want := p.Gradient(g, w), value(); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s, %s: risk by the inference problems = %v, want %v, the mean of the surrogates",
					s.name, base, got, want)
			}
			const h = 1e-5
			for j := range w {
				before := w[j]
				w[j] = before + h
				up := value()
				w[j] = before - h
				down := value()
				w[j] = before
				if want := (up - down) / (2 * h); math.Abs(g[j]-want) > 1e-6 {
					t.Errorf("%s, %s: derivative %d = %v, want %v by finite differences", s.name, base, j, g[j], want)
				}
			}
		}
	}
}

// problem returns the inference problem of the example at the weights w.
func (x *example) problem(w []float64) *energy.Problem {
	theta := make([]float64, x.Parts())
	x.Score(theta, w)
	n := len(theta) - x.parts
	return &energy.Problem{Theta: theta[:n], Oracle: x.below.Exp, Energy: x.Of(slices.Clone(theta[n:]))(&x.below)}
}

// TestWithoutStrengthPredictionsAreTheBase checks that with a strength of 0 the predictions and metrics are exactly the
// same as for the base, and that the log loss is the same up to rounding.
func TestWithoutStrengthPredictionsAreTheBase(t *testing.T) {
	for _, base := range []string{baseFrozen, baseTrained} {
		for _, s := range everySetting(t, func(m *Model) { m.Base = base }) {
			task := s.build(t)
			below, err := s.base.Examples(s.train)
			if err != nil {
				t.Fatal(err)
			}
			zero := &models.Task{Unknowns: models.Weights{Dim: s.base.Dim()}, Train: below}
			if got, want := examples.RiskOf(t, task, models.LogLoss(), 0).Primal(weightsOf(task).Start),
				examples.RiskOf(t, zero, models.LogLoss(), 0).Primal(s.w); math.Abs(got-want) > 1e-13*want {
				t.Errorf("%s, %s: log loss = %v, want %v as for the base", s.name, base, got, want)
			}
			var y, z models.Vertex
			for i := range below {
				n := below[i].Features.Parts()
				theta := make([]float64, task.Train[i].Features.Parts())
				task.Train[i].Features.Score(theta, weightsOf(task).Start)
				y, _ = task.Train[i].Max.Max(y, theta)
				if z, _ = below[i].Max.Max(z, theta[:n]); !y.Equal(z) {
					t.Errorf("%s, %s: example %d: labels = %v, want %v as for the base", s.name, base, i, y, z)
				}
			}
			want := s.base.Evaluate(s.w, 1)
			for name, got := range task.Evaluate(weightsOf(task).Start, 1) {
				if got != want[name] {
					t.Errorf("%s, %s: %s = %v, want %v as for the base", s.name, base, name, got, want[name])
				}
			}
		}
	}
}

// TestNegativeStrength checks that a negative strength has the same effect as 0, and that its derivative is computed at
// the marginals of the base, so that the strength can become positive again.
func TestNegativeStrength(t *testing.T) {
	for _, s := range everySetting(t, func(m *Model) { m.Initial = -1 }) {
		task := s.build(t)
		p := examples.RiskOf(t, task, models.LogLoss(), 0)
		g, h := make([]float64, task.Dim()), make([]float64, task.Dim())
		if got, want := p.Gradient(g, weightsOf(task).Start), p.Gradient(h, make([]float64, task.Dim())); got != want ||
			!slices.Equal(g, h) {
			t.Errorf("%s: loss and gradient at −1 = %v and %v, want %v and %v as at 0", s.name, got, g, want, h)
		}
		if !slices.ContainsFunc(g, func(d float64) bool { return d != 0 }) {
			t.Errorf("%s: the gradient is 0, want a derivative that can make the strength positive", s.name)
		}
	}
}

// TestFrozenAgainstTrained checks that tasks with a frozen and with a trained base have the same loss, gradient and
// metrics. They differ only in which weights a solver can change.
func TestFrozenAgainstTrained(t *testing.T) {
	frozen, trained := everySetting(t, nil), everySetting(t, func(m *Model) { m.Base = baseTrained })
	for i, s := range frozen {
		a, b := s.build(t), trained[i].build(t)
		v := some(a, 2, 0.5)
		w := append(slices.Clone(s.w), v...)
		p, q := weightsOf(a), weightsOf(b)
		if q.Dim != s.base.Dim()+p.Dim || !slices.Equal(q.Start, append(slices.Clone(s.w), p.Start...)) || !p.Inexact ||
			!q.Inexact {
			t.Fatalf("%s: the frozen and trained tasks have %d and %d weights, with the starts %v and %v; "+
				"want the trained task to have also the base's weights, before the others",
				s.name, p.Dim, q.Dim, p.Start, q.Start)
		}
		g, h := make([]float64, a.Dim()), make([]float64, b.Dim())
		one := examples.RiskOf(t, a, models.LogLoss(), 0).Gradient(g, v)
		other := examples.RiskOf(t, b, models.LogLoss(), 0).Gradient(h, w)
		if one != other || !slices.Equal(g, h[s.base.Dim():]) {
			t.Errorf("%s: loss and gradient: frozen %v and %v, trained %v and %v; want the same", s.name, one, g, other,
				h[s.base.Dim():])
		}
		if x, y := a.Evaluate(v, 1), b.Evaluate(w, 1); len(x) == 0 || x["validation_error"] != y["validation_error"] {
			t.Errorf("%s: metrics: frozen %v, trained %v; want the same", s.name, x, y)
		}
	}
}

// TestOracle checks that marginals may overwrite the scores, that they are feasible, and that calls do not allocate
// after the first one.
func TestOracle(t *testing.T) {
	for _, inference := range []string{inferenceRDA, inferenceDamped, inferenceFast} {
		for _, s := range everySetting(t, func(m *Model) { m.Inference, m.Initial = inference, 0.5 }) {
			if inference == inferenceFast && s.model.Energy != energyMeasured {
				continue
			}
			task := s.build(t)
			e := &task.Train[1]
			theta := make([]float64, e.Features.Parts())
			e.Features.Score(theta, weightsOf(task).Start)
			mu := slices.Clone(theta)
			value := e.Exp.LogSum(mu, mu)
			other := make([]float64, len(theta))
			if again := e.Exp.LogSum(other, theta); again != value || !slices.Equal(mu, other) ||
				e.Exp.LogSum(nil, theta) != value {
				t.Errorf("%s, %s: two calls with the same scores give different results", s.name, inference)
			}
			if e.Polytope != nil && !(e.Polytope.Infeasibility(mu) < 1e-9) {
				t.Errorf("%s, %s: infeasibility of the marginals = %v, want less than 1e-9", s.name, inference,
					e.Polytope.Infeasibility(mu))
			}
			y, _ := e.Max.Max(nil, theta)
			if n := testing.AllocsPerRun(20, func() {
				e.Exp.LogSum(mu, theta)
				y, _ = e.Max.Max(y, theta)
			}); n > 0 && inference != inferenceFast {
				t.Errorf("%s, %s: allocations per call = %v, want 0", s.name, inference, n)
			}
		}
	}
}

// TestWorkers checks that several goroutines, which share the memory of the energies, give exactly the same result as
// one.
func TestWorkers(t *testing.T) {
	for _, s := range everySetting(t, func(m *Model) { m.Initial = 0.3 }) {
		task := s.build(t)
		p := examples.RiskOf(t, task, models.LogLoss(), 0.1)
		w := some(task, 3, 0.2)
		want := p.Primal(w)
		p = p.Parallel(3)
		if got := p.Primal(w); got != want {
			t.Errorf("%s: result with three goroutines = %v, want %v as with one", s.name, got, want)
		}
	}
}
