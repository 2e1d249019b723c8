package models

// MaxOracle finds a best labelling. Max writes argmax_y θ·1_y to dst, which is reused, and returns it with its value.
// 1_y counts the parts of the labelling y (see Vertex). Among labellings with the same value Max returns the
// lexicographically smallest one.
type MaxOracle interface {
	Max(dst Vertex, theta []float64) (Vertex, float64)
}

// Decoding predicts a labelling from part scores by another rule than the largest score. Decode writes the labelling to
// dst, which is reused, and returns it.
type Decoding interface {
	Decode(dst Vertex, theta []float64) Vertex
}

// Certifier is an optional interface of a MaxOracle that may miss the best labelling.
type Certifier interface {
	MaxOracle
	// MaxCertified does what Max does, and also reports whether the labelling is known to be the best, up to rounding.
	MaxCertified(dst Vertex, theta []float64) (y Vertex, value float64, certified bool)
}

// ExpOracle computes log-partition functions and marginals. LogSum returns log Σ_y exp(θ·1_y) and writes the marginals,
// the expectations of 1_y, to mu. 1_y counts the parts of the labelling y (see Vertex). If mu is nil, it computes the
// value only. mu and theta may be the same slice.
type ExpOracle interface {
	LogSum(mu, theta []float64) float64
}

// SlackOracle finds argmax_y cost(y)·(1 + θ·1_y − θ·truth), where cost(y) is the label loss and 1_y counts the parts of
// y. This is the labelling with the largest slack-rescaled violation. MaxSlack returns the labelling and this value.
type SlackOracle interface {
	MaxSlack(dst Vertex, theta, cost []float64, truth Vertex) (Vertex, float64)
}

// SecondOracle finds the best labelling that differs from the labelling not, and returns it with its value.
type SecondOracle interface {
	Second(dst Vertex, theta []float64, not Vertex) (Vertex, float64)
}

// Polytope describes the set of marginals of all distributions over labellings, if linear equalities and μ ≥ 0 define
// this set. The equalities state that probabilities sum to 1, and that cliques have the same marginals of the variables
// that they share.
type Polytope interface {
	Infeasibility(mu []float64) float64 // the largest violation of an equality; 0 up to rounding for marginals
}

// Energy is a function L of the marginals μ of one example that does not decompose over the parts. It is defined and
// finite for all μ ≥ 0. Several goroutines may use it at once as long as its parameters do not change. Its methods
// panic on slices of a wrong length. Package inference/energy has energies, and methods of inference with them.
type Energy interface {
	Value(mu []float64) float64
	AddGradient(g, mu []float64, c float64) // g ← g + c ∇L(μ) for the energy L; at kinks a subgradient
	Convex() bool                           // whether L is known to be convex
}
