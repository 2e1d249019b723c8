// Package figure describes a figure as data. It makes panels of lines from a spec and the curves of its runs. It does
// not draw; package plots does.
package figure

import (
	"slices"
	"strings"
)

// Figure is one figure of a paper, ready to draw.
type Figure struct {
	ID      string // experiment id, such as "eg/fig06"
	Title   string
	Columns int // number of panels side by side; 0: package plots chooses it
	Panels  []Panel
	ShareX  bool   // whether the x axes of panels that show the same quantity have equal limits
	ShareY  bool   // whether the y axes of panels that show the same quantity have equal limits
	Caption string // small text below the figure: data set, scale, commit
	Source  Source // spec, runs and commits from which the figure was made

	Findings []string // one sentence per claim, for Description
	Warnings []string // for example runs that are not drawn, with the reason
}

// Panel is one pair of axes.
type Panel struct {
	Title string
	X, Y  Axis
	Of    string // expression of the x axis in the spec
	Lines []Line
	Ends  bool // whether labels at the ends of the lines replace the legend, because there are more names than Hues
}

// Axis is an axis of a panel. If Min or Max is nil, the data determine that end of the axis.
type Axis struct {
	Label string   `json:"label"`
	Log   bool     `json:"log"`
	Min   *float64 `json:"min"`
	Max   *float64 `json:"max"`
}

// Line is one line of a panel. X and Y have the same length and contain finite numbers. On a log axis, package plots
// draws values ≤ 0 at the lower end of the axis and marks them as censored.
type Line struct {
	Label    string
	Name     string // the label without the name of the quantity y; for a Bound: the name of the line that it bounds
	X, Y     []float64
	Low      []float64 // lower ends of a band over seeds, one for each X; nil if there is no band
	High     []float64 // upper ends of the band; nil if there is no band
	Range    []float64 // for a line of one point: smallest and largest x of the repetitions; nil if equal
	Style    Style
	Hue      int    // number of the colour, from 0 to Hues - 1; primal and dual of one method have the same
	Dash     int    // number of the line pattern, from 0 (solid) to Dashes − 1; lines of one colour differ in it
	Own      bool   // for a Bound: whether it bounds only the lines with its Hue, and is drawn in their colour
	Censored bool   // for a Curve: whether the budget stopped the run, so that the last y is not the final one
	Stopped  []bool // for Points: whether the budget stopped the run of point i, which is then not joined or averaged
	Level    bool   // whether all runs finished with their first row; their value is drawn as a line across the panel
	Rising   bool   // whether y only grows during a run, so that the value of a Stopped run is a lower bound
	Runs     []int  // indices of the line's curves in the set; nil for a bound
	Of       string // expression of the y axis in the spec; empty for a bound
}

// Hues and Dashes are the numbers of colours and line patterns in a drawing.
const (
	Hues   = 7
	Dashes = 6
)

// Style is the style of a line.
type Style int

const (
	Curve  Style = iota // a line through many points, with a marker on some of them
	Points              // a few joined points, with a marker on each
	Bound               // the bound of a theorem, as a thin, grey, dashed line
)

// Source records the spec, the runs and the commits from which a figure was made. Unknown fields are empty.
type Source struct {
	Spec      string   // SHA-256 of the text of the spec, in hexadecimal
	Scale     string   // scale of the spec
	Overrides []string // settings of the spec that --set and --seed changed
	Runs      []string // keys of the runs
	Commits   []string // commits of the program that made the runs; + marks uncommitted changes
}

// Lines returns one line of text for each known field.
func (s Source) Lines() []string {
	var out []string
	for _, part := range []struct {
		name   string
		values []string
	}{{"spec sha256", filled(s.Spec)}, {"scale", filled(s.Scale)}, {"with", s.Overrides}, {"commit", s.Commits},
		{"runs", s.Runs}} {
		if len(part.values) > 0 {
			out = append(out, part.name+" "+strings.Join(part.values, " "))
		}
	}
	return out
}

// filled returns a list with s, or nil if s is empty.
func filled(s string) []string { return include(nil, s) }

// include appends s to a list, unless s is empty or already in the list.
func include(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
