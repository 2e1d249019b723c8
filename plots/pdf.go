package plots

import (
	"image/color"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas mends two faults of gonum's PDF writer. It knows only the 256 characters of code page 1252, which lacks the
// minus sign and Greek: so letters are filled as outlines. And it takes the components of a translucent colour, which
// are premultiplied, for the colour itself.
type pdfCanvas struct {
	vg.Canvas
}

// SetColor sets the colour of what is drawn next.
func (c pdfCanvas) SetColor(col color.Color) {
	c.Canvas.SetColor(straight(color.NRGBAModel.Convert(col).(color.NRGBA)))
}

// straight is a colour whose components are not multiplied by its opacity.
type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	const wide = 0x101
	return uint32(s.R) * wide, uint32(s.G) * wide, uint32(s.B) * wide, uint32(s.A) * wide
}

// FillString draws s with its baseline starting at pt. A glyph that the font cannot load is left out.
func (c pdfCanvas) FillString(face font.Face, pt vg.Point, s string) {
	var (
		buf  sfnt.Buffer
		em   = fixed.Int26_6(face.Face.UnitsPerEm()) // so that outlines come in font units
		unit = face.Font.Size / vg.Length(em)
		prev sfnt.GlyphIndex
		path vg.Path
	)
	for _, r := range s {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if kern, err := face.Face.Kern(&buf, prev, glyph, em, 0); err == nil && prev != 0 {
			pt.X += vg.Length(kern) * unit
		}
		if segments, err := face.Face.LoadGlyph(&buf, glyph, em, nil); err == nil {
			path = appendGlyph(path, segments, pt, unit)
		}
		if advance, err := face.Face.GlyphAdvance(&buf, glyph, em, 0); err == nil {
			pt.X += vg.Length(advance) * unit
		}
		prev = glyph
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}

// appendGlyph adds the outline of a glyph at pt; the font's y axis points down.
func appendGlyph(path vg.Path, segments sfnt.Segments, pt vg.Point, unit vg.Length) vg.Path {
	at := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: pt.X + vg.Length(p.X)*unit, Y: pt.Y - vg.Length(p.Y)*unit}
	}
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
	return path
}
