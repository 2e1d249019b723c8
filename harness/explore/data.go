// Package explore prepares the runs of an experiment as data for a web page. There a reader draws them in other ways:
// against another axis, averaged over seeds, relative to one of them. Package figure resolves the experiment's own
// figure. Nothing here draws.
package explore

import (
	"math"
	"strconv"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/trace"
)

// Points is the approximate number of rows kept of a run; a screen shows no more.
const Points = 200

// Data holds the runs of one experiment and the panels that show them.
type Data struct {
	Columns []Column `json:"columns"`
	Labels  []string `json:"labels"` // those that tell the runs apart
	Runs    []Curve  `json:"runs"`
	Panels  []Panel  `json:"panels"`
	Thinned int      `json:"thinned"` // number of runs with rows left out
}

// Column is a quantity of the runs: a column of their rows, or an expression that a panel shows.
type Column struct {
	Name  string `json:"name"`  // as in the spec
	Label string `json:"label"` // for an axis
	Work  bool   `json:"work"`  // measures the work done so far (passes, seconds): an axis for other columns
	Once  bool   `json:"once"`  // has one value per run, not one per row
}

// Curve is one run, or one stage of a path.
type Curve struct {
	Key    string            `json:"key"`
	Labels map[string]string `json:"labels"`
	Status trace.Status      `json:"status"`
	// by column: one value per row; a single value if all are equal; nil if the run lacks the column
	Values []Values `json:"values"`
}

// Values holds numbers, NaN where one is missing. As JSON they have six significant digits.
type Values []float64

// MarshalJSON writes NaN and infinity as null.
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

// Panel is one pair of axes with the lines that it shows at first.
type Panel struct {
	Title string      `json:"title"`
	X     figure.Axis `json:"x"`
	Y     figure.Axis `json:"y"`
	Of    int         `json:"of"` // column of x
	Lines []Line      `json:"lines"`
}

// Line is one curve of a panel: one run, several runs that differ in their seeds, or the points of a sweep. A bound has
// its own points.
type Line struct {
	Label string `json:"label"`
	Name  string `json:"name"` // the label without its y
	Hue   int    `json:"hue"`  // as in figure.Line
	Dash  int    `json:"dash"` // as in figure.Line
	Of    int    `json:"of"`   // column of y; −1 for a bound
	Runs  []int  `json:"runs"`
	X     Values `json:"x,omitempty"`
	Y     Values `json:"y,omitempty"`
}
