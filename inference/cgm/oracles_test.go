package cgm

import (
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
)

// problemOf returns the problem of the counts d, with the oracles of package chain.
func problemOf(d *datasets.CellCounts) (*Problem, error) {
	untied, err := chainOracle(d.Cells, "untied")
	if err != nil {
		return nil, err
	}
	tied, err := chainOracle(d.Cells, "tied")
	if err != nil {
		return nil, err
	}
	return NewProblem(d, untied, tied)
}

// chainOracle returns an exp-oracle for chains of any length with k labels. It builds the chain model for a data set of
// one sequence with one position, and returns the oracle of this sequence.
func chainOracle(k int, edges string) (models.ExpOracle, error) {
	labels := make([]string, max(2, k))
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	task, err := chain.Model{Edges: edges}.Build(&datasets.Sequences{
		X: datasets.Rows{N: 1, Dim: 1, Value: []float64{1}}, Start: []int{0, 1}, Y: []int{0}, Labels: labels,
	}, nil)
	if err != nil {
		return nil, err
	}
	return task.Train[0].Exp, nil
}
