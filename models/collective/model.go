// Package collective implements the model collective, a collective graphical model (Sheldon and Dietterich 2011): a
// population moves among cells and is counted with noise. Its task is inference, without weights to train. Package cgm
// defines the convex programme and solves it by interior-point methods. Package energy solves it by Bethe projections.
//
//	task, err := collective.New().Build(counts, nil)
package collective

import (
	"fmt"

	"github.com/gaplab/gaplab/internal/settings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/cgm"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// Values of Model.Edges.
const (
	edgesAuto   = "auto"
	edgesTied   = "tied"
	edgesUntied = "untied"
)

// Model is the model of a population that moves and is counted. Its task has no weights and one example. The part
// scores of the example are the scores of the chain by which each individual moves. Its energy is the energy of the
// noisy counts (see energy.Poisson). If all steps share one matrix of transition scores, only the sum of the edge
// marginals over the steps is needed, so the oracle need not write the edge marginals of each step.
type Model struct {
	// tied: one score per pair of cells for all steps; untied: one per pair of cells for each step; auto: tied if the
	// scores of the data are the same at every step
	Edges string `yaml:"edges" jsonschema:"enum=auto,enum=tied,enum=untied" settings:"optional"`
}

var _ models.Builder = Model{}

// New returns the model with its default settings.
func New() *Model { return &Model{Edges: edgesAuto} }

// Build implements models.Builder for counts of a population. Nothing is predicted, so validation must be nil.
func (m Model) Build(train, validation datasets.Data) (*models.Task, error) {
	if err := settings.Check(m); err != nil {
		return nil, fmt.Errorf("model collective: %w", err)
	}
	d, ok := train.(*datasets.CellCounts)
	switch {
	case !ok:
		return nil, fmt.Errorf("model collective needs counts of a population; the data set has %s", train.Kind())
	case validation != nil:
		return nil, fmt.Errorf("model collective predicts nothing, so it accepts no validation data; the data set has %s",
			validation.Kind())
	}
	p, err := ProblemOf(d)
	if err != nil {
		return nil, err
	}
	tied, err := m.tied(p)
	if err != nil {
		return nil, err
	}
	e, err := exampleOf(p, tied)
	if err != nil {
		return nil, err
	}
	return &models.Task{
		Model: "collective", Unknowns: models.Marginals{}, Train: []models.Example{*e},
		Facts: map[string]float64{"cells": float64(d.Cells), "s": float64(d.Cells * d.Cells), "population": d.Population},
	}, nil
}

// ProblemOf returns the convex programme for the counts of a population, with the chain oracles that it needs.
func ProblemOf(d *datasets.CellCounts) (*cgm.Problem, error) {
	return cgm.NewProblem(d, sequence.NewOracle(d.Cells, true), sequence.NewOracle(d.Cells, false))
}

// tied reports whether the example has one matrix of transition scores.
func (m Model) tied(p *cgm.Problem) (bool, error) {
	switch m.Edges {
	case edgesUntied:
		return false, nil
	case edgesTied:
		if p.TiedTheta == nil {
			return false, fmt.Errorf("model collective: edges: tied needs the same transition scores at every step, but " +
				"the scores in the data differ between steps; accepted: untied, auto")
		}
		return true, nil
	}
	return p.TiedTheta != nil, nil
}

// exampleOf returns the example of a problem: feature map, oracles and energy.
func exampleOf(p *cgm.Problem, tied bool) (*models.Example, error) {
	counts, err := energy.NewPoisson(p.Counts, p.Population, p.Rate)
	if err != nil {
		return nil, err
	}
	chain := sequence.NewOracle(p.Cells, !tied)
	e := &models.Example{Features: &scores{p.Theta, p}, Max: chain, Exp: chain, Polytope: chain, Energy: counts}
	if tied {
		e.Features = &scores{p.TiedTheta, p}
		if p.Steps > 2 { // with tied edges the marginals have only the sum over the steps
			e.Polytope = nil
		}
	}
	return e, nil
}

// scores is a feature map without weights: its part scores are the constant theta.
type scores struct {
	theta   []float64
	problem *cgm.Problem
}

// Parts implements models.FeatureMap.
func (s *scores) Parts() int { return len(s.theta) }

// Score implements models.FeatureMap.
func (s *scores) Score(theta, w []float64) {
	s.check(theta, w)
	copy(theta, s.theta)
}

// AddAdjoint implements models.FeatureMap. It only checks the lengths, since there are no weights.
func (s *scores) AddAdjoint(w []float64, _ float64, mu []float64) { s.check(mu, w) }

// Collective returns the convex programme of the example, for solvers that use its structure.
func (s *scores) Collective() *cgm.Problem { return s.problem }

func (s *scores) check(parts, w []float64) {
	if len(parts) != len(s.theta) || len(w) != 0 {
		panic(fmt.Sprintf("collective: %d part scores and %d weights: want %d and 0", len(parts), len(w),
			len(s.theta)))
	}
}
