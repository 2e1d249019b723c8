package datasets

import (
	"context"
	"fmt"
	"strconv"
)

// Single is one training row, x = (1), of the first of some classes. With a 0/1 loss it is the example with which the
// cutting-plane paper shows that the bound on the number of iterations is tight in ε and C (after theorem 5): of the
// wrong classes, which are all alike, each takes a constraint of its own. A run of k constraints needs k + 1 classes.
type Single struct {
	// number of classes; the row is of the first
	Classes int `yaml:"classes" jsonschema:"minimum=2,maximum=1000000"`
}

const singleVersion = "1"

func singleEntry() Entry {
	return Entry{
		Name:      "single",
		Title:     "One row of one of many classes",
		About:     "x = (1) of the first class: the example by which the 1-slack method's bound on iterations is tight",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    Counts{Train: 1, Features: 1, Classes: 100, NonZeros: 1},
		New:       func() Loader { return &Single{Classes: 100} },
	}
}

// Validate implements Validator.
func (s Single) Validate() error { return checkCount("classes", s.Classes, 2, generatedMost) }

// Load implements Loader.
func (s Single) Load(context.Context, Source) (*Set, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	row := &Labelled{X: Rows{N: 1, Dim: 1, Start: []int{0, 1}, Index: []int32{0}, Value: []float64{1}}, Y: []int{0},
		Classes: make([]string, s.Classes)}
	for c := range row.Classes {
		row.Classes[c] = strconv.Itoa(c + 1)
	}
	return &Set{Name: "single", Train: row, Synthetic: true,
		Checksum: checksum("single", singleVersion, fmt.Sprint(s.Classes))}, nil
}
