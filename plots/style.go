package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// Sizes of fonts and lines, in points, for a figure of two columns of panels that fills the width of a page.
const (
	titleSize   vg.Length = 10
	panelSize   vg.Length = 9
	labelSize   vg.Length = 8.5
	tickSize    vg.Length = 8.5 // equal to labelSize, because gonum mixes up the sizes of labels and ticks
	legendSize  vg.Length = 8
	captionSize vg.Length = 6.5

	curveWidth vg.Length = 1.3
	boundWidth vg.Length = 1
	axisWidth  vg.Length = 0.6
	tickGap    vg.Length = 3 // smallest distance between tick labels
	gridWidth  vg.Length = 0.4

	lineSkip = 1.25 // distance between lines of text, as a multiple of the font size
)

func white() color.NRGBA      { return color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF} }
func ink() color.NRGBA        { return color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xFF} }
func axisInk() color.NRGBA    { return color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xFF} }
func gridInk() color.NRGBA    { return color.NRGBA{R: 0xE4, G: 0xE4, B: 0xE4, A: 0xFF} }
func captionInk() color.NRGBA { return color.NRGBA{R: 0x77, G: 0x77, B: 0x77, A: 0xFF} }
func boundInk() color.NRGBA   { return color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 0xFF} }

// hue returns the colour of a Hue. Any two colours differ by at least 17 in the CIEDE2000 measure, also for readers
// with deuteranopia or protanopia (red-green colour blindness). In grey their lightness differs by at least 8 of 100.
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

// dashes returns the line pattern of a Dash.
func dashes(i int) []vg.Length {
	patterns := [figure.Dashes][]vg.Length{nil, {4.5, 2.2}, {1.3, 1.7}, {6, 1.8, 1.3, 1.8}, {9, 2.5},
		{4, 1.5, 1.3, 1.5, 1.3, 1.5}}
	return patterns[wrapIndex(i, figure.Dashes)]
}

// boundDashes returns the line pattern of a bound that has the colour of a Hue. Colours of similar lightness have
// different patterns, so that bounds differ in grey too.
func boundDashes(i int) []vg.Length {
	patterns := [][]vg.Length{{3, 2}, {1.2, 1.5}, {5, 1.6, 1.2, 1.6}}
	i = wrapIndex(i, figure.Hues)
	return patterns[(i+i/3)%len(patterns)]
}

// wrapIndex returns i modulo n. The result is in [0, n) even if i is negative.
func wrapIndex(i, n int) int { return ((i % n) + n) % n }

// textStyle returns a text style with gonum's sans serif typeface, which all texts in figures use.
func textStyle(size vg.Length, bold bool, c color.Color) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return text.Style{Color: c, Font: f, Handler: typeset.Handler{Fonts: font.DefaultCache}}
}

// aligned returns a text style with another alignment.
func aligned(sty text.Style, x text.XAlignment, y text.YAlignment) text.Style {
	sty.XAlign, sty.YAlign = x, y
	return sty
}

// linesOf returns the lines of a text, or nil if the text is empty.
func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// block returns the height of some lines of text with a gap, or 0 if there are no lines.
func block(lines []string, size, gap vg.Length) vg.Length {
	if len(lines) == 0 {
		return 0
	}
	return vg.Length(len(lines))*size*lineSkip + gap
}

// tileOf returns the size of a panel in a figure with the given number of columns. One column nearly fills a column of
// a journal, and two to four fill the width of a page.
func tileOf(columns int) vg.Point {
	switch columns {
	case 1:
		return vg.Point{X: 3.5 * vg.Inch, Y: 2.5 * vg.Inch}
	case 2:
		return vg.Point{X: 3.2 * vg.Inch, Y: 2.4 * vg.Inch}
	case 3:
		return vg.Point{X: 2.25 * vg.Inch, Y: 1.95 * vg.Inch}
	default:
		return vg.Point{X: 1.8 * vg.Inch, Y: 1.8 * vg.Inch}
	}
}

// Palette returns the colours of all hues, starting with hue 0, as #RRGGBB. Pages that draw the lines of a figure
// themselves use these colours.
func Palette() (colours []string) {
	for i := 0; ; i++ {
		c := hue(i)
		text := fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B)
		if slices.Contains(colours, text) {
			return colours
		}
		colours = append(colours, text)
	}
}
