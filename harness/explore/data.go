// Package explore is the runs of an experiment as data for a page on which a reader draws them in other ways: against
// another axis, summed up over seeds, relative to one of them. What the experiment's own figure shows comes from
// package figure; nothing here draws.
package explore

import (
	"math"
	"strconv"

	"github.com/gaplab/gaplab/harness/trace"
)

// Points is how many rows of a run are kept, about: a screen shows no more.
const Points = 200

// Data is the runs of one experiment, and the panels that show them.
type Data struct {
	Columns []Column `json:"columns"`
	Labels  []string `json:"labels"` // that tell the runs apart
	Runs    []Run    `json:"runs"`
	Panels  []Panel  `json:"panels"`
	Thinned int      `json:"thinned"` // runs of which not all rows are here
}

// Column is a quantity that runs have: a column of their rows, or an expression over them that a panel shows.
type Column struct {
	Name  string `json:"name"`  // as in the spec
	Label string `json:"label"` // of an axis
	Work  bool   `json:"work"`  // what a run has done so far: an axis to draw other columns against
	Once  bool   `json:"once"`  // a run has one value of it and no course
}

// Run is one run, or one stage of a path.
type Run struct {
	Key    string            `json:"key"`
	Labels map[string]string `json:"labels"`
	Status trace.Status      `json:"status"`
	// by column, with a value for each row; one if all are equal; nil: it has none
	Values []Values `json:"values"`
}

// Values are numbers, NaN where there is none. As JSON they have six significant digits.
type Values []float64

// MarshalJSON implements json.Marshaler.
func (v Values) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	out := []byte{'['}
	for i, x := range v {
		if i > 0 {
			out = append(out, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			out = append(out, "null"...)
		} else {
			out = strconv.AppendFloat(out, x, 'g', 6, 64)
		}
	}
	return append(out, ']'), nil
}

// Panel is one pair of axes with the lines that it begins with.
type Panel struct {
	Title string `json:"title"`
	X     Axis   `json:"x"`
	Y     Axis   `json:"y"`
	Of    int    `json:"of"` // column of x
	Lines []Line `json:"lines"`
}

// Axis is one of a panel.
type Axis struct {
	Label string   `json:"label"`
	Log   bool     `json:"log"`
	Min   *float64 `json:"min"` // nil: by the data
	Max   *float64 `json:"max"`
}

// Line is one curve of a panel: of one run, of those that differ in their seed, or of the points of a sweep. A bound
// has points of its own.
type Line struct {
	Label string `json:"label"`
	Name  string `json:"name"` // the label without its y
	Hue   int    `json:"hue"`  // as in figure.Line
	Dash  int    `json:"dash"` // the same
	Of    int    `json:"of"`   // column of y; −1: a bound
	Runs  []int  `json:"runs"`
	X     Values `json:"x,omitempty"`
	Y     Values `json:"y,omitempty"`
}
