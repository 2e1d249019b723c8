// Package explore prepares the runs of an experiment as data for a web page on which a reader can change the figure:
// draw the runs over another axis, average over seeds, or divide by one of the runs. Package figure resolves the figure
// of the experiment itself. This package does not draw.
package explore

import (
	"math"
	"strconv"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/trace"
)

// A run is thinned to about Points rows, because a screen cannot show more. If an experiment has many runs, each run is
// thinned further, so that all runs together have about mostPoints rows, but each run has at least leastPoints.
const (
	Points      = 150
	leastPoints = 40
	mostPoints  = 3000
)

// pointsOf returns the number of rows to which each of several runs is thinned.
func pointsOf(runs int) int { return min(Points, max(leastPoints, mostPoints/max(1, runs))) }

// Data contains the runs of one experiment and the panels that show them, for the web page.
type Data struct {
	Columns []Column `json:"columns"`
	Labels  []string `json:"labels"` // the labels in which the runs differ
	Runs    []Curve  `json:"runs"`
	Panels  []Panel  `json:"panels"`
	Thinned int      `json:"thinned"` // number of runs that were thinned
}

// Column is a quantity of the runs: a column of their rows, or an expression that a panel shows.
type Column struct {
	Name  string `json:"name"`  // the column or expression, as in the spec
	Label string `json:"label"` // text of an axis that shows the column
	Work  bool   `json:"work"`  // whether the quantity is a measure of work (passes, seconds), which belongs on an x axis
	Once  bool   `json:"once"`  // whether each run has a single value of the quantity, not one value per row
}

// Curve is one run. If the run goes through several values of C (path), Curve is the part of the run at one of these
// values.
type Curve struct {
	Key    string            `json:"key"`
	Labels map[string]string `json:"labels"`
	Status trace.Status      `json:"status"`
	// Values contains, for each column, one value per row, or a single value if all are equal, or nil if the run lacks
	// the column.
	Values []Values `json:"values"`
}

// Values is a list of numbers, in which NaN means a missing number. In JSON, the numbers have six significant digits.
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

// Panel is one pair of axes with the lines that the web page shows at first.
type Panel struct {
	Title string      `json:"title"`
	X     figure.Axis `json:"x"`
	Y     figure.Axis `json:"y"`
	Of    int         `json:"of"` // index of the column on the x axis
	Lines []Line      `json:"lines"`
}

// Line is one line of a panel. It shows one run, several runs that differ in their seeds, or runs that are one point
// each. A bound shows no run: its points are X and Y.
type Line struct {
	Label string `json:"label"`
	Name  string `json:"name"` // the label without the name of the quantity y
	Hue   int    `json:"hue"`  // number of the colour, as in figure.Line
	Dash  int    `json:"dash"` // number of the line pattern, as in figure.Line
	Of    int    `json:"of"`   // index of the column on the y axis; −1 for a bound
	Runs  []int  `json:"runs"` // indices of the runs
	X     Values `json:"x,omitempty"`
	Y     Values `json:"y,omitempty"`
}
