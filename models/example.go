package models

// Example is one training or validation example. Each oracle has its own field, so a wrapper of one oracle, for
// instance one that counts the calls, does not hide the other oracles. An oracle that the model does not have is nil.
type Example struct {
	Features FeatureMap
	Max      MaxOracle
	Exp      ExpOracle
	Slack    SlackOracle
	Second   SecondOracle
	Decoding Decoding // the rule of prediction; nil: the labelling that Max returns
	Polytope Polytope // equalities that marginals satisfy; nil if they are not known, or if parts are tied (see Vertex)
	// Energy is the energy L of an inference task, or nil. Such a task finds the marginals μ that minimise −H(μ) − θ·μ +
	// L(μ) (see Inference). Solvers that train weights ignore the field. A model with an energy and weights needs oracles
	// that include the energy.
	Energy Energy
	Truth  Vertex // the true labelling
	// Cost defines the label loss Cost·1_y of a labelling y. Parts beyond the length of Cost cost 0. Examples may share
	// the slice.
	Cost []float64
	// ZeroOne > 0 defines the label loss ZeroOne·[y ≠ truth] instead. Then Cost is nil.
	ZeroOne float64
}

// Predict writes the prediction at the part scores theta to dst, which is reused. It returns the prediction with its
// score.
func (e *Example) Predict(dst Vertex, theta []float64) (Vertex, float64) {
	if e.Decoding == nil {
		return e.Max.Max(dst, theta)
	}
	y := e.Decoding.Decode(dst, theta)
	return y, y.Dot(theta)
}

// LabelLoss returns the label loss Δ(y) of a labelling y: Cost·1_y, or ZeroOne·[y ≠ truth].
func (e *Example) LabelLoss(y Vertex) float64 {
	if e.ZeroOne > 0 {
		if y.Equal(e.Truth) {
			return 0
		}
		return e.ZeroOne
	}
	var loss float64
	for _, r := range y { // the parts of y are in non-decreasing order
		if r >= len(e.Cost) {
			break
		}
		loss += e.Cost[r]
	}
	return loss
}
