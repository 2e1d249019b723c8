package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// checked remembers the first error of a writer, so that output that was lost is not passed over.
type checked struct {
	w   io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

func isTerminal(w io.Writer) bool {
	if c, ok := w.(*checked); ok {
		w = c.w
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colours of text on a terminal; the zero value has none.
type colours struct{ on bool }

// coloursOf says whether w shows colours: a terminal, unless NO_COLOR (no-color.org) or TERM=dumb asks for none.
func (sys system) coloursOf(w io.Writer) colours {
	return colours{isTerminal(w) && sys.getenv("NO_COLOR") == "" && sys.getenv("TERM") != "dumb"}
}

func (c colours) paint(code, s string) string {
	if !c.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (c colours) bold(s string) string   { return c.paint("1", s) }
func (c colours) faint(s string) string  { return c.paint("2", s) }
func (c colours) red(s string) string    { return c.paint("31", s) }
func (c colours) green(s string) string  { return c.paint("32", s) }
func (c colours) yellow(s string) string { return c.paint("33", s) }
