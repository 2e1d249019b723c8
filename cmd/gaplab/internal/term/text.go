// Package term is what the verbs of the command line share: how text, colours, tables, numbers and progress are shown
// on a terminal, the flags that take one of a few words, and which fault ends the program with which exit code. It
// draws what it is given and runs nothing.
package term

import (
	"math"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/internal/tabular"
)

// Columns is the width that text is set to where there is no terminal, in characters.
const Columns = 100

// Decimals formats a number with n decimals, so that numbers below each other can be compared; in scientific notation
// if it is too large, or too small to show in more than two decimals. Nil, not known, is empty.
func Decimals(v *float64, n int) string {
	switch {
	case v == nil:
		return ""
	case math.Abs(*v) >= 1e7 || *v != 0 && math.Abs(*v) < 0.5*math.Pow10(2-n) && n > 2:
		return strconv.FormatFloat(*v, 'e', 2, 64)
	}
	return strconv.FormatFloat(*v, 'f', n, 64)
}

// Exponent formats a number whose order of magnitude is what matters. Nil, not known, is empty.
func Exponent(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'e', 1, 64)
}

// FirstLine is a text up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Hang breaks a text into lines that start at a column. The first line is taken to be at that column already.
func (c Colours) Hang(text string, at int) string {
	width := c.width
	if width == 0 {
		width = Columns
	}
	var b strings.Builder
	used := at
	for i, word := range strings.Fields(text) {
		n := tabular.Width(word)
		switch {
		case i == 0:
		case used+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", at))
			used = at
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
