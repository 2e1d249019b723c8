// Package figure describes a figure as data: panels of lines, made from a spec and the curves of its runs. Package
// plots draws it; this package draws nothing.
package figure

import (
	"slices"
	"strings"
)

// Figure is one figure of a paper, ready to draw.
type Figure struct {
	ID      string // experiment id, such as "eg/fig06"
	Title   string
	Columns int // panels per row; 0: chosen by plots
	Panels  []Panel
	Caption string // the small line below: data set, scale, commit
	Source  Source // where the figure comes from

	Findings []string // one sentence per claim; part of the description
	Warnings []string // such as runs that are not drawn, with the reason
}

// Panel is one pair of axes.
type Panel struct {
	Title string
	X, Y  Axis
	Of    string // the expression of x in the spec
	Lines []Line
}

// Axis is an axis of a panel. Min and Max are nil where the data decides.
type Axis struct {
	Label string   `json:"label"`
	Log   bool     `json:"log"`
	Min   *float64 `json:"min"`
	Max   *float64 `json:"max"`
}

// Line is one curve. X and Y have the same length and hold finite numbers. On a log axis, plots draws values ≤ 0 as
// censored at the floor of the axis.
type Line struct {
	Label    string
	Name     string // the label without its y; empty for a bound
	X, Y     []float64
	Low      []float64 // the lower edge of a band (over seeds), as long as X; or nil
	High     []float64
	Style    Style
	Hue      int    // lines with the same Hue, from 0, share a colour (primal and dual of one C); see Hues
	Dash     int    // lines of one colour differ in their Dash, from 0, which is solid; see Dashes
	Own      bool   // a Bound of the lines of its Hue only, drawn in their colour
	Censored bool   // a curve whose run was stopped by its budget: the last point is a bound, not a value
	Stopped  []bool // for Points: which runs were stopped by their budget; these are neither joined nor averaged
	Level    bool   // runs that finished with their first row: the value is drawn over the whole panel
	Rising   bool   // y only grows during a run: where Stopped, it is a lower bound
	Runs     []int  // indices of its curves in the set; nil for a bound
	Of       string // the expression of y in the spec; empty for a bound
}

// Hues and Dashes are the numbers of colours and line patterns that a drawing has.
const (
	Hues   = 7
	Dashes = 6
)

// Style is the style of a line.
type Style int

const (
	Curve  Style = iota // a line through many points, sparse markers
	Points              // few points, a marker on each, joined
	Bound               // the bound of a theorem: thin, grey, dashed
)

// Source records where a figure comes from. Unknown fields are empty.
type Source struct {
	Spec      string   // SHA-256 of the text of its spec, in hexadecimal
	Scale     string   // of the spec
	Overrides []string // the settings --set and --seed of the spec
	Runs      []string // keys of its runs
	Commits   []string // of the program that made the runs; + marks uncommitted changes
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

func filled(s string) []string { return include(nil, s) }

func include(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
