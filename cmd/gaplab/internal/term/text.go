// Package term shows text, colours, tables, numbers and progress on a terminal, defines flags that accept one of a few
// words, and maps errors to exit codes. The verbs of the command line share it. It runs nothing.
package term

import (
	"math"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/internal/tabular"
)

// Columns is the width of text in characters if there is no terminal.
const Columns = 100

// Decimals formats a number with n decimals, so that the numbers of a column can be compared. It uses scientific
// notation for large numbers, and for numbers too small to show if n > 2. It returns "" for nil, an unknown number.
func Decimals(v *float64, n int) string {
	switch {
	case v == nil:
		return ""
	case math.Abs(*v) >= 1e7 || *v != 0 && math.Abs(*v) < 0.5*math.Pow10(2-n) && n > 2:
		return strconv.FormatFloat(*v, 'e', 2, 64)
	}
	return strconv.FormatFloat(*v, 'f', n, 64)
}

// Exponent formats a number in scientific notation. It returns "" for nil, an unknown number.
func Exponent(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'e', 1, 64)
}

// FirstLine returns a text up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Hang breaks a text into lines that start at a column. The first line must already be at that column.
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
