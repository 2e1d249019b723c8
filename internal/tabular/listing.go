// Package tabular writes tables as aligned text, Markdown, LaTeX, CSV and JSON. Cells are strings; the package does not
// format numbers.
//
//	t := &tabular.Listing{Head: []string{"solver", "passes"}, Right: []string{"passes"}}
//	t.Add("eg", "12.0")
//	err := t.Markdown(os.Stdout)
package tabular

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// Listing is a table: headings, and rows with a cell for each heading.
type Listing struct {
	Head  []string
	Right []string // headings of the columns that are aligned right, such as columns of numbers
	Rows  [][]string
}

// Add appends a row, which must have a cell for each heading.
func (t *Listing) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Layout describes how Text prints a listing. The zero value prints all columns in full.
type Layout struct {
	// Indent is written before each line.
	Indent string
	// Width is the largest width of a line, in columns of the terminal; 0: no limit. If a line does not fit, the cells
	// of the last column are cut, to 20 columns or more. If that is not enough, headings of several words are written
	// on several lines. If that is not enough either, each cell is written on its own line, after its heading.
	Width int
	// Sparse leaves out columns that are empty in every row.
	Sparse bool
	// Paint adds colours to a cell, given the heading of its column; nil: no colours.
	Paint func(heading, cell string) string
}

// Text prints aligned columns with two spaces between them. It prints nothing if there are no columns to print.
func (t *Listing) Text(w io.Writer, l Layout) error {
	shown := t.shown(l.Sparse)
	if len(shown) == 0 {
		return nil
	}
	heads := [][]string{t.Head}
	width, fits := t.widths(heads, shown, l)
	if !fits {
		heads = t.stacked()
		width, fits = t.widths(heads, shown, l)
	}
	if !fits {
		return t.onSide(w, l, shown)
	}
	last := shown[len(shown)-1]
	for n, line := range slices.Concat(heads, t.Rows) {
		var b strings.Builder
		for k, i := range shown {
			if k > 0 {
				b.WriteString("  ")
			}
			cell := Clip(line[i], width[i])
			pad := strings.Repeat(" ", width[i]-Width(cell))
			if l.Paint != nil && n >= len(heads) {
				cell = l.Paint(t.Head[i], cell)
			}
			switch {
			case slices.Contains(t.Right, t.Head[i]):
				b.WriteString(pad + cell)
			case i != last:
				b.WriteString(cell + pad)
			default:
				b.WriteString(cell)
			}
		}
		if _, err := fmt.Fprintln(w, l.Indent+strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// widths returns the widths of the columns in characters. fit is true if the lines fit the width of the layout.
func (t *Listing) widths(heads [][]string, shown []int, l Layout) (width []int, fit bool) {
	width = make([]int, len(t.Head))
	for _, line := range slices.Concat(heads, t.Rows) {
		for _, i := range shown {
			width[i] = max(width[i], Width(line[i]))
		}
	}
	if l.Width == 0 {
		return width, true
	}
	last := shown[len(shown)-1]
	room := l.Width - len(l.Indent)
	for _, i := range shown[:len(shown)-1] {
		room -= width[i] + 2
	}
	if room < min(width[last], 20) {
		return width, false
	}
	width[last] = min(width[last], room)
	return width, true
}

// stacked returns the headings as several lines, with one word of each heading per line. A heading with fewer words
// begins further down, so that the last line has the last word of every heading.
func (t *Listing) stacked() [][]string {
	words := make([][]string, len(t.Head))
	most := 1
	for i, head := range t.Head {
		words[i] = strings.Fields(head)
		most = max(most, len(words[i]))
	}
	lines := make([][]string, most)
	for n := range lines {
		lines[n] = make([]string, len(t.Head))
		for i := range t.Head {
			if k := n - most + len(words[i]); k >= 0 {
				lines[n][i] = words[i][k]
			}
		}
	}
	return lines
}

// shown returns the indices of the columns that are printed.
func (t *Listing) shown(sparse bool) []int {
	var out []int
	for i := range t.Head {
		if !sparse || len(t.Rows) == 0 || slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" }) {
			out = append(out, i)
		}
	}
	return out
}

// onSide prints each cell that is not empty on its own line, after its heading. An empty line separates the rows.
func (t *Listing) onSide(w io.Writer, l Layout, shown []int) error {
	widest := 0
	for _, i := range shown {
		widest = max(widest, Width(t.Head[i]))
	}
	for n, row := range t.Rows {
		if n > 0 {
			fmt.Fprintln(w)
		}
		for _, i := range shown {
			if row[i] == "" {
				continue
			}
			cell := Clip(row[i], max(l.Width-len(l.Indent)-widest-2, 10))
			if l.Paint != nil {
				cell = l.Paint(t.Head[i], cell)
			}
			pad := strings.Repeat(" ", widest-Width(t.Head[i]))
			if _, err := fmt.Fprintln(w, l.Indent+t.Head[i]+pad+"  "+cell); err != nil {
				return err
			}
		}
	}
	return nil
}

// Width returns how many columns of the terminal a text takes. East Asian characters take two columns each; combining
// accents take none.
func Width(s string) int { return uniseg.StringWidth(s) }

// Clip shortens a text to n columns of the terminal. If it cuts the text, the result ends in an ellipsis.
func Clip(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	used := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used > n-1 {
			from, _ := g.Positions()
			return s[:from] + "…"
		}
	}
	return s
}

// Markdown writes a table with all columns. In cells, it escapes vertical bars and replaces line breaks by spaces.
func (t *Listing) Markdown(w io.Writer) error {
	rule := make([]string, len(t.Head))
	for i, name := range t.Head {
		rule[i] = "---"
		if slices.Contains(t.Right, name) {
			rule[i] = "---:"
		}
	}
	for _, line := range append([][]string{t.Head, rule}, t.Rows...) {
		cells := make([]string, len(line))
		for i, s := range line {
			cells[i] = strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ")
		}
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")); err != nil {
			return err
		}
	}
	return nil
}

// LaTeX writes a tabular environment. It needs the LaTeX package booktabs for the horizontal lines.
func (t *Listing) LaTeX(w io.Writer) error {
	align := ""
	for _, name := range t.Head {
		if slices.Contains(t.Right, name) {
			align += "r"
		} else {
			align += "l"
		}
	}
	// special replaces characters that have a meaning in LaTeX, or that LaTeX fonts lack
	special := strings.NewReplacer(`\`, `\textbackslash{}`, `&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`,
		`{`, `\{`, `}`, `\}`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, "\n", " ",
		"≥", `$\geq$`, "λ", `$\lambda$`, "ε", `$\varepsilon$`, "−", "--", "±", `$\pm$`)
	lines := []string{`\begin{tabular}{` + align + `}`, `\toprule`}
	for i, line := range append([][]string{t.Head}, t.Rows...) {
		cells := make([]string, len(line))
		for c, s := range line {
			cells[c] = special.Replace(s)
		}
		lines = append(lines, strings.Join(cells, " & ")+` \\`)
		if i == 0 {
			lines = append(lines, `\midrule`)
		}
	}
	lines = append(lines, `\bottomrule`, `\end{tabular}`, "")
	_, err := io.WriteString(w, strings.Join(lines, "\n"))
	return err
}

// CSV writes the headings and the rows as in RFC 4180, but lines end in \n.
func (t *Listing) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(t.Head); err != nil {
		return err
	}
	return out.WriteAll(t.Rows)
}
