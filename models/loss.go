package models

import (
	"fmt"
	"math"
)

// Loss is a loss function φ of the part scores θ of an example. cost is its Example.Cost, and 1_y counts the parts of a
// labelling y. One formula covers all losses without slack rescaling:
//
//	φ(θ) = τ log Σ_y exp((θ + κ cost)·1_y / τ) − θ·truth
//
// with τ = Temp and κ = Margin. τ = 1, κ = 0 is the log loss of conditional random fields. τ = 1, κ = 1 is the
// softmax-margin loss. τ = 0 means the limit τ → 0; with κ = 1 it is the margin-rescaled hinge max_y (θ + cost)·1_y −
// θ·truth. κ = 1, τ > 0 is the smoothed hinge of excessive gap reduction, where τ is called μ.
//
// Slack selects the slack-rescaled hinge max_y cost(y)·(1 + θ·1_y − θ·truth), which ignores Temp and Margin. For an
// example with ZeroOne > 0, cost(y) is ZeroOne·[y ≠ truth].
type Loss struct {
	Temp, Margin float64
	Slack        bool
}

// LogLoss returns the log loss of conditional random fields, "log" in specs.
func LogLoss() Loss { return Loss{Temp: 1} }

// Hinge returns the margin-rescaled hinge, "hinge" in specs.
func Hinge() Loss { return Loss{Margin: 1} }

// Slack returns the slack-rescaled hinge, "slack" in specs.
func Slack() Loss { return Loss{Slack: true} }

// Check returns an error if the temperature is negative or not finite.
func (l Loss) Check() error {
	if !(l.Temp >= 0) || math.IsInf(l.Temp, 1) {
		return fmt.Errorf("models: the loss has temperature %v: want 0 or a positive finite number", l.Temp)
	}
	return nil
}

// Smooth reports whether the loss φ is differentiable.
func (l Loss) Smooth() bool { return l.Temp > 0 && !l.Slack }

// Augment overwrites theta with (θ + κ cost)/τ, where τ = Temp and κ = Margin. The marginals of the Gibbs distribution
// with these scores give the gradient of the loss φ (see Loss). For τ = 0 Augment writes θ + κ cost.
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

// Value returns the loss φ(θ) of one example. It overwrites theta.
func (l Loss) Value(e *Example, theta []float64) float64 {
	v, _ := l.value(e, theta, nil)
	return v
}

// value does what Value does. It uses y as scratch memory and returns the slice for reuse.
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

// zeroOne returns max_y θ·1_y + κ ZeroOne [y ≠ truth], where κ = Margin and 1_y counts the parts of y. The maximiser is
// the best labelling or the best wrong labelling.
func (l Loss) zeroOne(e *Example, theta []float64, y Vertex) (float64, Vertex) {
	y, v := e.Max.Max(y, theta)
	if y.Equal(e.Truth) {
		y, second := e.Second.Second(y, theta, e.Truth)
		return math.Max(v, second+l.Margin*e.ZeroOne), y
	}
	return v + l.Margin*e.ZeroOne, y
}

// Marginals returns the loss φ(θ) of one example (see Loss for φ, κ and τ). It writes to mu the marginals μ under the
// distribution that φ induces, P(y) ∝ exp((θ + κ cost)·1_y / τ), so that ∂φ/∂θ = μ − 1_truth. For the hinge, μ is the
// indicator of a maximiser, and μ − 1_truth is a subgradient. The maximiser is written to the scratch vertex y, which
// is returned for reuse. Marginals overwrites theta. It panics for slack-rescaled losses, and for 0/1 losses over
// labellings if κ ≠ 0, because then the exponent is not a sum over parts. A solver that calls Marginals declares this
// by solvers.Marginals in the result of its method Needs.
func (l Loss) Marginals(mu []float64, e *Example, theta []float64, y Vertex) (float64, Vertex) {
	if l.Slack || e.ZeroOne > 0 && l.Margin != 0 {
		panic("models: Marginals does not support a slack-rescaled loss, or a 0/1 loss with a margin")
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

// Violated finds the most violated constraint of an example: the labelling y with the largest violation at the scores
// theta = A_i w. Let Δ(y) be the label loss, and m(y) = θ·truth − θ·1_y the margin by which the truth scores more than
// y. The violation is κ Δ(y) − m(y) for margin rescaling (κ = 1 for the hinge), and Δ(y) (1 − m(y)) for slack
// rescaling. It is 0 for the truth. The largest violation is the loss φ(θ).
//
// Violated writes the labelling to dst, which is reused, and returns it with its label loss Δ and its margin m. If no
// labelling violates its constraint, it may return the truth, with Δ = 0 and m = 0. It adds the costs to theta and
// subtracts them again, so theta changes by rounding errors only.
//
// Cost: one call of Max or MaxSlack. For a 0/1 loss over labellings, one call of Max, and if Max returns the truth, one
// call of Second, since the second-best labelling may violate its constraint. Violated does not allocate if dst is long
// enough. It panics for a loss with a temperature, which has no maximiser, and if slack rescaling has no oracle.
func (l Loss) Violated(dst Vertex, e *Example, theta []float64) (y Vertex, loss, margin float64) {
	if l.Temp > 0 && !l.Slack {
		panic("models: Violated does not support a loss with a temperature")
	}
	truth := e.Truth.Dot(theta)
	switch {
	case e.ZeroOne > 0:
		return l.violatedZeroOne(dst, e, theta, truth)
	case l.Slack:
		if e.Slack == nil {
			panic(noSlackOracle)
		}
		y, _ = e.Slack.MaxSlack(dst, theta, e.Cost, e.Truth)
		if y.Equal(e.Truth) {
			return y, 0, 0
		}
		return y, e.LabelLoss(y), truth - y.Dot(theta)
	}
	l.Augment(theta, e.Cost)
	y, _ = e.Max.Max(dst, theta)
	for r, c := range e.Cost {
		theta[r] -= l.Margin * c
	}
	if y.Equal(e.Truth) {
		return y, 0, 0
	}
	return y, e.LabelLoss(y), truth - y.Dot(theta)
}

const noSlackOracle = "models: slack rescaling needs a slack oracle, or else a 0/1 loss over labellings and a " +
	"second-best oracle"

// violatedZeroOne does what Violated does for a 0/1 loss over labellings. It needs only the best wrong labelling,
// because all wrong labellings have the same label loss. truth is the score of the true labelling.
func (l Loss) violatedZeroOne(dst Vertex, e *Example, theta []float64, truth float64) (y Vertex, loss, margin float64) {
	y, v := e.Max.Max(dst, theta)
	if y.Equal(e.Truth) {
		if e.Second == nil {
			panic("models: a 0/1 loss over labellings needs a second-best oracle")
		}
		y, v = e.Second.Second(y, theta, e.Truth)
	}
	margin = truth - v
	if !(l.Violation(e.ZeroOne, margin) > 0) { // no violation; if there is no wrong labelling, v is −∞
		return append(y[:0], e.Truth...), 0, 0
	}
	return y, e.ZeroOne, margin
}

// Violation returns by how much a labelling with label loss Δ and margin m violates its constraint when the slack is 0:
// κ Δ − m with κ = Margin, or Δ (1 − m) with slack rescaling.
func (l Loss) Violation(loss, margin float64) float64 {
	if l.Slack {
		return loss * (1 - margin)
	}
	return l.Margin*loss - margin
}

// LossNamed returns the loss with a name from a spec, and whether the name is known.
func LossNamed(name string) (Loss, bool) {
	switch name {
	case "log":
		return LogLoss(), true
	case "hinge":
		return Hinge(), true
	case "slack":
		return Slack(), true
	}
	return Loss{}, false
}
