// Package plots draws a [figure.Figure] as SVG, PNG or PDF. It reads no files, runs nothing and chooses no data: the
// figure already determines what is shown. The same figure always gives the same bytes. All formats contain the title,
// a description in words, and the spec, runs and commits that the figure comes from.
//
//	d, err := plots.Draw(f)
//	if err != nil {
//		return err
//	}
//	err = d.Save("fig06.svg")
//
// In a notebook, display the element d.SVG().
//
// # What the marks mean
//
// A Hue sets the colour and the marker of a curve, and a Dash sets its line pattern, so that curves differ in colour,
// in grey and at a small size. The bound of a theorem is grey, or has the colour of the one line that it bounds.
//
// A log axis shows values that are zero, negative or below the axis: the curve goes down to the floor, and a small open
// triangle marks the value. Axis.Min sets the floor. By default it lies below the smallest positive value, and at most
// 16 decades below the largest.
//
// A curve whose run was stopped by its budget ends in an open marker with an arrow. In a sweep, such a run is a hollow
// marker that is joined to no other. An arrow upwards means that its value is a lower bound. The legend explains these
// marks where they occur.
//
// Markers are drawn over all lines. Lines that coincide have their markers in different places, and points that
// coincide are nested, so that no line hides another. Panels that share a line have one legend, unless there are more
// lines than colours: see [figure.Together].
//
// A figure with one column of panels fits a journal column, and any other figure about a journal page. At that size no
// label is smaller than 6 points.
//
// Labels and titles may contain ^{superscripts} and _{subscripts}. Everything else is drawn literally.
package plots
