package record

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// TestCanvas draws with random transformations, pens, and saved states. It checks the recorded marks against a second
// implementation, which maps points by the transformations one after the other, the last one first.
func TestCanvas(t *testing.T) {
	type state struct {
		maps  []func(vg.Point) vg.Point
		width vg.Length
		dash  []vg.Length
		ink   color.NRGBA
	}
	face := font.NewCache(liberation.Collection()).Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, 10)
	rng := rand.New(rand.NewPCG(31, 7))
	number := func() vg.Length { return vg.Length(math.Round(20*rng.Float64()-10) + 0.5) }
	for range 200 {
		c := New()
		now, saved := state{width: 1, ink: color.NRGBA{A: 0xFF}}, []state(nil)
		to := func(p vg.Point) vg.Point {
			for i := len(now.maps) - 1; i >= 0; i-- {
				p = now.maps[i](p)
			}
			return p
		}
		then := func(f func(vg.Point) vg.Point) { now.maps = append(now.maps[:len(now.maps):len(now.maps)], f) }
		var want []string
		write := func(kind string, path vg.Path, s state) string {
			text := fmt.Sprint(kind, s.ink, s.width, s.dash)
			for _, p := range path {
				text += fmt.Sprintf(" %d", p.Type)
				for _, q := range append(append([]vg.Point{}, p.Control...), p.Pos) {
					text += fmt.Sprintf(" %.3f %.3f", q.X+1e-9, q.Y+1e-9)
				}
			}
			return text
		}
		for range 25 {
			a, b := number(), number()
			switch rng.IntN(10) {
			case 0:
				c.Push()
				saved = append(saved, now)
			case 1:
				if len(saved) > 0 {
					c.Pop()
					now, saved = saved[len(saved)-1], saved[:len(saved)-1]
				}
			case 2:
				c.Translate(vg.Point{X: a, Y: b})
				then(func(p vg.Point) vg.Point { return vg.Point{X: p.X + a, Y: p.Y + b} })
			case 3:
				c.Scale(0.5, 2)
				then(func(p vg.Point) vg.Point { return vg.Point{X: p.X / 2, Y: p.Y * 2} })
			case 4:
				c.Rotate(math.Pi / 2) // counter-clockwise
				then(func(p vg.Point) vg.Point { return vg.Point{X: -p.Y, Y: p.X} })
			case 5:
				now.width = max(0, a)
				c.SetLineWidth(now.width)
			case 6:
				now.dash = []vg.Length{a, b}
				c.SetLineDash(now.dash, 0)
			case 7:
				now.ink = color.NRGBA{R: uint8(rng.IntN(256)), G: 1, B: uint8(rng.IntN(256)), A: uint8(1 + rng.IntN(255))}
				c.SetColor(now.ink)
			default:
				var path, mapped vg.Path
				at := []vg.Point{{X: a, Y: b}, {X: b, Y: a}, {X: number(), Y: number()}}
				path.Move(at[0])
				path.Line(at[1])
				path.Line(at[2])
				path.Close()
				mapped.Move(to(at[0]))
				mapped.Line(to(at[1]))
				mapped.Line(to(at[2]))
				mapped.Close()
				if c.Fill(path); rng.IntN(2) == 0 {
					c.Stroke(path)
					if now.width > 0 {
						want = append(want, write("fill", mapped, state{ink: now.ink}), write("stroke", mapped, now))
						continue
					}
				}
				want = append(want, write("fill", mapped, state{ink: now.ink}))
			}
		}
		for i, m := range c.Marks {
			p := m.(*Path)
			kind := map[bool]string{true: "fill", false: "stroke"}[p.Width == 0]
			got := write(kind, p.Path, state{ink: p.Color, width: p.Width, dash: p.Dash})
			if i >= len(want) || got != want[i] {
				t.Fatalf("mark %d of %d is\n%s\nwant the marks\n%q", i+1, len(want), got, want)
			}
		}
		if len(c.Marks) != len(want) {
			t.Fatalf("%d marks are recorded, want %d", len(c.Marks), len(want))
		}
		at := vg.Point{X: number(), Y: number()}
		c.FillString(face, at, "Åg")
		text := c.Marks[len(c.Marks)-1].(*Text)
		box := Nowhere()
		for _, x := range []vg.Length{0, face.Width("Åg")} {
			for _, y := range []vg.Length{-2, 7.2} {
				Widen(&box, to(at.Add(vg.Point{X: x, Y: y})))
			}
		}
		along := to(at.Add(vg.Point{X: 1})).Sub(to(at))
		angle := math.Atan2(float64(along.Y), float64(along.X))
		near := func(a, b vg.Point) bool { return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) < 1e-6 }
		if !near(text.At, to(at)) || !near(text.Box.Min, box.Min) || !near(text.Box.Max, box.Max) ||
			math.Abs(math.Remainder(text.Angle-angle, 2*math.Pi)) > 1e-6 || text.Color != now.ink || text.Text != "Åg" {
			t.Fatalf("text %+v, want it at %v with the angle %v, the box %v and the colour %v", text, to(at), angle, box,
				now.ink)
		}
	}
}

// TestCircle checks that the recorded curves of a circle, moved, stretched and rotated, go through all its quarter
// points, and are nowhere further from the ellipse than a thousandth of the radius.
func TestCircle(t *testing.T) {
	for _, start := range []float64{0, 1} {
		c := New()
		c.Translate(vg.Point{X: 3, Y: -4})
		c.Scale(2, 1)
		c.Rotate(0.7)
		var path vg.Path
		sin, cos := math.Sincos(start)
		path.Move(vg.Point{X: vg.Length(1 + 5*cos), Y: vg.Length(2 + 5*sin)})
		path.Arc(vg.Point{X: 1, Y: 2}, 5, start, 2*math.Pi)
		path.Close()
		c.Fill(path)
		got := c.Marks[0].(*Path).Path
		if len(got) != 6 {
			t.Fatalf("the circle has %d parts, want a move, four curves and a close", len(got))
		}
		back := func(p vg.Point) (x, y float64) { // in the coordinates of the circle, from its centre
			px, py := float64(p.X-3)/2, float64(p.Y+4)
			return px*math.Cos(0.7) + py*math.Sin(0.7) - 1, py*math.Cos(0.7) - px*math.Sin(0.7) - 2
		}
		for q := range 4 {
			from, part := got[q].Pos, got[q+1]
			for s := range 21 {
				v := float64(s) / 20
				var x, y float64
				for k, p := range []vg.Point{from, part.Control[0], part.Control[1], part.Pos} {
					weight := []float64{1, 3, 3, 1}[k] * math.Pow(v, float64(k)) * math.Pow(1-v, float64(3-k))
					bx, by := back(p)
					x, y = x+weight*bx, y+weight*by
				}
				angle := start + (float64(q)+v)*math.Pi/2
				if r := math.Hypot(x, y); math.Abs(r-5) > 0.005 {
					t.Errorf("start %g, quarter %d: distance %v from the centre, want 5", start, q, r)
				}
				if s%20 == 0 && math.Hypot(x-5*math.Cos(angle), y-5*math.Sin(angle)) > 1e-3 {
					t.Errorf("start %g, quarter %d: point (%v, %v), want the angle %v", start, q, x, y, angle)
				}
			}
		}
	}
}
