package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// Panel makes the gonum plot of one panel, to change or add something before drawing it. Draw uses the same, so the
// panel's title is not the plot's. The errors are those of [Draw].
func Panel(p figure.Panel) (*plot.Plot, error) {
	if err := checkPanel(p); err != nil {
		return nil, fmt.Errorf("plots: panel %q: %w", p.Title, err)
	}
	size := tileOf(1)
	made := newPanel(p, size)
	made.legend.shorten(size.X)
	made.settle(draw.Canvas{Rectangle: vg.Rectangle{Max: size}})
	made.BackgroundColor = white()
	return made.Plot, nil
}

// panel is a plot, its legend and its title.
type panel struct {
	*plot.Plot
	legend  *legend
	heading *heading
}

// besideFrame is about the room of the label and the numbers of y.
const besideFrame vg.Length = 52

// newPanel makes the plot of a panel that is drawn at about the given size.
func newPanel(p figure.Panel, size vg.Point) *panel {
	q := plot.New()
	q.TextHandler = textStyle(labelSize, false, nil).Handler
	q.BackgroundColor = nil // the figure has one

	x, y := limits(p)
	width := size.X - besideFrame
	setAxis(&q.X, p.X, x, width, 33)
	setAxis(&q.Y, p.Y, y, 0.75*size.Y, 20)
	keepWhole(&q.X, p.Lines, func(l figure.Line) []float64 { return l.X })
	keepWhole(&q.Y, p.Lines, func(l figure.Line) []float64 { return l.Y })
	q.X.Tick.Label = aligned(textStyle(tickSize, false, ink()), draw.XCenter, draw.YTop)
	q.Y.Tick.Label = aligned(textStyle(tickSize, false, ink()), draw.XRight, middleOfDigits)
	if t, ok := q.X.Tick.Marker.(logTicks); ok {
		t.room = func(label string) float64 { return float64((q.X.Tick.Label.Width(label) + tickGap) / width) }
		q.X.Tick.Marker = t
	}

	made := &panel{Plot: q}
	q.Add(grid{})
	var curves []*curve
	for _, l := range distinctBounds(p.Lines, q) {
		if l.Low != nil {
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
	}
	q.Add(marks(curves))
	made.legend = newLegend(curves, q)
	made.heading = &heading{lines: linesOf(balanced(p.Title, headingStyle(), 0.8*size.X))}
	q.Add(made.legend, made.heading)
	return made
}

// middleOfDigits centres digits on their tick; the middle of the line, which gonum means, lies a little lower.
const middleOfDigits text.YAlignment = -0.59

// slimHandler sets axis labels. It reports them as narrow, since gonum puts the box of a label at the mean of the
// limits, which on a log axis lies near the end, and would keep room there for half of the label. Labels are wrapped to
// fit instead. A space keeps its width: gonum sets tick labels apart from the axis by that.
func slimHandler() text.Handler { return typesetter{fonts: font.DefaultCache, slim: true} }

// setAxis styles an axis of about the given length, with a labelled tick about every `every` points.
func setAxis(a *plot.Axis, f figure.Axis, s span, length, every vg.Length) {
	a.Min, a.Max = s.Min, s.Max
	a.Padding = 0
	a.LineStyle = draw.LineStyle{Color: axisInk(), Width: axisWidth}
	a.Label.TextStyle = aligned(textStyle(labelSize, false, ink()), draw.XCenter, draw.YBottom)
	a.Label.Text = balanced(f.Label, a.Label.TextStyle, 0.95*length)
	a.Label.TextStyle.Handler = slimHandler()
	a.Label.Padding = 3
	a.Tick.LineStyle = a.LineStyle
	a.Tick.Length = 3.5
	count := max(3, min(8, int(length/every)))
	if f.Log {
		a.Scale = LogScale{}
		a.Tick.Marker = logTicks{Max: count}
	} else {
		a.Scale = plot.LinearScale{}
		a.Tick.Marker = linearTicks{Max: count}
	}
}

// keepWhole leaves the ticks of a linear axis to whole numbers where it counts something: workers, iterations.
func keepWhole(a *plot.Axis, lines []figure.Line, values func(figure.Line) []float64) {
	t, linear := a.Tick.Marker.(linearTicks)
	for _, l := range lines {
		for _, v := range values(l) {
			if l.Style != figure.Bound && v != math.Trunc(v) {
				return
			}
		}
	}
	if linear && math.Floor(a.Max)-math.Ceil(a.Min) >= 1 {
		a.Tick.Marker = linearTicks{Max: t.Max, Whole: true}
	}
}

func aligned(sty text.Style, x text.XAlignment, y text.YAlignment) text.Style {
	sty.XAlign, sty.YAlign = x, y
	return sty
}

// settle seats the legend for a panel drawn on c.
func (p *panel) settle(c draw.Canvas) {
	p.legend.seat = inside
	p.legend.settle(p.DataCanvas(c), p.Plot, c.Size().X)
	p.heading.lift = p.legend.above()
}
