package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/trace"
)

// columns is the width that text is set to.
const columns = 100

// clip shortens a text to n characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// status colours words for how a run, a claim, a curve or a file came out.
func (c colours) status(heading, cell string) string {
	if heading != "status" && heading != "state" && heading != "verdict" {
		return cell
	}
	switch cell {
	case string(trace.Done), string(claims.Reproduced), "ok", "finished":
		return c.green(cell)
	case string(trace.Failed), string(trace.Diverged), string(claims.NotReproduced), "moved", "bad":
		return c.red(cell)
	case string(trace.Interrupted), string(trace.Unsupported), string(trace.Budget), string(claims.NotTestable), "missing":
		return c.yellow(cell)
	}
	return cell
}

// count is a number with its noun: 1 run, 2 runs.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// bytesText is a size in memory or on disk, in decimal units.
func bytesText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}

// hang breaks a text into lines that start at a column, the first one being there already.
func hang(text string, at int) string {
	var b strings.Builder
	used := at
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > columns:
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
