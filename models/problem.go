// Package models holds the structured models of gaplab and the few types that every solver sees.
//
// A model maps weights w to part scores θ_i = A_i w, one score per part of example i (a part: a class, a tag at a
// position, an arc). Inference, loss augmentation, gradients and the solvers' dual variables all live in that score
// space. A model offers the map A_i and its oracles; it never owns the loss, counts a call, or reads a file.
//
//	task, err := multiclass.New().Build(train, validation)
//	risk := task.Objective(models.LogLoss(), lambda).(*models.Risk)
//	primal := risk.Primal(w)
package models

// FeatureMap is the linear map A_i from weights (length Dim) to part scores (length Parts).
// Implementations are safe for concurrent use; they panic on slices of a wrong length.
type FeatureMap interface {
	Parts() int
	Score(theta, w []float64)                        // θ ← A w
	AddAdjoint(w []float64, c float64, mu []float64) // w ← w + c Aᵀμ
}

// Gram is an optional interface of a FeatureMap: the squared norm of Aᵀv in score space, vᵀ(A Aᵀ)v, where that is
// cheaper than forming Aᵀv. EG needs it for the exact change of its dual.
type Gram interface {
	NormSq(v []float64) float64 // |Aᵀv|²
}

// Isotropic is an optional interface of a FeatureMap: |Aᵀv|² = q|v|² for all v in score space whose entries sum to 0,
// such as the differences of two distributions over classes.
type Isotropic interface {
	ScaleSq() float64 // q
}

// SparseMap is an optional interface of a FeatureMap: differences that touch few features.
type SparseMap interface {
	FeatureMap
	Adjoint(dst *Sparse, mu []float64)    // dst ← Aᵀμ, indices increasing, no zero stored
	Dot(w []float64, y Vertex) float64    // (A w)·1_y without all of A w
	Add(w []float64, c float64, y Vertex) // w ← w + c Aᵀ1_y
}

// Chain is an optional interface of a FeatureMap: a sequence with a label at each position. Part t·labels + y is label
// y at position t; all other parts are transitions. Weight f·labels + y is that of feature f with label y, and after
// those of F features comes y'·labels + y, that of the transition from y' to y: F·labels + labels² in all.
type Chain interface {
	SparseMap
	Chain() (positions, labels int)
}

// Sparse is a sparse vector: Index strictly increasing, Value of the same length.
type Sparse struct {
	Index []int32
	Value []float64
}

// Vertex is a labelling as its active parts, non-decreasing. A repetition is a count (tied parts), so marginals are
// expected counts and may exceed 1.
type Vertex []int

// MaxOracle finds a best labelling: argmax_y θ·1_y into dst (reused), and its value. Ties go to the smallest.
type MaxOracle interface {
	Max(dst Vertex, theta []float64) (Vertex, float64)
}

// ExpOracle returns log Σ_y exp(θ·1_y) and writes the marginals E[1_y] into mu; a nil mu asks for the value only.
// mu may be theta itself.
type ExpOracle interface {
	LogSum(mu, theta []float64) float64
}

// SlackOracle finds argmax_y cost(y)·(1 + θ·1_y − θ·truth), the slack-rescaled margin violation, and its value.
type SlackOracle interface {
	MaxSlack(dst Vertex, theta, cost []float64, truth Vertex) (Vertex, float64)
}

// SecondOracle finds the best labelling other than the excluded one, and its value.
type SecondOracle interface {
	Second(dst Vertex, theta []float64, not Vertex) (Vertex, float64)
}

// Bounded is an optional interface of a FeatureMap: an upper bound of max_y |Aᵀ(1_truth − 1_y)|², better than the one
// that the triangle inequality gives.
type Bounded interface {
	RadiusSq(truth Vertex) float64
}

// Majorant is an optional interface of a FeatureMap: it writes part scores θ and returns a constant such that
// |Aᵀ(1_truth − 1_y)|² ≤ constant + θ·1_y for every labelling y, of which one call of the max-oracle finds the largest.
type Majorant interface {
	Majorise(theta []float64, truth Vertex) float64
}

// Polytope describes the set of marginals of the distributions over labellings by equalities, where these and μ ≥ 0
// suffice: sums to one, and cliques that agree on what they share.
type Polytope interface {
	Infeasibility(mu []float64) float64 // the largest error of an equality, 0 for marginals up to rounding
}

// Example is one training or validation example. Oracles are fields, not assertions, so that decorators do not hide
// them. An oracle that a model does not have is nil.
type Example struct {
	Features FeatureMap
	Max      MaxOracle
	Exp      ExpOracle
	Slack    SlackOracle
	Second   SecondOracle
	Polytope Polytope // nil where its equalities are not known, or where labellings share parts (tied ones)
	// Energy is nil, or in a task of inference what is added to the model: solvers of inference look for the marginals
	// that minimise −H(μ) − θ·μ + L(μ). Solvers that find weights do not see it: their oracles must account for it.
	Energy Energy
	Truth  Vertex
	// per part: the label loss of y is Cost·1_y; parts beyond its length cost 0. It may be shared between examples
	Cost    []float64
	ZeroOne float64 // if > 0 the label loss is ZeroOne·[y ≠ truth] instead, and Cost is nil
}

// Metric is a score of predictions on held-out examples: Σ num / Σ den over the examples.
type Metric struct {
	Name string // column of the trace, such as "validation_error"
	Of   func(prediction Vertex, e *Example) (num, den float64)
	// Certified says that the score is the share of the examples whose predictions are known to be best, in place of Of.
	// Their Max must be a Certifier.
	Certified bool
}

// Certifier is an optional interface of a MaxOracle that may miss the best labelling.
type Certifier interface {
	MaxOracle
	// MaxCertified is Max, and says whether the labelling is known to be the best, up to rounding.
	MaxCertified(dst Vertex, theta []float64) (y Vertex, value float64, certified bool)
}
