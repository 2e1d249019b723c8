// Package figure is a figure as data: panels of lines, resolved from a spec and the curves of its runs. plots draws
// it; nothing here draws.
package figure

// Figure is one figure of a paper, ready to draw.
type Figure struct {
	ID      string // experiment id, such as "eg/fig06"
	Title   string
	Columns int // panels per row; 0: chosen by plots
	Panels  []Panel
	Caption string // small line below: data set, scale, commit
	Source  Source // for readers of the file

	Findings []string // what its claims find, a sentence each: part of its description
	Warnings []string // runs that are not drawn, and why
}

// Panel is one pair of axes.
type Panel struct {
	Title string
	X, Y  Axis
	Of    string // what x shows, as in the spec
	Lines []Line
}

// Axis of a panel. Min and Max are nil where the data decides.
type Axis struct {
	Label    string
	Name     string // the label without its y; empty: a bound
	Log      bool
	Min, Max *float64
}

// Line is one curve. X and Y have one length and hold finite numbers. On a log axis values ≤ 0 are censored at the
// floor of the axis by plots, and drawn as such.
type Line struct {
	Label    string
	Name     string // the label without its y; empty: a bound
	X, Y     []float64
	Low      []float64 // nil, or the lower edge of a band (over seeds), as long as X
	High     []float64
	Style    Style
	Hue      int    // lines of one Hue share a colour (primal and dual of one C); counts from 0, see Hues
	Dash     int    // 0 solid; lines of one colour differ in their dash, see Dashes
	Own      bool   // of a Bound: of the lines of its hue only, in whose colour it is drawn
	Censored bool   // a curve whose run its budget stopped: the last point is a bound, not a value
	Stopped  []bool // of Points: nil, or which runs their budget stopped; these are neither joined nor averaged
	Level    bool   // runs of one row, which nothing was left to do for: the value is drawn over the whole panel
	Rising   bool   // y only grows while a run lasts: where Stopped, it is a lower bound
	Runs     []int  // indices of the curves of the set that it is made of; nil: a bound
	Of       string // what y shows, as in the spec; empty: a bound
}

// Style of a line.
type Style int

const (
	Curve  Style = iota // a line through many points, sparse markers
	Points              // few points, a marker on each, joined
	Bound               // a theorem's bound: thin, grey, dashed
)
