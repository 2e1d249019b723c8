package models

// Energy is a function L of the marginals μ of one example, in its part space: what the parts of a model cannot say. It
// is defined and finite wherever μ ≥ 0 and may be used by several goroutines at once, while its parameters do not
// change. It panics on slices of a wrong length. Package energy has energies, and inference with them.
type Energy interface {
	Value(mu []float64) float64
	AddGradient(g, mu []float64, c float64) // g ← g + c ∇L(μ); a subgradient at kinks
	Convex() bool                           // whether L is known to be convex
}
