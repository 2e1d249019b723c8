package models

import (
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// Same uses the model of an earlier run on other data with the same features. It starts with the weights of the earlier
// run. A solver can train these weights further. With the solver "given", the weights are only evaluated on other
// validation data.
type Same struct{}

var _ Extender = Same{}

// Build implements Builder.
func (Same) Build(_, _ datasets.Data) (*Task, error) {
	return nil, errors.New(`model same uses the model of another problem: set the key "from" to the name of that problem`)
}

// Extend implements Extender.
func (Same) Extend(base *Task, w []float64, train, validation datasets.Data) (*Task, error) {
	weights, ok := base.Unknowns.(Weights)
	switch {
	case base.Examples == nil || !ok:
		return nil, fmt.Errorf("model same: model %s cannot build examples from other data than its training data: choose "+
			"an earlier problem with model chain or nonlocal", base.Model)
	case len(w) != weights.Dim:
		return nil, fmt.Errorf("model same: the earlier problem has %d weights: want %d", len(w), weights.Dim)
	}
	t := *base
	weights.Start = w
	t.Unknowns, t.Warnings, t.Validation = weights, nil, nil
	var err error
	if t.Train, err = base.Examples(train); err == nil && validation != nil {
		t.Validation, err = base.Examples(validation)
	}
	return &t, err
}
