// Package models defines the core types that every solver uses: feature maps, oracles, losses and objectives. The
// structured models themselves are in its subpackages.
//
// A model maps weights w to part scores θ_i = A_i w, one score per part of example i. A part is, for example, a class,
// a tag at a position, or an arc. Inference, loss augmentation, gradients and the dual variables of solvers all work in
// this space of part scores. A model provides the maps A_i and the oracles. It does not contain a loss, count calls, or
// read files.
//
//	task, err := multiclass.New().Build(train, validation)
//	risk, err := task.Risk(models.LogLoss(), lambda)
//	primal := risk.Primal(w)
package models
