package typeset

import (
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Wrap breaks s at spaces, but not next to an equals sign. No line is wider than width, except if it is a single word.
func Wrap(s string, sty text.Style, width vg.Length) string {
	s = strings.Join(strings.Fields(s), " ")
	words := strings.Split(strings.ReplaceAll(s, " = ", "\x00"), " ")
	var lines []string
	line := ""
	for _, word := range words {
		word = strings.ReplaceAll(word, "\x00", " = ")
		switch longer := line + " " + word; {
		case line == "":
			line = word
		case sty.Width(longer) <= width:
			line = longer
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return strings.Join(append(lines, line), "\n")
}

// Balance breaks s into as many lines as Wrap, but with similar lengths, so that a unit or the last word is not alone
// on a line.
func Balance(s string, sty text.Style, width vg.Length) string {
	best := Wrap(s, sty, width)
	lines := strings.Count(best, "\n")
	for low, high := vg.Length(0), width; lines > 0 && high-low > 0.5; {
		middle := (low + high) / 2
		if tried := Wrap(s, sty, middle); strings.Count(tried, "\n") > lines {
			low = middle
		} else {
			best, high = tried, middle
		}
	}
	return best
}

// Shorten shortens s so that it is at most as wide as width. It replaces the middle of s by an ellipsis, because labels
// of one figure often differ only at their ends.
func Shorten(s string, sty text.Style, width vg.Length) string {
	s = strings.Join(strings.Fields(s), " ")
	if sty.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		tail := n / 3
		if cut := string(runes[:n-tail]) + "…" + string(runes[len(runes)-tail:]); sty.Width(cut) <= width {
			return cut
		}
	}
	return "…"
}
