package models

// Example is one training or validation example. Oracles are fields, not type assertions, so that decorators do not
// hide them. An oracle that the model does not have is nil.
type Example struct {
	Features FeatureMap
	Max      MaxOracle
	Exp      ExpOracle
	Slack    SlackOracle
	Second   SecondOracle
	Polytope Polytope // nil where its equalities are not known, or where labellings share parts (tied ones)
	// Energy is nil, or for inference what is added to the model: inference methods look for the marginals that minimise
	// −H(μ) − θ·μ + L(μ). Solvers that find weights do not use it: there the oracles must account for it.
	Energy Energy
	Truth  Vertex
	// The label loss of y is Cost·1_y. Parts beyond the length of Cost cost 0. Examples may share it.
	Cost    []float64
	ZeroOne float64 // if > 0 the label loss is ZeroOne·[y ≠ truth] instead, and Cost is nil
}

// LabelLoss returns Δ(y), how wrong the labelling y is: Cost·1_y, or ZeroOne·[y ≠ truth].
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
