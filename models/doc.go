// Package models holds the core types that every solver sees: feature maps, oracles, losses and objectives. The
// structured models themselves are in its subpackages.
//
// A model maps weights w to part scores θ_i = A_i w, one score per part of example i (a part: a class, a tag at a
// position, an arc). Inference, loss augmentation, gradients and the solvers' dual variables all live in that score
// space. A model offers the map A_i and its oracles; it never owns the loss, counts a call, or reads a file.
//
//	task, err := multiclass.New().Build(train, validation)
//	risk, err := task.Risk(models.LogLoss(), lambda)
//	primal := risk.Primal(w)
package models
