package plots

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// recorded is a canvas that keeps what is drawn on it, in points of the page: to be written as PDF, or to be looked
// over for faults.
type recorded struct {
	marks []any // *recordedText and *recordedPath, in the order in which they were drawn

	now   pen
	saved []pen
}

// pen is the state that Push keeps.
type pen struct {
	color color.Color
	width vg.Length
	dash  []vg.Length
	to    matrix // from the canvas to the page
}

// recordedText is a piece of text set in one go.
type recordedText struct {
	text  string
	face  font.Face
	at    vg.Point     // where its baseline begins
	angle float64      // of the baseline, counter-clockwise
	box   vg.Rectangle // around its letters
	color color.NRGBA
}

// recordedPath is a filled or stroked path. It has no arcs.
type recordedPath struct {
	path  vg.Path
	width vg.Length // of a stroke; 0: filled
	dash  []vg.Length
	color color.NRGBA
}

var _ vg.Canvas = (*recorded)(nil)

func newRecorded() *recorded {
	r := &recorded{now: pen{to: matrix{1, 0, 0, 1, 0, 0}}}
	vg.Initialize(r)
	return r
}

func (r *recorded) SetLineWidth(w vg.Length)               { r.now.width = w }
func (r *recorded) SetLineDash(d []vg.Length, _ vg.Length) { r.now.dash = d }
func (r *recorded) SetColor(c color.Color)                 { r.now.color = c }
func (r *recorded) Push()                                  { r.saved = append(r.saved, r.now) }
func (r *recorded) Translate(pt vg.Point)                  { r.now.to = r.now.to.after(matrix{1, 0, 0, 1, pt.X, pt.Y}) }
func (r *recorded) DrawImage(vg.Rectangle, image.Image)    {}

func (r *recorded) Pop() {
	r.now, r.saved = r.saved[len(r.saved)-1], r.saved[:len(r.saved)-1]
}

func (r *recorded) Scale(x, y float64) {
	r.now.to = r.now.to.after(matrix{vg.Length(x), 0, 0, vg.Length(y), 0, 0})
}

func (r *recorded) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	r.now.to = r.now.to.after(matrix{vg.Length(cos), vg.Length(sin), vg.Length(-sin), vg.Length(cos), 0, 0})
}

func (r *recorded) Stroke(p vg.Path) {
	if r.now.width > 0 {
		r.marks = append(r.marks, &recordedPath{r.now.path(p), r.now.width, r.now.dash, r.now.ink()})
	}
}

func (r *recorded) Fill(p vg.Path) {
	r.marks = append(r.marks, &recordedPath{path: r.now.path(p), color: r.now.ink()})
}

// FillString keeps the box of capitals and descenders, which is lower than the font's line.
func (r *recorded) FillString(f font.Face, pt vg.Point, s string) {
	size, to := f.Font.Size, r.now.to
	box := nowhere()
	for _, corner := range []vg.Point{{Y: -0.2 * size}, {X: f.Width(s), Y: 0.72 * size}, {Y: 0.72 * size},
		{X: f.Width(s), Y: -0.2 * size}} {
		widen(&box, to.apply(pt.Add(corner)))
	}
	r.marks = append(r.marks, &recordedText{text: s, face: f, at: to.apply(pt),
		angle: math.Atan2(float64(to[1]), float64(to[0])), box: box, color: r.now.ink()})
}

// texts and paths are what was drawn of each kind.
func (r *recorded) texts() []*recordedText { return only[*recordedText](r.marks) }
func (r *recorded) paths() []*recordedPath { return only[*recordedPath](r.marks) }

func only[T any](marks []any) (out []T) {
	for _, m := range marks {
		if t, ok := m.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

func (p pen) ink() color.NRGBA {
	if p.color == nil {
		return color.NRGBA{A: 0xFF}
	}
	return color.NRGBAModel.Convert(p.color).(color.NRGBA)
}

// path brings a path onto the page. A circle becomes four Bézier curves; there are no other arcs.
func (p pen) path(path vg.Path) vg.Path {
	var out vg.Path
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			out.Move(p.to.apply(c.Pos))
		case vg.LineComp:
			out.Line(p.to.apply(c.Pos))
		case vg.ArcComp:
			const k = 0.5523 // control points of a quarter, of the radius
			for q := range 4 {
				sin, cos := math.Sincos(c.Start + float64(q)*math.Pi/2)
				out.CubeTo(p.to.apply(c.Pos.Add(around(c.Radius, cos-k*sin, sin+k*cos))),
					p.to.apply(c.Pos.Add(around(c.Radius, -sin+k*cos, cos+k*sin))), p.to.apply(c.Pos.Add(around(c.Radius, -sin, cos))))
			}
		case vg.CloseComp:
			out.Close()
		default:
			panic("plots: a curve of a kind that is not drawn")
		}
	}
	return out
}

func around(radius vg.Length, x, y float64) vg.Point {
	return vg.Point{X: radius * vg.Length(x), Y: radius * vg.Length(y)}
}

// matrix is an affine map: (x, y) goes to (ax + cy + e, bx + dy + f).
type matrix [6]vg.Length

func (m matrix) apply(p vg.Point) vg.Point {
	return vg.Point{X: m[0]*p.X + m[2]*p.Y + m[4], Y: m[1]*p.X + m[3]*p.Y + m[5]}
}

// after is the map that first does n and then m.
func (m matrix) after(n matrix) matrix {
	return matrix{m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1], m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5]}
}

func nowhere() vg.Rectangle {
	const far = 1e9
	return vg.Rectangle{Min: vg.Point{X: far, Y: far}, Max: vg.Point{X: -far, Y: -far}}
}

func widen(box *vg.Rectangle, p vg.Point) {
	box.Min.X, box.Min.Y = min(box.Min.X, p.X), min(box.Min.Y, p.Y)
	box.Max.X, box.Max.Y = max(box.Max.X, p.X), max(box.Max.Y, p.Y)
}

// box is the box around the path.
func (p *recordedPath) box() vg.Rectangle {
	box := nowhere()
	for _, c := range p.path {
		if c.Type != vg.CloseComp {
			widen(&box, c.Pos)
		}
	}
	return box
}

// meets reports whether the path comes into a box; a circle does by the square in it.
func (p *recordedPath) meets(box vg.Rectangle) bool {
	var start, at vg.Point
	for _, c := range p.path {
		next := c.Pos
		switch c.Type {
		case vg.MoveComp:
			start, at = next, next
			continue
		case vg.CloseComp:
			next = start
		}
		if segmentMeets(at, next, box) {
			return true
		}
		at = next
	}
	return false
}

// segmentMeets is the clipping of Liang and Barsky.
func segmentMeets(a, b vg.Point, box vg.Rectangle) bool {
	from, to := vg.Length(0), vg.Length(1)
	for _, side := range [][2]vg.Length{{a.X - b.X, a.X - box.Min.X}, {b.X - a.X, box.Max.X - a.X},
		{a.Y - b.Y, a.Y - box.Min.Y}, {b.Y - a.Y, box.Max.Y - a.Y}} {
		switch p, q := side[0], side[1]; {
		case p == 0 && q < 0:
			return false
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		}
	}
	return from <= to
}
