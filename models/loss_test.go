package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// lossCase is one example of four classes with random scores.
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

// smooth computes the loss of a case by the formula of Loss, with τ = tau and κ = kappa: τ log Σ_c exp((θ_c + κ[c ≠
// y])/τ) − θ_y.
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

// TestLossFormulas checks the value of each loss against its formula.
func TestLossFormulas(t *testing.T) {
	for _, c := range lossCases(t) {
		hinge := 0.0
		for r, s := range c.theta {
			if r != c.truth {
				hinge = math.Max(hinge, 1+s-c.theta[c.truth])
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
			{"slack", models.Slack(), hinge}, // with 0/1 costs, margin and slack rescaling are equal
		} {
			if got := value(want.loss, c); math.Abs(got-want.value) > 1e-12*(1+want.value) {
				t.Errorf("%s: loss = %v, want %v", want.name, got, want.value)
			}
		}
	}
}

// TestSmoothedHingeLimit checks that the smoothed hinge decreases to the hinge as τ decreases, and is at most τ log k
// above the hinge.
func TestSmoothedHingeLimit(t *testing.T) {
	for _, c := range lossCases(t) {
		hinge, last := value(models.Hinge(), c), math.Inf(1)
		for _, tau := range []float64{10, 1, 0.1, 1e-2, 1e-4, 1e-8} {
			v := value(models.Loss{Temp: tau, Margin: 1}, c)
			if v < hinge-1e-12 || v > hinge+tau*math.Log(4)+1e-12 || v > last+1e-12 {
				t.Errorf("τ = %g: smoothed hinge φ = %v, hinge = %v, φ before = %v: want hinge ≤ φ ≤ hinge + τ log k, decreasing",
					tau, v, hinge,
					last)
			}
			last = v
		}
	}
}

// TestZeroOneLoss checks that the hinge with a 0/1 label loss equals the hinge in which each wrong class has the same
// cost, and that the log loss ignores the label loss.
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
				t.Errorf("hinge with the 0/1 loss %v = %v, want %v as with costs of classes", size, got, want)
			}
		}
		zeroOne := *c.example
		zeroOne.ZeroOne, zeroOne.Cost = 1, nil
		if got, want := value(models.LogLoss(), lossCase{&zeroOne, c.theta, c.truth}),
			value(models.LogLoss(), c); got != want {
			t.Errorf("log loss with a 0/1 label loss = %v, want %v as without a label loss", got, want)
		}
	}
}

// TestLossMarginals checks that Marginals returns the same loss as Value, and that the marginals minus the indicator of
// the true class are the gradient of the loss.
func TestLossMarginals(t *testing.T) {
	const h = 1e-6
	for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), {Temp: 1, Margin: 1}, {Temp: 0.3, Margin: 1}} {
		for _, c := range lossCases(t) {
			mu := make([]float64, 4)
			got, _ := loss.Marginals(mu, c.example, slices.Clone(c.theta), nil)
			if want := value(loss, c); math.Abs(got-want) > 1e-12*(1+want) {
				t.Errorf("%+v: loss from Marginals = %v, want %v as from Value", loss, got, want)
			}
			mu[c.truth]--
			for r := range mu {
				up, down := c, c
				up.theta, down.theta = slices.Clone(c.theta), slices.Clone(c.theta)
				up.theta[r] += h
				down.theta[r] -= h
				if slope := (value(loss, up) - value(loss, down)) / (2 * h); math.Abs(mu[r]-slope) > 1e-6 {
					t.Errorf("%+v: ∂φ/∂θ_%d = %v, want %v by finite differences", loss, r, mu[r], slope)
				}
			}
		}
	}
}

// TestMarginalsOfZeroOne checks that Marginals panics for a 0/1 label loss with a margin, but not without a margin.
func TestMarginalsOfZeroOne(t *testing.T) {
	c := lossCases(t)[0]
	e := *c.example
	e.ZeroOne, e.Cost = 1, nil
	call := func(l models.Loss) { l.Marginals(make([]float64, 4), &e, slices.Clone(c.theta), nil) }
	call(models.LogLoss()) // does not panic
	for _, l := range []models.Loss{models.Hinge(), models.Slack(), {Temp: 1, Margin: 1}} {
		examples.Panics(t, fmt.Sprintf("%+v", l), "models: ", "Marginals does not support a slack-rescaled loss",
			func() { call(l) })
	}
}

// TestLossNamed checks the losses by name, and which of them are smooth.
func TestLossNamed(t *testing.T) {
	for name, want := range map[string]models.Loss{"log": models.LogLoss(), "hinge": models.Hinge(),
		"slack": models.Slack()} {
		if got, ok := models.LossNamed(name); !ok || got != want {
			t.Errorf("LossNamed(%q) = %+v, %v, want %+v, true", name, got, ok, want)
		}
	}
	if _, ok := models.LossNamed("zero-one"); ok {
		t.Error("LossNamed(zero-one): want ok = false")
	}
	if models.Hinge().Smooth() || !models.LogLoss().Smooth() || (models.Loss{Temp: 1, Slack: true}).Smooth() {
		t.Error("Smooth: want true for the log loss, false for the hinge and slack rescaling")
	}
}
