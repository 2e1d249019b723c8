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
			{"slack", models.Slack(), hinge}, // with 0/1 costs both rescalings agree
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

// TestZeroOneLoss checks that a 0/1 label loss equals the same loss given as costs of classes, and that the log loss
// ignores it.
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
	call := func(l models.Loss) { l.Marginals(make([]float64, 4), &e, slices.Clone(c.theta), nil) }
	call(models.LogLoss()) // does not panic
	for _, l := range []models.Loss{models.Hinge(), models.Slack(), {Temp: 1, Margin: 1}} {
		examples.Panics(t, fmt.Sprintf("%+v", l), "models: ", "Marginals of a slack-rescaled or 0/1 loss", func() { call(l) })
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
