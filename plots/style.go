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

// hue is the colour of a Hue. Any two of them differ by 17 or more in the measure of CIEDE2000, also to readers with
// deuteranopia or protanopia, and in grey by 8 or more of the 100 steps of lightness.
func hue(i int) color.NRGBA {
	palette := [figure.Hues]color.NRGBA{
		{R: 0x31, G: 0x2C, B: 0xCB, A: 0xFF}, // blue
		{R: 0xF8, G: 0xAC, B: 0x30, A: 0xFF}, // orange
		{R: 0x1D, G: 0xA1, B: 0x6D, A: 0xFF}, // green
		{R: 0x96, G: 0x4B, B: 0x6E, A: 0xFF}, // mauve
		{R: 0xDF, G: 0x3C, B: 0x0D, A: 0xFF}, // vermilion
		{R: 0x99, G: 0x9A, B: 0xFD, A: 0xFF}, // lavender
		{R: 0x63, G: 0x1F, B: 0x13, A: 0xFF}, // maroon
	}
	return palette[wrapIndex(i, figure.Hues)]
}

// dashes is the line pattern of a Dash.
func dashes(i int) []vg.Length {
	patterns := [figure.Dashes][]vg.Length{nil, {4.5, 2.2}, {1.3, 1.7}, {6, 1.8, 1.3, 1.8}, {9, 2.5},
		{4, 1.5, 1.3, 1.5, 1.3, 1.5}}
	return patterns[wrapIndex(i, figure.Dashes)]
}

// wrapIndex is i modulo n, in [0, n) for negative i as well.
func wrapIndex(i, n int) int { return ((i % n) + n) % n }

// look is how a line is drawn.
type look struct {
	line   draw.LineStyle
	marker *marker // nil: no markers
}

// lookOf gives every other dash of a hue open markers, and each further pair of dashes another shape.
func lookOf(l figure.Line) look {
	if l.Style == figure.Bound {
		style := draw.LineStyle{Color: boundInk(), Width: boundWidth, Dashes: []vg.Length{3, 2}}
		if l.Own {
			style.Color = hue(l.Hue)
		}
		return look{line: style}
	}
	c, dash := hue(l.Hue), wrapIndex(l.Dash, figure.Dashes)
	m := &marker{shape: shapeOf(wrapIndex(l.Hue, figure.Hues) + 3*(dash/2)), color: c, open: dash%2 == 1, radius: 2.3}
	if l.Style == figure.Points {
		m.radius = 2.8
	}
	return look{line: draw.LineStyle{Color: c, Width: curveWidth, Dashes: dashes(dash)}, marker: m}
}

// textStyle is a style of the figures' typeface, the sans serif that comes with gonum.
func textStyle(size vg.Length, bold bool, c color.Color) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return text.Style{Color: c, Font: f, Handler: typesetter{fonts: font.DefaultCache}}
}
