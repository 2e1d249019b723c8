// Package plots draws figures: a [figure.Figure] goes in, an SVG, PNG or PDF comes out. It reads no files, runs nothing
// and chooses no data; what a figure shows was decided before it came here. The same figure gives the same bytes every
// time. All formats carry the title, a description in words, and the spec, runs and commits that the figure is from.
//
//	d, err := plots.Draw(f)
//	if err != nil {
//		return err
//	}
//	err = d.Save("fig06.svg")
//
// In a notebook, d.SVG() is the element to display. To change a panel, take it as a gonum plot from [Panel].
//
// # What the marks mean
//
// A colour and a marker belong to a Hue and a line pattern to a Dash, so that curves can be told apart in colour, in
// grey and when small. A theorem's bound is grey, or has the colour of the one line that it bounds. On a log axis a
// value that is zero, negative or below the axis is not dropped: the curve goes down to the floor and a small open
// triangle stands there. Axis.Min sets the floor; without it the floor lies below the smallest positive value, and at
// most 16 decades below the largest. A curve that its budget stopped ends in an open marker with an arrow. Where each
// run is one point, a run that its budget stopped is a hollow marker, joined to no other; an arrow upwards says that
// its value is a lower bound. The legend names these marks where they occur. Markers stand above all lines; lines that
// coincide have theirs in different places, and points that coincide are nested, so that no line hides another. Panels
// that share a line have one legend, unless there are more lines than colours: see [figure.Together].
//
// A figure of one column of panels is as wide as a column of a journal, any other about as wide as its page; set so, no
// label is smaller than 6 points. [Drawing.Faults] lists what could not be made out.
//
// Labels and titles may hold ^{superscripts} and _{subscripts}; everything else is taken literally.
package plots
