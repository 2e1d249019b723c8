package cgm

import (
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// oracles returns an example with the oracles of chains with k cells. They serve chains of any length, so they may be
// those of the model of one sequence of one position.
func oracles(k int, tied bool) (*models.Example, error) {
	labels := make([]string, k)
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	edges := edgesUntied
	if tied {
		edges = edgesTied
	}
	task, err := models.Chain{Edges: edges}.Build(&datasets.Sequences{
		X: datasets.Rows{N: 1, Dim: 1, Value: []float64{1}}, Start: []int{0, 1}, Y: []int{0}, Labels: labels,
	}, nil)
	if err != nil {
		return nil, err
	}
	return &task.Train[0], nil
}

// tie returns the scores with one matrix of transitions for all steps, nil where the matrices differ or there is none.
func tie(theta []float64, k, l int) []float64 {
	if l == 1 {
		return nil
	}
	pairs := theta[l*k:]
	for r, v := range pairs {
		if v != pairs[r%(k*k)] {
			return nil
		}
	}
	return append([]float64(nil), theta[:l*k+k*k]...)
}
