package term

import (
	"io"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/trace"
)

// Colours of text on a terminal, and how wide that is; the zero value has none, and cuts nothing.
type Colours struct {
	on    bool
	width int // columns of the terminal; 0: no terminal
}

// ColoursOf says whether w shows colours: a terminal, unless NO_COLOR (no-color.org) or TERM=dumb asks for none.
func ColoursOf(w io.Writer, getenv func(string) string) Colours {
	return Colours{IsTerminal(w) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb", Width(w)}
}

func (c Colours) paint(code, s string) string {
	if !c.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bold is for headings.
func (c Colours) Bold(s string) string { return c.paint("1", s) }

// Faint is for what explains.
func (c Colours) Faint(s string) string { return c.paint("2", s) }

func (c Colours) red(s string) string    { return c.paint("31", s) }
func (c Colours) green(s string) string  { return c.paint("32", s) }
func (c Colours) yellow(s string) string { return c.paint("33", s) }

// Outcome colours a word for how a run, a claim, a curve or a file came out, in a column with such a heading.
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
		string(claims.NotMeasured),
		"missing":
		return c.yellow(cell)
	}
	return cell
}
