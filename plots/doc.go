// Package plots draws a [figure.Figure] as SVG, PNG or PDF. It reads no files, runs no solvers and selects no data,
// since the figure already contains the data to show. The same figure always gives the same bytes. All formats contain
// the title, a description in words, and the spec, runs and commits from which the figure was made.
//
//	d, err := plots.Draw(f)
//	if err != nil {
//		return err
//	}
//	err = d.Save("fig06.svg")
//
// In a notebook, display the element d.FluidSVG().
//
// # What the marks mean
//
// The Hue of a curve determines its colour and its marker, and the Dash of the curve determines its line pattern. So
// curves can be distinguished in colour, in grey and at a small size. The bound of a theorem is grey. If the bound
// holds for one line only, it has the colour of this line. If a panel has several bounds, their labels name their
// lines.
//
// If a panel has more methods than there are colours, the figure has no legend of its lines. Instead, labels stand at
// the ends of the lines. They are moved apart, and thin lines lead to them.
//
// The floor of a log axis is its lower end. If a value is zero, negative or below the floor, the curve continues to the
// floor, and a small open triangle marks the value. Axis.Min sets the floor. By default the floor is below the smallest
// positive value, and at most 16 decades below the largest value. Panels of one figure have equal limits on axes that
// show the same quantity if the figure says so (ShareX and ShareY).
//
// A curve whose run was stopped by its budget ends in an open marker with an arrow. In a sweep, where each run is a
// point, such a run is a hollow marker that is not joined to others. An arrow upwards means that the value of the
// marker is a lower bound. If such marks occur, the legend explains them.
//
// Markers are drawn over all lines. If lines coincide, their markers are in different places. If points coincide, their
// markers have different sizes and are nested. So no line hides another. Panels that share a line have one legend,
// unless there are more lines than colours (see [figure.Together]). A legend hides no line and no part of the grid.
//
// A figure with one column of panels fits into a column of a journal, and any other figure approximately into the width
// of its page. At that size no label is smaller than 6 points.
//
// Labels and titles may contain ^{superscripts} and _{subscripts}. Everything else is drawn literally.
package plots
