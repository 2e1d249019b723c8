// Package classes has the code that classifiers of labelled rows share: checks of the data, and examples and oracles
// whose labellings are the classes.
package classes

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Rows checks that the data of a classifier are labelled rows, and that the validation data, if any, have no features
// and classes beyond the features and classes of the training data.
func Rows(model string, train, validation datasets.Data) (rows, held *datasets.Labelled, err error) {
	rows, ok := train.(*datasets.Labelled)
	if !ok {
		return nil, nil, fmt.Errorf("model %s needs labelled rows; the data set has %s", model, train.Kind())
	}
	if validation == nil {
		return rows, nil, nil
	}
	held, ok = validation.(*datasets.Labelled)
	if !ok {
		return nil, nil, fmt.Errorf("model %s needs labelled rows; the validation data have %s", model, validation.Kind())
	}
	if held.X.Dim > rows.X.Dim || len(held.Classes) > len(rows.Classes) {
		return nil, nil, fmt.Errorf("the validation data have %d features and %d classes: want at most %d and %d, as in "+
			"the training data",
			held.X.Dim, len(held.Classes), rows.X.Dim, len(rows.Classes))
	}
	return rows, held, nil
}

// Labels returns, for each class y, the labelling with class y, and the costs of the k parts if y is the truth: 0 for y
// and scale for the others. Both lists also have an entry k for validation rows with an unknown class: a nil labelling,
// and the cost scale for every part, so that every prediction is wrong. The slices of costs share their memory.
func Labels(k int, scale float64) (truths []models.Vertex, costs [][]float64) {
	truths, costs = make([]models.Vertex, k+1), make([][]float64, k+1)
	both := slices.Repeat([]float64{scale}, 2*k+1)
	both[k] = 0
	for c := range k + 1 {
		if c < k {
			truths[c] = models.Vertex{c}
		}
		costs[c] = both[k-c : 2*k-c : 2*k-c]
	}
	return truths, costs
}

// Example returns an example whose labellings are the classes, with all oracles.
func Example(f models.FeatureMap, truth models.Vertex, cost []float64) models.Example {
	o := Oracle{}
	return models.Example{Features: f, Max: o, Exp: o, Slack: o, Second: o, Polytope: o, Truth: truth, Cost: cost}
}
