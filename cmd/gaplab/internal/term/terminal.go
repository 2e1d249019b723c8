package term

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Checked remembers the first error of a writer, so that lost output does not go unnoticed.
type Checked struct {
	io.Writer
	Err error
}

func (c *Checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if c.Err == nil {
		c.Err = err
	}
	return n, err
}

// IsTerminal says whether w is a terminal, be it Checked or not.
func IsTerminal(w io.Writer) bool { return Width(w) > 0 }

// Width is how many columns a terminal has now, at least 40, and 0 for what is no terminal.
func Width(w io.Writer) int {
	if c, ok := w.(*Checked); ok {
		w = c.Writer
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width == 0 {
		return Columns
	}
	return max(width, 40)
}
