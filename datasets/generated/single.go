package generated

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// Single generates a single training row, x = (1), which belongs to the first class. With a 0/1 loss this is the
// example after theorem 5 of the cutting-plane paper. The example shows that the bound on the number of iterations is
// tight in the tolerance ε and in C. All wrong classes are alike, but the solver must add a separate constraint for
// each of them. A run with k constraints needs k + 1 classes.
type Single struct {
	// number of classes; the row belongs to the first class
	Classes int `yaml:"classes" jsonschema:"minimum=2,maximum=1000000"`
}

const singleVersion = "1"

// SingleEntry returns the catalogue entry of Single.
func SingleEntry() datasets.Entry {
	return datasets.Entry{
		Revision:  1,
		Name:      "single",
		Title:     "One row of one of many classes",
		About:     "x = (1) of the first class: the example for which the 1-slack method's bound on iterations is tight",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 1, Features: 1, Classes: 100, NonZeros: 1},
		New:       func() datasets.Loader { return &Single{Classes: 100} },
	}
}

// Validate implements Validator.
func (s Single) Validate() error { return check.Settings(s) }

// Load implements Loader.
func (s Single) Load(context.Context, datasets.Source) (*datasets.Set, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	row := &datasets.Labelled{X: datasets.Rows{N: 1, Dim: 1, Start: []int{0, 1}, Index: []int32{0}, Value: []float64{1}},
		Y:       []int{0},
		Classes: make([]string, s.Classes)}
	for c := range row.Classes {
		row.Classes[c] = strconv.Itoa(c + 1)
	}
	return &datasets.Set{Name: "single", Train: row, Synthetic: true,
		Checksum: datasets.Checksum("single", singleVersion, fmt.Sprint(s.Classes))}, nil
}
