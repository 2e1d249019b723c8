package term

import (
	"io"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/trace"
)

// Colours paints text for a terminal, and knows its width. The zero value paints nothing and has no width.
type Colours struct {
	on    bool
	width int // columns of the terminal; 0: no terminal
}

// ColoursOf returns the colours for w. Only a terminal has colours, unless NO_COLOR (no-color.org) or TERM=dumb is set.
func ColoursOf(w io.Writer, getenv func(string) string) Colours {
	return Colours{IsTerminal(w) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb", Width(w)}
}

// paint puts a text between an escape code and its end.
func (c Colours) paint(code, s string) string {
	if !c.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bold paints headings.
func (c Colours) Bold(s string) string { return c.paint("1", s) }

// Faint paints explanations.
func (c Colours) Faint(s string) string { return c.paint("2", s) }

func (c Colours) red(s string) string    { return c.paint("31", s) }
func (c Colours) green(s string) string  { return c.paint("32", s) }
func (c Colours) yellow(s string) string { return c.paint("33", s) }

// Outcome paints the outcome of a run, a claim, a curve or a file, if the heading is that of an outcome.
func (c Colours) Outcome(heading, cell string) string {
	if heading != "status" && heading != "state" && heading != "verdict" {
		return cell
	}
	switch cell {
	case string(trace.Done), string(claims.Reproduced), "ok", "finished":
		return c.green(cell)
	case string(trace.Failed), string(trace.Diverged), string(claims.NotReproduced), "moved", "bad":
		return c.red(cell)
	case string(trace.Interrupted), string(trace.Unsupported), string(trace.Budget), string(claims.NotTestable),
		string(claims.NotMeasured), "missing":
		return c.yellow(cell)
	}
	return cell
}
