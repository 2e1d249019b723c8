package nonlocal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/internal/settings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// SoftConstraints is a chain with soft constraints: a labelling that violates a constraint has a penalty, and the
// penalties are learned (Anzaroot, Passos, Belanger and McCallum 2014, "Learning soft linear constraints with
// application to citation field extraction"). The constraints are the measurements of Templates. With the scores θ of a
// chain whose weights are known, the prediction maximises
//
//	max_y θ·1_y − Σ_j c_j v_j(y),   v_j(y) = max(0, 1 − (a_j·U(y) − b_j))
//
// Dual decomposition searches for the maximiser (see softDecomposition). U(y) are the totals of y. The measurement
// a_j·U(y) − b_j is at least 1 if y satisfies the constraint (see Measurement). v_j is the hinge of energy.Linear, but
// for labellings instead of marginals.
//
// After the parts of the chain there is one part for each constraint. A labelling y has this part v_j(y) times. The
// score of the part is the weight w_j = −c_j. So w = 0 gives the predictions of the chain, and a structured hinge on
// these parts learns the penalties. A positive weight would reward violations, so it counts as 0; its gradient can make
// it negative again. The risk is convex for w ≤ 0 only, and the labelling found is not always the best. So the weights
// of a task are marked as Inexact (see models.Weights), for solvers that only follow a direction, such as sgd. Learn
// the penalties from other data than the base's weights, since the base fits its own training data too well.
//
// The metric validation_certified is the share of validation sequences whose labelling is proved to be the best by the
// bound of dual decomposition.
type SoftConstraints struct {
	// templates of constraints: names separated by spaces, such as at-most-one excludes; empty: all templates
	Templates string `yaml:"templates"`
	// a constraint is used if at least this share of the base's training labellings to which it applies satisfy it
	Support float64 `yaml:"support" jsonschema:"minimum=0,maximum=1"`
	// a constraint is used if it applies to at least this number of the base's training labellings
	Occurs int `yaml:"occurs" jsonschema:"minimum=1"`
	// label loss in training; labels: number of wrong labels, for the margin-rescaled hinge; none: 0, for the loss of the
	// perceptron
	Cost string `yaml:"cost" jsonschema:"enum=labels,enum=none"`
	// largest number of calls of the chain's max-oracle for one labelling
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
}

// Values of SoftConstraints.Cost.
const (
	costLabels = "labels"
	costNone   = "none"
)

// NewSoftConstraints returns the model with its default settings.
func NewSoftConstraints() *SoftConstraints {
	return &SoftConstraints{Support: defaultSupport, Occurs: defaultOccurrence, Cost: costLabels, MaxCalls: 30}
}

var _ models.Extender = SoftConstraints{}

// Build implements models.Builder.
func (SoftConstraints) Build(_, _ datasets.Data) (*models.Task, error) {
	return nil, errors.New(`model soft-constraints extends another model: set the key "from" to the name of a problem ` +
		"with the model chain")
}

// Extend implements models.Extender.
func (m SoftConstraints) Extend(base *models.Task, w []float64, train, validation datasets.Data) (*models.Task,
	error) {
	t, err := m.extend(base, w, train, validation)
	if err != nil {
		return nil, fmt.Errorf("model soft-constraints: %w", err)
	}
	return t, nil
}

func (m SoftConstraints) extend(base *models.Task, w []float64, train, validation datasets.Data) (*models.Task, error) {
	if err := settings.Check(m); err != nil {
		return nil, err
	}
	if err := sequences(base); err != nil {
		return nil, err
	}
	if len(w) != base.Dim() {
		return nil, fmt.Errorf("the base has %d weights: want %d", len(w), base.Dim())
	}
	names, err := labelNames(base, train)
	if err != nil {
		return nil, err
	}
	templates := Templates{Names: strings.Fields(m.Templates), Support: m.Support, Occurs: m.Occurs}
	list, err := templates.Measurements(names, labellings(base))
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, fmt.Errorf("no constraint applies to at least %[2]d training labellings and is satisfied by a share of "+
			"at least %[1]v of "+
			`them: reduce "support" or "occurs", or add templates`, m.Support, m.Occurs)
	}
	d := newSoftDecomposition(len(names), list, m.MaxCalls)
	t := &models.Task{
		Model: "soft-constraints", Unknowns: models.Weights{Dim: len(list), Inexact: true},
		Metrics: append(slices.Clip(base.Metrics), models.Metric{Name: "validation_certified", Certified: true}),
		Classes: base.Classes, Facts: map[string]float64{"constraints": float64(len(list))},
	}
	below, err := base.Examples(train)
	if err != nil {
		return nil, err
	}
	t.Train = d.learning(below, w, m.Cost == costLabels)
	if validation == nil {
		return t, nil
	}
	if below, err = base.Examples(validation); err != nil {
		return nil, err
	}
	t.Validation = d.examples(below, w)
	return t, nil
}
