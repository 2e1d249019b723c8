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

// SoftConstraints is a chain whose labellings pay a penalty where they violate constraints, and the learning of the
// penalties (Anzaroot, Passos, Belanger and McCallum 2014, "Learning soft linear constraints with application to
// citation field extraction"). The constraints are the measurements of Templates. With the scores θ of a chain whose
// weights are known,
//
//	max_y θ·1_y − Σ_j c_j v_j(y),   v_j(y) = max(0, 1 − (a_j·U(y) − b_j))
//
// is found by dual decomposition (softDecomposition). So v_j is the hinge of energy.Linear, but on labellings instead
// of marginals. After the parts of the chain there is one part for each constraint, which is in a labelling v_j(y)
// times. Its score is the weight w_j = −c_j, so that w = 0 is the chain, and a structured hinge on these parts learns
// the penalties. A positive weight would be a reward for violations; it counts as 0, and comes back by its gradient. As
// the risk is convex for w ≤ 0 only, and the labelling found not always the best, tasks are surrogates, for solvers
// that follow a direction, such as sgd. The penalties should be learned from other data than the base's weights, which
// fit their own too well. The metric validation_certified is the share of validation sequences whose labelling the
// bound of dual decomposition proves to be the best.
type SoftConstraints struct {
	// kinds of constraints: names between spaces, such as at-most-one excludes; all if empty
	Templates string `yaml:"templates"`
	// of the base's training labellings that a constraint says something about, the share in which it must hold
	Support float64 `yaml:"support" jsonschema:"minimum=0,maximum=1"`
	// number of these that it must say something about
	Occurs int `yaml:"occurs" jsonschema:"minimum=1"`
	// label loss in training: labels: 1 for each wrong one, the margin-rescaled hinge; none: 0, which makes it
	// the loss of the perceptron
	Cost string `yaml:"cost" jsonschema:"enum=labels,enum=none"`
	// cap on calls of the chain's max-oracle for one labelling
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
	return nil, errors.New("model soft-constraints stands on another model: write from: and the name of a problem with " +
		"the model chain")
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
		return nil, fmt.Errorf("%d weights of the base: want %d", len(w), base.Dim())
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
		return nil, fmt.Errorf("no constraint holds in a share of %v of %d or more training labellings: want a smaller "+
			"support or occurs, or more templates", m.Support, m.Occurs)
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
