package cgm

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/energy"
)

// Values of Collective.Edges.
const (
	edgesAuto   = "auto"
	edgesTied   = "tied"
	edgesUntied = "untied"
)

// Collective is the model of a population that is counted, a task of inference: there are no weights, and one
// example, whose scores are those of the population's chain and whose energy is that of the counts. With one matrix
// of transition scores for all steps, the marginals of moves are wanted in sum only, and the oracle need not write
// those of each step.
type Collective struct {
	// tied: one score per pair of cells for all steps, untied: one for each step; auto: tied where the scores
	// are the same at every step
	Edges string `yaml:"edges" jsonschema:"enum=auto,enum=tied,enum=untied"`
}

var _ models.Builder = Collective{}

// All lists the models of this package.
func All() []models.Entry {
	return []models.Entry{
		{
			Name: "collective", About: "collective graphical model: movements of a population of which there are noisy " +
				"counts; inference only",
			New: func() models.Builder { return &Collective{Edges: edgesAuto} },
		},
	}
}

// Build makes the task of counts of a population. There is nothing to predict, and so no validation data.
func (m Collective) Build(train, validation datasets.Data) (*models.Task, error) {
	d, ok := train.(*datasets.CellCounts)
	switch {
	case !ok:
		return nil, fmt.Errorf("model collective needs counts of a population; the data set has %s", train.Kind())
	case validation != nil:
		return nil, fmt.Errorf("model collective predicts nothing: want no validation data; there are %s", validation.Kind())
	}
	p, err := NewProblem(d)
	if err != nil {
		return nil, err
	}
	tied, err := m.tied(p)
	if err != nil {
		return nil, err
	}
	e, err := p.example(tied)
	if err != nil {
		return nil, err
	}
	return &models.Task{
		Model: "collective", Train: []models.Example{*e},
		Facts: map[string]float64{"cells": float64(d.Cells), "s": float64(d.Cells * d.Cells), "population": d.Population},
	}, nil
}

// tied says whether the example has one matrix of transition scores.
func (m Collective) tied(p *Problem) (bool, error) {
	switch m.Edges {
	case edgesUntied:
		return false, nil
	case edgesTied:
		if p.TiedTheta == nil {
			return false, fmt.Errorf("model collective: edges: tied: the data have no scores of moves that are the same at " +
				"every step; want untied or auto")
		}
		return true, nil
	case edgesAuto, "":
		return p.TiedTheta != nil, nil
	}
	return false, fmt.Errorf("model collective: edges %q; accepted: auto, tied, untied", m.Edges)
}

// example is the problem as solvers see it.
func (p *Problem) example(tied bool) (*models.Example, error) {
	counts, err := energy.NewPoisson(p.Counts, p.Population, p.Rate)
	if err != nil {
		return nil, err
	}
	chain, err := oracles(p.Cells, tied)
	if err != nil {
		return nil, err
	}
	e := &models.Example{Features: &scores{p.Theta, p}, Max: chain.Max, Exp: chain.Exp, Polytope: chain.Polytope,
		Energy: counts}
	if tied {
		e.Features = &scores{p.TiedTheta, p}
		if p.Steps > 2 { // moves are known in sum only
			e.Polytope = nil
		}
	}
	return e, nil
}

// scores is the feature map without weights: θ = A·() + θ.
type scores struct {
	theta   []float64
	problem *Problem
}

// Parts implements models.FeatureMap.
func (s *scores) Parts() int { return len(s.theta) }

// Score implements models.FeatureMap.
func (s *scores) Score(theta, w []float64) {
	s.check(theta, w)
	copy(theta, s.theta)
}

// AddAdjoint implements models.FeatureMap: there is nothing to add to.
func (s *scores) AddAdjoint(w []float64, _ float64, mu []float64) { s.check(mu, w) }

// Collective is the problem that the example states, for solvers that know its structure.
func (s *scores) Collective() *Problem { return s.problem }

func (s *scores) check(parts, w []float64) {
	if len(parts) != len(s.theta) || len(w) != 0 {
		panic(fmt.Sprintf("cgm: %d numbers of parts and %d weights: want %d and none", len(parts), len(w), len(s.theta)))
	}
}
