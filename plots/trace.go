package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/plots/internal/axis"
)

// mark is the position of one value on the canvas.
type mark struct {
	at             vg.Point
	underX, underY bool // whether x or y is below the floor of a log axis, and was moved to the floor
	visible        bool // whether the position is within the frame
	endless        bool // whether the value on a log axis is not positive, so infinitely far below the floor
}

// trace is a line on the canvas: the position of each value, and the pieces of its polyline within the frame.
type trace struct {
	marks  []mark
	pieces [][]vg.Point
}

// project computes the positions of values on the data canvas c of the plot p. If a line crosses the floor of a log
// axis, the line ends there. If a value is not positive, the line ends at the floor, at the x of that value.
func project(c draw.Canvas, p *plot.Plot, x, y []float64) trace {
	var t trace
	t.marks = make([]mark, len(x))
	var line []vg.Point
	flush := func() {
		if len(line) > 1 {
			for _, piece := range c.ClipLinesXY(line) {
				for k, q := range piece { // a line from far outside may leave the frame by rounding errors
					piece[k] = vg.Point{X: min(max(q.X, c.Min.X), c.Max.X), Y: min(max(q.Y, c.Min.Y), c.Max.Y)}
				}
				if extends(piece) {
					t.pieces = append(t.pieces, piece)
				}
			}
		}
		line = nil
	}
	for i := range x {
		nx, underX := axis.Place(p.X, x[i])
		ny, underY := axis.Place(p.Y, y[i])
		m := mark{at: vg.Point{X: c.X(nx), Y: c.Y(ny)}, underX: underX, underY: underY}
		m.endless = (underX && nx == 0) || (underY && ny == 0)
		if m.endless && i > 0 && t.marks[i-1].endless {
			flush()
		}
		line = append(line, m.at)
		if underX {
			m.at.X = c.Min.X
		}
		if underY {
			m.at.Y = c.Min.Y
		}
		m.visible = c.Contains(m.at)
		t.marks[i] = m
	}
	flush()
	return t
}

// extends reports whether a piece contains more than one distinct point.
func extends(piece []vg.Point) bool {
	for _, q := range piece {
		if q != piece[0] {
			return true
		}
	}
	return false
}

// spread returns points on the pieces. They are so close together that no letter fits between them.
func (t trace) spread() []vg.Point {
	const step = 3
	var out []vg.Point
	for _, piece := range t.pieces {
		for k := 1; k < len(piece); k++ {
			a, b := piece[k-1], piece[k]
			n := int(max(abs(b.X-a.X), abs(b.Y-a.Y))/step) + 1
			for j := range n + 1 {
				out = append(out, a.Add(b.Sub(a).Scale(vg.Length(j)/vg.Length(n))))
			}
		}
	}
	for _, m := range t.marks {
		if m.visible {
			out = append(out, m.at)
		}
	}
	return out
}

func abs(l vg.Length) vg.Length { return max(l, -l) }

// distance returns the distance of two points in the maximum norm, which is precise enough for the spacing of marks.
func distance(a, b vg.Point) vg.Length { return max(abs(a.X-b.X), abs(a.Y-b.Y)) }
