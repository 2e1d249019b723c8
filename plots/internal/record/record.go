// Package record provides a canvas that records the texts and paths that are drawn on it.
package record

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Canvas records the texts and paths that are drawn on it. Positions are in points, relative to the page. The record is
// used to write a PDF, or to check a drawing for faults.
type Canvas struct {
	Marks []any // *Text and *Path, in the order of drawing

	now   pen
	saved []pen
}

// pen is the drawing state that Canvas.Push saves and Canvas.Pop restores.
type pen struct {
	color color.Color
	width vg.Length
	dash  []vg.Length
	to    matrix // maps the canvas to the page
}

// Text is a piece of text that was drawn by one call.
type Text struct {
	Text  string
	Face  font.Face
	At    vg.Point     // start of the text's baseline
	Angle float64      // angle of the baseline in radians, counter-clockwise
	Box   vg.Rectangle // box around its letters
	Color color.NRGBA
}

// Path is a filled or stroked path without arcs.
type Path struct {
	Path  vg.Path
	Width vg.Length // width of the stroke; 0 if the path is filled
	Dash  []vg.Length
	Color color.NRGBA
}

var _ vg.Canvas = (*Canvas)(nil)

// New returns an empty canvas.
func New() *Canvas {
	r := &Canvas{now: pen{to: matrix{1, 0, 0, 1, 0, 0}}}
	vg.Initialize(r)
	return r
}

func (r *Canvas) SetLineWidth(w vg.Length)               { r.now.width = w }
func (r *Canvas) SetLineDash(d []vg.Length, _ vg.Length) { r.now.dash = d }
func (r *Canvas) SetColor(c color.Color)                 { r.now.color = c }
func (r *Canvas) Push()                                  { r.saved = append(r.saved, r.now) }
func (r *Canvas) Translate(pt vg.Point)                  { r.now.to = r.now.to.after(matrix{1, 0, 0, 1, pt.X, pt.Y}) }
func (r *Canvas) DrawImage(vg.Rectangle, image.Image)    {}

func (r *Canvas) Pop() {
	r.now, r.saved = r.saved[len(r.saved)-1], r.saved[:len(r.saved)-1]
}

func (r *Canvas) Scale(x, y float64) {
	r.now.to = r.now.to.after(matrix{vg.Length(x), 0, 0, vg.Length(y), 0, 0})
}

func (r *Canvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	r.now.to = r.now.to.after(matrix{vg.Length(cos), vg.Length(sin), vg.Length(-sin), vg.Length(cos), 0, 0})
}

func (r *Canvas) Stroke(p vg.Path) {
	if r.now.width > 0 {
		r.Marks = append(r.Marks, &Path{r.now.path(p), r.now.width, r.now.dash, r.now.ink()})
	}
}

func (r *Canvas) Fill(p vg.Path) {
	r.Marks = append(r.Marks, &Path{Path: r.now.path(p), Color: r.now.ink()})
}

// FillString records a text. Its box contains capitals and descenders; it is less high than a line of the font.
func (r *Canvas) FillString(f font.Face, pt vg.Point, s string) {
	size, to := f.Font.Size, r.now.to
	box := Nowhere()
	for _, corner := range []vg.Point{{Y: -0.2 * size}, {X: f.Width(s), Y: 0.72 * size}, {Y: 0.72 * size},
		{X: f.Width(s), Y: -0.2 * size}} {
		Widen(&box, to.apply(pt.Add(corner)))
	}
	r.Marks = append(r.Marks, &Text{Text: s, Face: f, At: to.apply(pt),
		Angle: math.Atan2(float64(to[1]), float64(to[0])), Box: box, Color: r.now.ink()})
}

// ink returns the colour of the pen, which is black by default.
func (p pen) ink() color.NRGBA {
	if p.color == nil {
		return color.NRGBA{A: 0xFF}
	}
	return color.NRGBAModel.Convert(p.color).(color.NRGBA)
}

// path converts a path to coordinates of the page. A circle becomes four Bézier curves. Other arcs do not occur.
func (p pen) path(path vg.Path) vg.Path {
	var out vg.Path
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			out.Move(p.to.apply(c.Pos))
		case vg.LineComp:
			out.Line(p.to.apply(c.Pos))
		case vg.ArcComp:
			const k = 0.5523 // distance of the control points of a quarter circle, as a fraction of the radius
			for q := range 4 {
				sin, cos := math.Sincos(c.Start + float64(q)*math.Pi/2)
				out.CubeTo(p.to.apply(c.Pos.Add(around(c.Radius, cos-k*sin, sin+k*cos))),
					p.to.apply(c.Pos.Add(around(c.Radius, -sin+k*cos, cos+k*sin))), p.to.apply(c.Pos.Add(around(c.Radius, -sin, cos))))
			}
		case vg.CloseComp:
			out.Close()
		default:
			panic("record: unexpected kind of path component")
		}
	}
	return out
}

// around returns the vector (x, y) multiplied by radius.
func around(radius vg.Length, x, y float64) vg.Point {
	return vg.Point{X: radius * vg.Length(x), Y: radius * vg.Length(y)}
}

// matrix is the affine map with the elements a to f, which maps (x, y) to (ax + cy + e, bx + dy + f).
type matrix [6]vg.Length

// apply returns the point to which the matrix maps p.
func (m matrix) apply(p vg.Point) vg.Point {
	return vg.Point{X: m[0]*p.X + m[2]*p.Y + m[4], Y: m[1]*p.X + m[3]*p.Y + m[5]}
}

// after returns the map that applies n and then m.
func (m matrix) after(n matrix) matrix {
	return matrix{m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1], m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5]}
}

// Nowhere returns a rectangle that contains no point.
func Nowhere() vg.Rectangle {
	const far = 1e9
	return vg.Rectangle{Min: vg.Point{X: far, Y: far}, Max: vg.Point{X: -far, Y: -far}}
}

// Widen enlarges a rectangle so that it contains a point.
func Widen(box *vg.Rectangle, p vg.Point) {
	box.Min.X, box.Min.Y = min(box.Min.X, p.X), min(box.Min.Y, p.Y)
	box.Max.X, box.Max.Y = max(box.Max.X, p.X), max(box.Max.Y, p.Y)
}
