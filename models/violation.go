package models

// A cutting plane is a labelling whose constraint the weights violate. With the label loss Δ(y) of an example and the
// margin m(y) = θ·truth − θ·1_y by which the truth beats y, the violation is
//
//	κ Δ(y) − m(y)     margin rescaling (the hinge: κ = 1),
//	Δ(y) (1 − m(y))   slack rescaling,
//
// 0 for the truth itself, and the largest violation is the loss φ(θ).

// Violated finds the labelling whose constraint is most violated at the scores theta = A_i w, into dst (reused), and
// returns it with its label loss Δ and its margin m. If no labelling violates its constraint, that may be the truth,
// with Δ = 0 and m = 0. Violated adds the costs to theta and subtracts them again, so theta is restored up to rounding.
//
// Cost: one call of Max or MaxSlack. For a 0/1 loss over labellings: one of Max, and where that finds the truth one of
// Second, since the runner-up wins if it is within the label loss. Violated allocates nothing if dst is long enough. It
// panics for a loss with a temperature, which has no maximiser, and if the oracles of slack rescaling are missing.
func (l Loss) Violated(dst Vertex, e *Example, theta []float64) (y Vertex, loss, margin float64) {
	if l.Temp > 0 && !l.Slack {
		panic("models: Violated of a loss with a temperature")
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

const noSlackOracle = "models: slack rescaling needs a slack oracle, or a 0/1 loss over labellings and a " +
	"second-best oracle"

// violatedZeroOne compares the truth with the best labelling that is wrong: they all have the same label loss.
func (l Loss) violatedZeroOne(dst Vertex, e *Example, theta []float64, truth float64) (y Vertex, loss, margin float64) {
	y, v := e.Max.Max(dst, theta)
	if y.Equal(e.Truth) {
		if e.Second == nil {
			panic("models: a 0/1 loss over labellings needs a second-best oracle")
		}
		y, v = e.Second.Second(y, theta, e.Truth)
	}
	margin = truth - v
	if !(l.Violation(e.ZeroOne, margin) > 0) { // or there is no other labelling, and v is −∞
		return append(y[:0], e.Truth...), 0, 0
	}
	return y, e.ZeroOne, margin
}

// Violation is the amount by which a labelling of label loss Δ and margin m violates its constraint with a slack of 0:
// κ Δ − m, or Δ (1 − m) with slack rescaling.
func (l Loss) Violation(loss, margin float64) float64 {
	if l.Slack {
		return loss * (1 - margin)
	}
	return l.Margin*loss - margin
}

// LabelLoss is Δ(y), how wrong the labelling y is: Cost·1_y, or ZeroOne·[y ≠ truth].
func (e *Example) LabelLoss(y Vertex) float64 {
	if e.ZeroOne > 0 {
		if y.Equal(e.Truth) {
			return 0
		}
		return e.ZeroOne
	}
	var loss float64
	for _, r := range y { // non-decreasing
		if r >= len(e.Cost) {
			break
		}
		loss += e.Cost[r]
	}
	return loss
}
