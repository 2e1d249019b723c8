package plots

import (
	"math"
	"strings"
	"unicode"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Sizes of scripts, as fractions of the font size: the script's own size, and how far its baseline moves.
const (
	scriptSize = 0.72
	scriptUp   = 0.36
	scriptDown = 0.18
)

// typesetter is a text handler that sets ^{...} and _{...} as superscript and subscript, with a true minus sign inside.
// Scripts do not nest; an opening without a closing brace is literal text.
type typesetter struct {
	fonts *font.Cache
	slim  bool // report that lines have no width: see slimHandler
}

var _ text.Handler = typesetter{}

// run is a piece of a line set at one size and height.
type run struct {
	text  string
	size  float64 // of the font size
	shift float64 // of the baseline, in font sizes, up
}

func (t typesetter) Cache() *font.Cache { return t.fonts }

func (t typesetter) Extents(f font.Font) font.Extents {
	face := t.fonts.Lookup(f, f.Size)
	return face.Extents()
}

func (t typesetter) Lines(s string) []string {
	return strings.Split(strings.TrimRight(s, "\n"), "\n")
}

// Box is the width of a line and the height and depth of its font: scripts stay within these.
func (t typesetter) Box(line string, f font.Font) (width, height, depth vg.Length) {
	for _, r := range runsOf(line) {
		face := t.face(f, r)
		width += face.Width(r.text)
	}
	if t.slim && strings.TrimSpace(line) != "" {
		width = 0
	}
	e := t.Extents(f)
	return width, e.Ascent, e.Descent
}

// Draw puts s at pt. The lines stand as gonum's plain handler would set them.
func (t typesetter) Draw(c vg.Canvas, s string, sty text.Style, pt vg.Point) {
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
	t.slim = false
	for i, line := range lines {
		width, _, _ := t.Box(line, sty.Font)
		at := pt.Add(vg.Point{X: vg.Length(sty.XAlign) * width, Y: vg.Length(len(lines)-i) * sty.Font.Size})
		for _, r := range runsOf(line) {
			face := t.face(sty.Font, r)
			c.FillString(face, at.Add(vg.Point{Y: vg.Length(r.shift) * sty.Font.Size}), r.text)
			at.X += face.Width(r.text)
		}
	}
}

func (t typesetter) face(f font.Font, r run) font.Face {
	return t.fonts.Lookup(f, f.Size*vg.Length(r.size))
}

// runsOf splits a line at its scripts.
func runsOf(line string) []run {
	line = digitsBelow(printable(line))
	var runs []run
	literal := func(s string) {
		if s != "" {
			runs = append(runs, run{text: s, size: 1})
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
		if inner := strings.ReplaceAll(line[script.start+2:script.end-1], "-", minus); inner != "" {
			runs = append(runs, run{text: inner, size: scriptSize, shift: shift})
		}
		line = line[script.end:]
	}
}

// nextScript finds the first ^{...} or _{...}; its end is 0 if there is none.
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

// digitsBelow sets subscript digits as scripts: the typeface has too much room around its own.
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

// printable replaces what an SVG could not hold: control characters and broken UTF-8.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
