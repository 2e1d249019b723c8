package models

import "github.com/gaplab/gaplab/datasets"

// Energy is a function L of the marginals μ of one example, in its part space: what the parts of a model cannot say.
// It is defined and finite wherever μ ≥ 0 and may be used by several goroutines at once, as long as nobody changes
// its parameters. It panics on slices of a wrong length. Package energy has energies, and inference with them.
type Energy interface {
	Value(mu []float64) float64
	AddGradient(g, mu []float64, c float64) // g ← g + c ∇L(μ); a subgradient at kinks
	Convex() bool                           // whether L is known to be convex
}

// Upon is a second interface of a Builder: a model on top of another one, of which weights are known from an earlier
// run. base is the task of that run, w its weights; train and validation are the data of the new task, which may be
// other data than those that base was trained on, with the same features.
type Upon interface {
	Builder
	BuildUpon(base *Task, w []float64, train, validation datasets.Data) (*Task, error)
}
