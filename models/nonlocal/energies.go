package nonlocal

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// Energies adds an energy L_ψ to each example of a base model. The weights of a task are the vector v. If Trained is
// true, they are the weights w of the base, and then v. The energy of example i has the parameters ψ_i = B_i v, where
// Strengths gives the linear map B_i. In the score vector θ_i, these parameters follow the part scores A_i w of the
// base:
//
//	θ_i = (A_i w, B_i v)
//
// The loss is the log loss of the distribution at which inference ends; see example.LogSum.
type Energies struct {
	Trained bool      // true: also train the weights of the base; false: the scores of the base are fixed
	Start   []float64 // initial value of v
	// Strengths returns the linear map B_i from v to ψ_i for each example of the data. All B_i have the same number of
	// parts. nil means ψ = v for all examples.
	Strengths func(datasets.Data) ([]models.FeatureMap, error)
	// Of gets the slice in which ψ is stored, and returns a function from an example of the base to its energy at the
	// current ψ. This function is called after every change of psi, in one goroutine at a time. If several examples can
	// share one energy, for instance examples of equal length, it should return the same energy for them.
	Of func(psi []float64) func(*models.Example) energy.Parametric
	By energy.Inference

	measurements []Measurement
}

// Extend returns the task whose examples are the base's examples of these data, each with an energy. The validation
// data may be nil. w has the weights of the base.
func (m Energies) Extend(base *models.Task, w []float64, train, validation datasets.Data) (*models.Task, error) {
	if err := m.check(base, w); err != nil {
		return nil, fmt.Errorf("model nonlocal: %w", err)
	}
	l := &layer{Energies: m, base: base, w: w, parts: len(m.Start)}
	if m.Strengths != nil {
		l.parts = -1
	}
	weights := models.Weights{Dim: len(m.Start), Start: m.Start, Inexact: true}
	if m.Trained {
		weights.Dim += base.Dim()
		weights.Start = append(append(make([]float64, 0, weights.Dim), w...), m.Start...)
	}
	t := &models.Task{
		Model: "nonlocal", Unknowns: weights,
		Metrics: base.Metrics, Classes: base.Classes, Examples: l.examples,
		Facts: map[string]float64{"energy_parameters": float64(len(m.Start))},
	}
	var err error
	if t.Train, err = l.examples(train); err == nil && validation != nil {
		t.Validation, err = l.examples(validation)
	}
	return t, err
}

func (m Energies) check(base *models.Task, w []float64) error {
	weights, _ := base.Unknowns.(models.Weights)
	switch {
	case base.Examples == nil:
		return fmt.Errorf("model %s cannot build examples from other data than its training data: want a base that can, "+
			"such as chain", base.Model)
	case len(w) != weights.Dim:
		return fmt.Errorf("the base has %d weights: want %d", len(w), weights.Dim)
	case m.Trained && weights.Norm != nil:
		return fmt.Errorf("model %s has a kernel, so its weights cannot be trained further: set base: frozen", base.Model)
	case m.Of == nil || m.By == nil:
		return fmt.Errorf("Energies.Of or Energies.By is nil: want an energy and an inference algorithm")
	}
	return nil
}

// examples returns the examples of the base, each with its energy.
func (l *layer) examples(data datasets.Data) ([]models.Example, error) {
	below, err := l.base.Examples(data)
	if err != nil {
		return nil, err
	}
	var strengths []models.FeatureMap
	if l.Strengths != nil {
		if strengths, err = l.Strengths(data); err != nil {
			return nil, err
		}
		if len(strengths) != len(below) {
			return nil, fmt.Errorf("model nonlocal: Strengths returns %d maps: want %d, one per example", len(strengths),
				len(below))
		}
	}
	list, out := make([]example, len(below)), make([]models.Example, len(below))
	for i := range list {
		x := &list[i]
		*x = example{layer: l, below: below[i]}
		if strengths != nil {
			x.strength = strengths[i]
			if l.parts < 0 {
				l.parts = x.strength.Parts()
			}
		}
		if err := x.begin(i); err != nil {
			return nil, fmt.Errorf("model nonlocal: %w", err)
		}
		e := below[i]
		e.Features, e.Exp, e.Max, e.Slack, e.Second, e.Decoding = x, x, x, nil, nil, nil
		if e.Polytope != nil {
			e.Polytope = x
		}
		out[i] = e
	}
	return out, nil
}
