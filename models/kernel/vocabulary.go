package kernel

import (
	"errors"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/internal/classes"
)

// vocabulary is what predictions need from the training data besides the weights: the inputs of the kernel functions.
// In the exact form they are all training inputs, in the low-rank form the inputs of the basis, sorted by class, and
// for Chain all training positions.
type vocabulary struct {
	classes.Vocabulary
	Start []int     `json:"start"`           // offsets of the inputs in Value, and in Index if that is not empty
	Index []int32   `json:"index,omitempty"` // empty: the inputs are dense
	Value []float64 `json:"value"`
	Basis []int     `json:"basis,omitempty"` // for the low-rank form: offsets of the classes in the inputs
}

// keep returns a function for Task.Vocabulary that returns the vocabulary of the listed rows.
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

// inputs returns the inputs as rows, or an error if the vocabulary is damaged.
func (v *vocabulary) inputs() (*datasets.Labelled, error) {
	n := len(v.Start) - 1
	sparse := len(v.Index) > 0 || len(v.Value) == 0
	if n < 1 || v.Start[0] != 0 || v.Start[n] != len(v.Value) || sparse && len(v.Index) != len(v.Value) {
		return nil, errors.New("the offsets of the inputs do not begin at 0 and end at the number of values, or there are " +
			"more or fewer indices than values")
	}
	for _, x := range v.Value {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("a feature is %v: want a finite number", x)
		}
	}
	for i := range n {
		from, to := v.Start[i], v.Start[i+1]
		if from > to || !sparse && to-from != v.Features {
			return nil, fmt.Errorf("input %d is not a row of %d features", i+1, v.Features)
		}
		for t := from; sparse && t < to; t++ {
			if j := v.Index[t]; j < 0 || int(j) >= v.Features || t > from && j <= v.Index[t-1] {
				return nil, fmt.Errorf("input %d: feature %d is out of order or out of range", i+1, j)
			}
		}
	}
	rows := &datasets.Labelled{X: datasets.Rows{N: n, Dim: v.Features, Value: v.Value}, Classes: v.Classes}
	if sparse {
		rows.X.Start, rows.X.Index = v.Start, v.Index
		if v.Index == nil { // all inputs are 0; without an index, the rows would be dense
			rows.X.Index = []int32{}
		}
	}
	return rows, nil
}
