package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/axis"
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// panel is a plot, its legend and its title.
type panel struct {
	*plot.Plot
	legend  *legend
	heading *heading
}

// besideFrame is approximately the width of the label and the numbers of the y axis.
const besideFrame vg.Length = 52

// newPanel returns the plot of a panel, for drawing at approximately the given size.
func newPanel(p figure.Panel, size vg.Point) *panel {
	q := plot.New()
	q.TextHandler = textStyle(labelSize, false, nil).Handler
	q.BackgroundColor = nil // the figure itself has a background

	x, y := limits(p)
	width := size.X - besideFrame
	setAxis(&q.X, p.X, x, width, 33)
	setAxis(&q.Y, p.Y, y, 0.75*size.Y, 20)
	keepWhole(&q.X, p.Lines, func(l figure.Line) []float64 { return l.X })
	keepWhole(&q.Y, p.Lines, func(l figure.Line) []float64 { return l.Y })
	q.X.Tick.Label = aligned(textStyle(tickSize, false, ink()), draw.XCenter, draw.YTop)
	q.Y.Tick.Label = aligned(textStyle(tickSize, false, ink()), draw.XRight, middleOfDigits)
	if t, ok := q.X.Tick.Marker.(axis.LogTicks); ok {
		t.Room = func(label string) float64 { return float64((q.X.Tick.Label.Width(label) + tickGap) / width) }
		q.X.Tick.Marker = t
	}

	made := &panel{Plot: q}
	lead := &leaders{}
	q.Add(grid{}, lead)
	var curves []*curve
	for _, l := range distinctBounds(p.Lines, q) {
		if l.Low != nil && len(l.X) > 1 {
			for _, s := range segments(l) {
				q.Add(newBand(s))
			}
		}
		curves = append(curves, newCurve(l))
	}
	fillMarkers(curves)
	for _, l := range curves {
		if l.Style == figure.Bound {
			q.Add(l)
		}
	}
	for _, l := range curves {
		if l.Style != figure.Bound {
			q.Add(l)
		}
		if len(l.X) == 1 {
			q.Add(bars{l})
		}
	}
	q.Add(marks(curves))
	made.legend = newLegend(curves, q)
	lead.legend = made.legend
	made.heading = &heading{lines: linesOf(typeset.Balance(p.Title, headingStyle(), 0.8*size.X))}
	q.Add(made.legend, made.heading)
	return made
}

// middleOfDigits is an alignment of text that puts the middle of the digits at the height of their tick. gonum uses the
// middle of the line of text, which is slightly lower.
const middleOfDigits text.YAlignment = -0.59

// slimHandler returns the text handler of axis labels. It reports that a label has no width, for the following reason.
// gonum puts a label at the mean of the limits. On a log axis this is near the end of the axis, where gonum would
// reserve space for half of the label. This package wraps labels instead, so that they fit. A space has its normal
// width, because gonum uses it as the distance of tick labels from the axis.
func slimHandler() text.Handler { return typeset.Handler{Fonts: font.DefaultCache, Slim: true} }

// setAxis sets the style of an axis of approximately the given length in points. `every` is the approximate distance of
// ticks with labels, in points.
func setAxis(a *plot.Axis, f figure.Axis, s span, length, every vg.Length) {
	a.Min, a.Max = s.Min, s.Max
	a.Padding = 0
	a.LineStyle = draw.LineStyle{Color: axisInk(), Width: axisWidth}
	a.Label.TextStyle = aligned(textStyle(labelSize, false, ink()), draw.XCenter, draw.YBottom)
	a.Label.Text = typeset.Balance(f.Label, a.Label.TextStyle, 0.95*length)
	a.Label.TextStyle.Handler = slimHandler()
	a.Label.Padding = 3
	a.Tick.LineStyle = a.LineStyle
	a.Tick.Length = 3.5
	count := max(3, min(8, int(length/every)))
	if f.Log {
		a.Scale = axis.LogScale{}
		a.Tick.Marker = axis.LogTicks{Max: count}
	} else {
		a.Scale = plot.LinearScale{}
		a.Tick.Marker = axis.LinearTicks{Max: count}
	}
}

// keepWhole restricts the ticks of a linear axis to integers if all values are integers, such as numbers of workers or
// iterations.
func keepWhole(a *plot.Axis, lines []figure.Line, values func(figure.Line) []float64) {
	t, linear := a.Tick.Marker.(axis.LinearTicks)
	for _, l := range lines {
		for _, v := range values(l) {
			if l.Style != figure.Bound && v != math.Trunc(v) {
				return
			}
		}
	}
	if linear && math.Floor(a.Max)-math.Ceil(a.Min) >= 1 {
		a.Tick.Marker = axis.LinearTicks{Max: t.Max, Whole: true}
	}
}

// settle chooses whether the legend is inside the frame, above it or at the ends of the curves, for a panel that is
// drawn on c.
func (p *panel) settle(c draw.Canvas) {
	p.legend.settle(p.DataCanvas(c), p.Plot, c.Size().X)
	p.heading.lift = p.legend.above()
}
