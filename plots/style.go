package plots

import (
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	stdfont "golang.org/x/image/font"

	"github.com/gaplab/gaplab/harness/figure"
)

// minus is U+2212, which is as wide as a plus; a hyphen is not a minus.
const minus = "−"

// Sizes of type and lines, at which a figure of two columns fills the width of a page.
const (
	titleSize   vg.Length = 10
	panelSize   vg.Length = 9
	labelSize   vg.Length = 8.5
	tickSize    vg.Length = 8.5 // as labels: gonum mixes their measures
	legendSize  vg.Length = 8
	captionSize vg.Length = 6.5

	curveWidth vg.Length = 1.3
	boundWidth vg.Length = 1
	axisWidth  vg.Length = 0.6
	tickGap    vg.Length = 3 // at least, between labels
	gridWidth  vg.Length = 0.4
)

func white() color.NRGBA      { return color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF} }
func ink() color.NRGBA        { return color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xFF} }
func axisInk() color.NRGBA    { return color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xFF} }
func gridInk() color.NRGBA    { return color.NRGBA{R: 0xE4, G: 0xE4, B: 0xE4, A: 0xFF} }
func captionInk() color.NRGBA { return color.NRGBA{R: 0x77, G: 0x77, B: 0x77, A: 0xFF} }
func boundInk() color.NRGBA   { return color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 0xFF} }

// hue is the colour of a Hue: the palette of Okabe and Ito, which colour-blind readers can tell apart, without its
// yellow. Blue and purple are darker than theirs, so that the first four colours differ in grey too.
func hue(i int) color.NRGBA {
	palette := [...]color.NRGBA{
		{R: 0x00, G: 0x5F, B: 0x9E, A: 0xFF}, // blue
		{R: 0xE6, G: 0x9F, B: 0x00, A: 0xFF}, // orange
		{R: 0x00, G: 0x00, B: 0x00, A: 0xFF}, // black
		{R: 0xBE, G: 0x5C, B: 0x92, A: 0xFF}, // reddish purple
		{R: 0x00, G: 0x9E, B: 0x73, A: 0xFF}, // bluish green
		{R: 0xD5, G: 0x5E, B: 0x00, A: 0xFF}, // vermilion
		{R: 0x56, G: 0xB4, B: 0xE9, A: 0xFF}, // sky blue
	}
	return palette[wrapIndex(i, len(palette))]
}

// dashes is the line pattern of a Dash.
func dashes(i int) []vg.Length {
	patterns := [...][]vg.Length{nil, {4.5, 2.2}, {1.3, 1.7}, {6, 1.8, 1.3, 1.8}, {9, 2.5}}
	return patterns[wrapIndex(i, len(patterns))]
}

// wrapIndex is i modulo n, in [0, n) for negative i as well.
func wrapIndex(i, n int) int { return ((i % n) + n) % n }

// look is how a line is drawn.
type look struct {
	line   draw.LineStyle
	marker *marker // nil: no markers
}

func lookOf(l figure.Line) look {
	if l.Style == figure.Bound {
		return look{line: draw.LineStyle{Color: boundInk(), Width: boundWidth, Dashes: []vg.Length{3, 2}}}
	}
	c := hue(l.Hue)
	m := &marker{shape: shapeOf(l.Hue), color: c, open: l.Dash != 0, radius: 2.3}
	if l.Style == figure.Points {
		m.radius = 2.8
	}
	return look{line: draw.LineStyle{Color: c, Width: curveWidth, Dashes: dashes(l.Dash)}, marker: m}
}

// textStyle is a style of the figures' typeface, the sans serif that comes with gonum.
func textStyle(size vg.Length, bold bool, c color.Color) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return text.Style{Color: c, Font: f, Handler: typesetter{fonts: font.DefaultCache}}
}
