package term

import (
	"io"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/trace"
)

// Colours colours text for a terminal, and holds the width of the terminal. The zero value leaves text unchanged and
// has no width.
type Colours struct {
	on    bool
	width int // width of the terminal in columns; 0: no terminal
}

// ColoursOf returns the colours for w. Text has colours only on a terminal, and only if neither NO_COLOR (no-color.org)
// nor TERM=dumb is set.
func ColoursOf(w io.Writer, getenv func(string) string) Colours {
	return Colours{IsTerminal(w) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb", Width(w)}
}

// paint puts an escape code before a text and the reset code after it.
func (c Colours) paint(code, s string) string {
	if !c.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bold makes headings bold.
func (c Colours) Bold(s string) string { return c.paint("1", s) }

// Faint makes explanations faint.
func (c Colours) Faint(s string) string { return c.paint("2", s) }

func (c Colours) red(s string) string    { return c.paint("31", s) }
func (c Colours) green(s string) string  { return c.paint("32", s) }
func (c Colours) yellow(s string) string { return c.paint("33", s) }

// Outcome colours a cell in a column with the heading status, state or verdict. Such a column has the outcome of a run,
// a claim, a curve or a file.
func (c Colours) Outcome(heading, cell string) string {
	if heading != "status" && heading != "state" && heading != "verdict" {
		return cell
	}
	switch cell {
	case string(trace.Done), string(claims.Reproduced), "ok", "finished":
		return c.green(cell)
	case string(trace.Failed), string(trace.Diverged), string(claims.NotReproduced), "moved", "bad":
		return c.red(cell)
	case string(trace.Interrupted), string(trace.Unsupported), string(trace.Budget), string(trace.Stalled),
		string(claims.Tie), string(claims.NotTestable), string(claims.NotMeasured), "missing":
		return c.yellow(cell)
	}
	return cell
}
