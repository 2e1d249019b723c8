// Package typeset draws the texts of figures, with superscripts, subscripts and a typographic minus sign, and breaks
// them into lines of limited width.
package typeset

import (
	"math"
	"strings"
	"unicode"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Sizes of superscripts and subscripts, and the vertical shifts of their baselines, as fractions of the font size.
const (
	scriptSize = 0.72
	scriptUp   = 0.36
	scriptDown = 0.18
)

// Minus is U+2212, which is as wide as a plus sign. A hyphen is not a minus.
const Minus = "−"

// Handler is a text handler for gonum that draws ^{...} and _{...} as superscript and subscript. In these it draws a
// hyphen as a minus sign. Superscripts and subscripts cannot be nested. An opening brace without a closing brace is
// literal text.
type Handler struct {
	Fonts *font.Cache
	Slim  bool // whether Box reports no width for lines; see slimHandler in plots/panel.go
}

var _ text.Handler = Handler{}

// Run is a piece of a line in which all letters have the same size and vertical shift.
type Run struct {
	Text  string
	Size  float64 // size as a fraction of the font size
	Shift float64 // upward shift of the baseline, as a fraction of the font size
}

// Cache returns the fonts.
func (t Handler) Cache() *font.Cache { return t.Fonts }

// Extents returns the extents of a font.
func (t Handler) Extents(f font.Font) font.Extents {
	face := t.Fonts.Lookup(f, f.Size)
	return face.Extents()
}

// Lines splits a text into lines.
func (t Handler) Lines(s string) []string {
	return strings.Split(strings.TrimRight(s, "\n"), "\n")
}

// Box returns the width of a line, and the height and depth of its font. Superscripts and subscripts are within this
// height and depth.
func (t Handler) Box(line string, f font.Font) (width, height, depth vg.Length) {
	for _, r := range Runs(line) {
		face := t.face(f, r)
		width += face.Width(r.Text)
	}
	if t.Slim && strings.TrimSpace(line) != "" {
		width = 0
	}
	e := t.Extents(f)
	return width, e.Ascent, e.Descent
}

// Draw draws s at pt. It places the lines as the plain handler of gonum does.
func (t Handler) Draw(c vg.Canvas, s string, sty text.Style, pt vg.Point) {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
	}
	sin, cos := math.Sincos(sty.Rotation)
	pt = vg.Point{
		X: pt.Y*vg.Length(sin) + pt.X*vg.Length(cos),
		Y: pt.Y*vg.Length(cos) - pt.X*vg.Length(sin),
	}
	pt.Y += sty.Height(s)*vg.Length(sty.YAlign) - t.Extents(sty.Font).Ascent
	lines := t.Lines(s)
	t.Slim = false
	for i, line := range lines {
		width, _, _ := t.Box(line, sty.Font)
		at := pt.Add(vg.Point{X: vg.Length(sty.XAlign) * width, Y: vg.Length(len(lines)-i) * sty.Font.Size})
		for _, r := range Runs(line) {
			face := t.face(sty.Font, r)
			c.FillString(face, at.Add(vg.Point{Y: vg.Length(r.Shift) * sty.Font.Size}), r.Text)
			at.X += face.Width(r.Text)
		}
	}
}

// face returns the font for a run.
func (t Handler) face(f font.Font, r Run) font.Face {
	return t.Fonts.Lookup(f, f.Size*vg.Length(r.Size))
}

// Runs splits a line into pieces of normal text, superscripts and subscripts.
func Runs(line string) []Run {
	line = digitsBelow(printable(line))
	var runs []Run
	literal := func(s string) {
		if s != "" {
			runs = append(runs, Run{Text: s, Size: 1})
		}
	}
	for {
		script := nextScript(line)
		if script.end == 0 {
			literal(line)
			return runs
		}
		literal(line[:script.start])
		shift := scriptUp
		if line[script.start] == '_' {
			shift = -scriptDown
		}
		if inner := strings.ReplaceAll(line[script.start+2:script.end-1], "-", Minus); inner != "" {
			runs = append(runs, Run{Text: inner, Size: scriptSize, Shift: shift})
		}
		line = line[script.end:]
	}
}

// nextScript returns the position of the first ^{...} or _{...} in s. The end of the position is 0 if there is none.
func nextScript(s string) (span struct{ start, end int }) {
	for i := 0; i+1 < len(s); i++ {
		if (s[i] == '^' || s[i] == '_') && s[i+1] == '{' {
			if n := strings.IndexByte(s[i:], '}'); n > 0 {
				span.start, span.end = i, i+n+1
			}
			return span
		}
	}
	return span
}

// digitsBelow replaces the characters ₀ to ₉ by subscripts _{...}, because in the typeface these characters have too
// much space around them.
func digitsBelow(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= '₀' && r <= '₉' {
			b.WriteString("_{" + string('0'+r-'₀') + "}")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// printable replaces characters that an SVG cannot contain: control characters and invalid UTF-8.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// Plain returns a text without the markup of superscripts and subscripts.
func Plain(s string) string {
	var b strings.Builder
	for _, r := range Runs(s) {
		b.WriteString(r.Text)
	}
	return b.String()
}
