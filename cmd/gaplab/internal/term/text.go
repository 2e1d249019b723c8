// Package term prints text, colours, tables, numbers and progress on a terminal, defines flags that accept one of a few
// words, and maps errors to exit codes. All commands of gaplab use it. It runs no experiments.
package term

import (
	"math"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/internal/tabular"
)

// Columns is the line width in characters where the output is no terminal.
const Columns = 100

// Decimals formats a number with n decimals, so that the numbers of a column can be compared. It uses scientific
// notation for large numbers and, if n > 2, for numbers that n decimals would show as 0. It returns "" if v is nil,
// which means that the number is not known.
func Decimals(v *float64, n int) string {
	switch {
	case v == nil:
		return ""
	case math.Abs(*v) >= 1e7 || *v != 0 && math.Abs(*v) < 0.5*math.Pow10(2-n) && n > 2:
		return strconv.FormatFloat(*v, 'e', 2, 64)
	}
	return strconv.FormatFloat(*v, 'f', n, 64)
}

// Exponent formats a number in scientific notation. If v is nil, it returns "".
func Exponent(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'e', 1, 64)
}

// FirstLine returns the first line of a text.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Hang breaks a text into lines that fit the terminal. The parameter at is a column: the caller has already printed the
// first line up to this column, and Hang indents all other lines to it.
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
