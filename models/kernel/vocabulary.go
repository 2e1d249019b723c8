package kernel

import (
	"errors"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/internal/classes"
)

// vocabulary is what predictions need of the training rows: the inputs whose kernel functions span the scores. They are
// all training inputs in the exact form, those of the basis, by class, in the other, and of chains all positions.
type vocabulary struct {
	classes.Vocabulary
	Start []int     `json:"start"`           // of the inputs in Index and Value, or in Value alone
	Index []int32   `json:"index,omitempty"` // none: the inputs are dense
	Value []float64 `json:"value"`
	Basis []int     `json:"basis,omitempty"` // offsets of the classes into the inputs
}

// keep returns a function that makes the vocabulary of the listed rows.
func keep(rows *datasets.Labelled, list []int32, basis []int) func() any {
	return func() any {
		v := vocabulary{Vocabulary: classes.Vocabulary{Features: rows.X.Dim, Classes: rows.Classes}, Start: []int{0},
			Basis: basis}
		for _, i := range list {
			index, value := rows.X.Row(int(i))
			v.Index, v.Value = append(v.Index, index...), append(v.Value, value...)
			v.Start = append(v.Start, len(v.Value))
		}
		return v
	}
}

// inputs returns the rows of the vocabulary, or an error if it is damaged.
func (v *vocabulary) inputs() (*datasets.Labelled, error) {
	n := len(v.Start) - 1
	sparse := len(v.Index) > 0 || len(v.Value) == 0
	if n < 1 || v.Start[0] != 0 || v.Start[n] != len(v.Value) || sparse && len(v.Index) != len(v.Value) {
		return nil, errors.New("the inputs do not fill their rows")
	}
	for _, x := range v.Value {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("a feature is %v", x)
		}
	}
	for i := range n {
		from, to := v.Start[i], v.Start[i+1]
		if from > to || !sparse && to-from != v.Features {
			return nil, fmt.Errorf("input %d is no row of %d features", i+1, v.Features)
		}
		for t := from; sparse && t < to; t++ {
			if j := v.Index[t]; j < 0 || int(j) >= v.Features || t > from && j <= v.Index[t-1] {
				return nil, fmt.Errorf("input %d: feature %d is out of order or of range", i+1, j)
			}
		}
	}
	rows := &datasets.Labelled{X: datasets.Rows{N: n, Dim: v.Features, Value: v.Value}, Classes: v.Classes}
	if sparse {
		rows.X.Start, rows.X.Index = v.Start, v.Index
	}
	return rows, nil
}
