package models

import (
	"fmt"
	"math"
)

// Loss is every loss of the five papers in one formula:
//
//	φ(θ) = τ log Σ_y exp((θ + κ cost)·1_y / τ) − θ·truth
//
// τ = Temp, κ = Margin. τ = 1, κ = 0 is the log loss of conditional random fields; τ = 1, κ = 1 softmax-margin;
// τ = 0 stands for the limit τ → 0, where κ = 1 gives the margin-rescaled hinge max_y (θ + cost)·1_y − θ·truth;
// κ = 1, τ = μ is the smoothed hinge of excessive gap reduction. Slack is the slack-rescaled hinge
// max_y cost(y)·(1 + θ·1_y − θ·truth), for which Temp and Margin are not used. Where the label loss of an example is
// ZeroOne, cost(y) is ZeroOne·[y ≠ truth].
type Loss struct {
	Temp, Margin float64
	Slack        bool
}

// LogLoss is the log loss of conditional random fields, "log" in specs.
func LogLoss() Loss { return Loss{Temp: 1} }

// Hinge is the margin-rescaled hinge, "hinge" in specs.
func Hinge() Loss { return Loss{Margin: 1} }

// Slack is the slack-rescaled hinge, "slack" in specs.
func Slack() Loss { return Loss{Slack: true} }

// Check refuses a temperature that is negative or not finite.
func (l Loss) Check() error {
	if !(l.Temp >= 0) || math.IsInf(l.Temp, 1) {
		return fmt.Errorf("models: the loss has temperature %v: want 0 or a positive finite number", l.Temp)
	}
	return nil
}

// Smooth says whether φ is differentiable.
func (l Loss) Smooth() bool { return l.Temp > 0 && !l.Slack }

// Augment overwrites theta with (θ + κ cost)/τ, the scores whose Gibbs distribution is the gradient of φ; for τ = 0
// with θ + κ cost.
func (l Loss) Augment(theta, cost []float64) {
	if l.Margin != 0 && cost != nil {
		if len(cost) > len(theta) {
			panic("models: len(cost) > len(theta)")
		}
		for r, c := range cost {
			theta[r] += l.Margin * c
		}
	}
	if l.Temp > 0 && l.Temp != 1 {
		for r := range theta {
			theta[r] /= l.Temp
		}
	}
}

// Value returns φ(θ) for one example. It overwrites theta.
func (l Loss) Value(e *Example, theta []float64) float64 {
	v, _ := l.value(e, theta, nil)
	return v
}

// value is Value with a scratch vertex y, which is returned for reuse.
func (l Loss) value(e *Example, theta []float64, y Vertex) (float64, Vertex) {
	truth := e.Truth.Dot(theta)
	switch {
	case l.Slack && e.ZeroOne > 0:
		y, loss, margin := l.violatedZeroOne(y, e, theta, truth)
		return math.Max(0, l.Violation(loss, margin)), y
	case l.Slack:
		if e.Slack == nil {
			panic(noSlackOracle)
		}
		y, v := e.Slack.MaxSlack(y, theta, e.Cost, e.Truth)
		return math.Max(0, v), y
	case e.ZeroOne > 0 && l.Temp == 0:
		v, y := l.zeroOne(e, theta, y)
		return v - truth, y
	case l.Temp > 0:
		l.Augment(theta, e.Cost)
		return l.Temp*e.Exp.LogSum(nil, theta) - truth, y
	}
	l.Augment(theta, e.Cost)
	y, v := e.Max.Max(y, theta)
	return v - truth, y
}

// zeroOne is max_y θ·1_y + κ ZeroOne [y ≠ truth]: the best labelling, or the best wrong one.
func (l Loss) zeroOne(e *Example, theta []float64, y Vertex) (float64, Vertex) {
	y, v := e.Max.Max(y, theta)
	if y.Equal(e.Truth) {
		y, second := e.Second.Second(y, theta, e.Truth)
		return math.Max(v, second+l.Margin*e.ZeroOne), y
	}
	return v + l.Margin*e.ZeroOne, y
}

// Marginals returns φ(θ) of one example and writes into mu the expected parts μ under the distribution that φ induces,
// so that ∂φ/∂θ = μ − 1_truth. For the hinge, μ is the indicator of a maximiser (a subgradient), found into the scratch
// vertex y, which is returned for reuse. It overwrites theta. It panics for Slack and ZeroOne losses, which have no
// such form here: solvers that call it say so in their Needs.
func (l Loss) Marginals(mu []float64, e *Example, theta []float64, y Vertex) (float64, Vertex) {
	if l.Slack || e.ZeroOne > 0 && l.Margin != 0 {
		panic("models: Marginals of a slack-rescaled or 0/1 loss")
	}
	truth := e.Truth.Dot(theta)
	l.Augment(theta, e.Cost)
	if l.Temp > 0 {
		return l.Temp*e.Exp.LogSum(mu, theta) - truth, y
	}
	y, v := e.Max.Max(y, theta)
	clear(mu)
	for _, r := range y {
		mu[r]++
	}
	return v - truth, y
}

// Dot is v·1_y.
func (y Vertex) Dot(v []float64) float64 {
	var s float64
	for _, r := range y {
		s += v[r]
	}
	return s
}

// Equal says whether two labellings have the same parts.
func (y Vertex) Equal(z Vertex) bool {
	if len(y) != len(z) {
		return false
	}
	for i, r := range y {
		if z[i] != r {
			return false
		}
	}
	return true
}
