package term

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Checked writes to another writer and stores the first error of that writer, so that lost output can be reported.
type Checked struct {
	io.Writer
	Err error
}

// Write implements io.Writer.
func (c *Checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if c.Err == nil {
		c.Err = err
	}
	return n, err
}

// IsTerminal reports whether w, or the writer in a Checked, is a terminal.
func IsTerminal(w io.Writer) bool { return Width(w) > 0 }

// Width returns the number of columns of the terminal w, at least 40. If w is not a terminal, it returns 0.
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
