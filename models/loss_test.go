package models_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// lossCase is one example with random scores and costs.
type lossCase struct {
	example *models.Example
	theta   []float64
	truth   int
}

func lossCases(t testing.TB) []lossCase {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 4))
	task := examples.Build(t, multiclass.Model{}, examples.Rows(30, 3, 4, false), nil)
	var out []lossCase
	for i := range task.Train {
		e := &task.Train[i]
		c := lossCase{example: e, truth: e.Truth[0]}
		for range 4 {
			c.theta = append(c.theta, 3*rng.NormFloat64())
		}
		out = append(out, c)
	}
	return out
}

func value(l models.Loss, c lossCase) float64 { return l.Value(c.example, slices.Clone(c.theta)) }

// smooth computes φ by its formula: τ log Σ_c exp((θ_c + κ[c ≠ y])/τ) − θ_y.
func smooth(c lossCase, tau, kappa float64) float64 {
	var z float64
	for r, s := range c.theta {
		if r != c.truth {
			s += kappa
		}
		z += math.Exp(s / tau)
	}
	return tau*math.Log(z) - c.theta[c.truth]
}

func TestLossFormulas(t *testing.T) {
	for _, c := range lossCases(t) {
		hinge, slack := 0.0, 0.0
		for r, s := range c.theta {
			if r != c.truth {
				hinge = math.Max(hinge, 1+s-c.theta[c.truth])
				slack = math.Max(slack, 1*(1+s-c.theta[c.truth])) // with 0/1 costs both rescalings agree
			}
		}
		for _, want := range []struct {
			name  string
			loss  models.Loss
			value float64
		}{
			{"log", models.LogLoss(), smooth(c, 1, 0)},
			{"softmax margin", models.Loss{Temp: 1, Margin: 1}, smooth(c, 1, 1)},
			{"smoothed hinge", models.Loss{Temp: 0.5, Margin: 1}, smooth(c, 0.5, 1)},
			{"twice the margin", models.Loss{Temp: 2, Margin: 2}, smooth(c, 2, 2)},
			{"hinge", models.Hinge(), hinge},
			{"slack", models.Loss{Slack: true}, slack},
		} {
			if got := value(want.loss, c); math.Abs(got-want.value) > 1e-12*(1+want.value) {
				t.Errorf("%s loss is %v: want %v", want.name, got, want.value)
			}
		}
	}
}

// TestSmoothedHingeLimit checks that the smoothed hinge falls to the hinge with τ, and is never more than τ log k above
// it.
func TestSmoothedHingeLimit(t *testing.T) {
	for _, c := range lossCases(t) {
		hinge, last := value(models.Hinge(), c), math.Inf(1)
		for _, tau := range []float64{10, 1, 0.1, 1e-2, 1e-4, 1e-8} {
			v := value(models.Loss{Temp: tau, Margin: 1}, c)
			if v < hinge-1e-12 || v > hinge+tau*math.Log(4)+1e-12 || v > last+1e-12 {
				t.Errorf("τ = %g: smoothed hinge %v, hinge %v, before %v: want hinge ≤ φ ≤ hinge + τ log k, falling", tau, v, hinge,
					last)
			}
			last = v
		}
	}
}

// TestSlackRescaling checks that slack rescaling multiplies each violation by its cost, and margin rescaling adds the
// cost.
func TestSlackRescaling(t *testing.T) {
	e := &examples.Build(t, multiclass.Model{}, examples.Rows(1, 2, 3, false), nil).Train[0]
	e.Truth, e.Cost = models.Vertex{1}, []float64{2, 0, 5}
	theta := []float64{0.5, 1, 0.9} // violations 2(1 − 0.5) = 1 and 5(1 − 0.1) = 4.5
	if got := (models.Loss{Slack: true}).Value(e, slices.Clone(theta)); math.Abs(got-4.5) > 1e-12 {
		t.Errorf("slack-rescaled loss is %v: want 4.5", got)
	}
	if got := models.Hinge().Value(e, slices.Clone(theta)); math.Abs(got-4.9) > 1e-12 {
		t.Errorf("margin-rescaled loss is %v: want 5 + 0.9 − 1 = 4.9", got)
	}
	far := []float64{-10, 10, -10}
	if got := (models.Loss{Slack: true}).Value(e, far); got != 0 {
		t.Errorf("slack-rescaled loss of a wide margin is %v: want 0", got)
	}
}

// TestZeroOneLoss checks that a label loss over whole labellings equals the same loss given as costs of classes.
func TestZeroOneLoss(t *testing.T) {
	for _, c := range lossCases(t) {
		for _, size := range []float64{1, 100} {
			zeroOne, costs := *c.example, *c.example
			zeroOne.ZeroOne, zeroOne.Cost = size, nil
			costs.Cost = slices.Repeat([]float64{size}, 4)
			costs.Cost[c.truth] = 0
			got, want := value(models.Hinge(), lossCase{&zeroOne, c.theta, c.truth}),
				value(models.Hinge(), lossCase{&costs, c.theta, c.truth})
			if math.Abs(got-want) > 1e-12*(1+want) {
				t.Errorf("hinge with the 0/1 loss %v is %v: with costs of classes it is %v", size, got, want)
			}
		}
		zeroOne := *c.example
		zeroOne.ZeroOne, zeroOne.Cost = 1, nil
		if got, want := value(models.LogLoss(), lossCase{&zeroOne, c.theta, c.truth}),
			value(models.LogLoss(), c); got != want {
			t.Errorf("log loss is %v with a 0/1 label loss, which it ignores, and %v without", got, want)
		}
	}
}

// TestLossMarginals checks that Marginals returns the value of Value, and that the slope of φ is μ − 1_truth.
func TestLossMarginals(t *testing.T) {
	const h = 1e-6
	for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), {Temp: 1, Margin: 1}, {Temp: 0.3, Margin: 1}} {
		for _, c := range lossCases(t) {
			mu := make([]float64, 4)
			got, _ := loss.Marginals(mu, c.example, slices.Clone(c.theta), nil)
			if want := value(loss, c); math.Abs(got-want) > 1e-12*(1+want) {
				t.Errorf("%+v: Marginals returns φ = %v: Value returns %v", loss, got, want)
			}
			mu[c.truth]--
			for r := range mu {
				up, down := c, c
				up.theta, down.theta = slices.Clone(c.theta), slices.Clone(c.theta)
				up.theta[r] += h
				down.theta[r] -= h
				if slope := (value(loss, up) - value(loss, down)) / (2 * h); math.Abs(mu[r]-slope) > 1e-6 {
					t.Errorf("%+v: ∂φ/∂θ_%d is %v: finite differences give %v", loss, r, mu[r], slope)
				}
			}
		}
	}
}

// TestMarginalsOfZeroOne checks that a 0/1 label loss has no marginals with a margin, and no influence without one.
func TestMarginalsOfZeroOne(t *testing.T) {
	c := lossCases(t)[0]
	e := *c.example
	e.ZeroOne, e.Cost = 1, nil
	call := func(l models.Loss) (v any) {
		defer func() { v = recover() }()
		l.Marginals(make([]float64, 4), &e, slices.Clone(c.theta), nil)
		return nil
	}
	if v := call(models.LogLoss()); v != nil {
		t.Errorf("Marginals of the log loss panics on a 0/1 label loss: %v", v)
	}
	for _, l := range []models.Loss{models.Hinge(), {Slack: true}, {Temp: 1, Margin: 1}} {
		if call(l) == nil {
			t.Errorf("%+v: Marginals of a 0/1 label loss does not panic", l)
		}
	}
}

func TestLossNamed(t *testing.T) {
	for name, want := range map[string]models.Loss{"log": models.LogLoss(), "hinge": models.Hinge(),
		"slack": models.Slack()} {
		if got, ok := models.LossNamed(name); !ok || got != want {
			t.Errorf("LossNamed(%q) is %+v, %v", name, got, ok)
		}
	}
	if _, ok := models.LossNamed("zero-one"); ok {
		t.Error("LossNamed accepts zero-one")
	}
	if models.Hinge().Smooth() || !models.LogLoss().Smooth() || (models.Loss{Temp: 1, Slack: true}).Smooth() {
		t.Error("Smooth: want the log loss only")
	}
}
