package ipynb

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Problem is a problem of one cell, or of the whole notebook.
type Problem struct {
	Cell int    // position among all cells, from 1; 0: the whole notebook
	Code string // the first line of the cell, without commands to the kernel
	What string // description of the problem, which may have several lines
}

// String returns the description of the problem with its place.
func (p Problem) String() string {
	switch {
	case p.Cell == 0:
		return p.What
	case p.Code == "":
		return fmt.Sprintf("cell %d: %s", p.Cell, p.What)
	default:
		return fmt.Sprintf("cell %d (%s): %s", p.Cell, p.Code, p.What)
	}
}

// CheckExecuted lists the problems of an executed notebook: code cells that were not executed, errors, text on standard
// error, and cells with the tag figure that show no SVG. It returns nil if there are no problems.
func (nb *Notebook) CheckExecuted() []Problem {
	var out []Problem
	for i, c := range nb.Cells {
		if c.Type == "code" {
			out = append(out, at(i, c, c.executed())...)
		}
	}
	return out
}

// CheckStripped lists the code cells that have outputs or an execution count. A notebook in version control must have
// neither, because outputs depend on when and where it was executed.
func (nb *Notebook) CheckStripped() []Problem {
	var out []Problem
	for i, c := range nb.Cells {
		if c.Type == "code" && (len(c.Outputs) > 0 || c.Count != nil) {
			out = append(out, at(i, c, []string{
				"has outputs; clear them with jupyter-nbconvert --clear-output --inplace, or in the editor"})...)
		}
	}
	return out
}

// CodeCells returns the number of code cells.
func (nb *Notebook) CodeCells() int { return nb.count(func(Cell) bool { return true }) }

// Figures returns the number of code cells that show a figure, or that must show one (see FigureTag). Cells with YAML
// have no tag, but show the figure of their spec.
func (nb *Notebook) Figures() int {
	return nb.count(func(c Cell) bool { return c.figure() || slices.ContainsFunc(c.Outputs, showsSVG) })
}

func (nb *Notebook) count(is func(Cell) bool) int {
	n := 0
	for _, c := range nb.Cells {
		if c.Type == "code" && is(c) {
			n++
		}
	}
	return n
}

func (c Cell) figure() bool { return slices.Contains(c.Metadata.Tags, FigureTag) }

func (c Cell) executed() []string {
	var what []string
	if c.Count == nil && strings.TrimSpace(string(c.Source)) != "" { // Jupyter does not execute empty cells
		what = append(what, "was not executed")
	}
	for _, o := range c.Outputs {
		switch {
		case o.Type == "error":
			what = append(what, "error "+o.ErrorName+": "+indent(o.fault()))
		case o.Type == "stream" && o.Name == "stderr":
			what = append(what, "wrote to standard error: "+indent(string(o.Text)))
		}
	}
	if c.figure() && !slices.ContainsFunc(c.Outputs, showsSVG) {
		what = append(what, fmt.Sprintf("has the tag %q but shows no figure: no text/html output has a complete <svg> "+
			"element", FigureTag))
	}
	return what
}

// fault returns the text of an error. Most kernels repeat the message in the traceback, which is then the whole text.
func (o Output) fault() string {
	trace := strings.Join(o.Traceback, "\n")
	if strings.Contains(trace, o.Error) {
		return strings.TrimPrefix(trace, o.ErrorName+": ")
	}
	return o.Error + "\n" + trace
}

// showsSVG reports whether an output has an SVG in text/html. An output of image/svg+xml is blank on a page.
func showsSVG(o Output) bool {
	_, rest, found := strings.Cut(o.HTML(), "<svg")
	return found && strings.Contains(rest, "</svg>")
}

func at(i int, c Cell, what []string) []Problem {
	out := make([]Problem, len(what))
	for k, w := range what {
		out[k] = Problem{Cell: i + 1, Code: c.heading(), What: w}
	}
	return out
}

// heading returns the first line of the cell's code, shortened. It skips blank lines and kernel commands (%, !),
// because many cells begin with the same commands.
func (c Cell) heading() string {
	const most = 60
	for line := range strings.Lines(string(c.Source)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			continue
		}
		if utf8.RuneCountInString(line) > most {
			line = string([]rune(line)[:most-1]) + "…"
		}
		return line
	}
	return ""
}

// longest is the largest number of lines of a kernel's message that are shown, enough for a panic and the top of its
// stack.
const longest = 25

// Plain removes terminal colours from a kernel's message.
func Plain(s string) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]").ReplaceAllString(s, "")
}

// indent indents a message of several lines below its heading. It removes terminal colours, surrounding blank lines,
// and all lines after the first `longest` lines.
func indent(s string) string {
	s = strings.Trim(Plain(s), "\n")
	lines := strings.Split(s, "\n")
	if len(lines) == 1 {
		return s
	}
	if len(lines) > longest {
		lines = append(lines[:longest], "…")
	}
	return "\n\t" + strings.Join(lines, "\n\t")
}
