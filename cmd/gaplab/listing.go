package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// listing is rows for reading, printed as aligned text or as Markdown, or as CSV.
type listing struct {
	head  []string
	right []string // headings of the columns that are aligned right: numbers
	rows  [][]string
}

func (l *listing) add(cells ...string) { l.rows = append(l.rows, cells) }

// text aligns the columns, two blanks between them, each line after the indentation. Columns that are empty in every
// row are left out, and the last one is cut where a line would be too long. paint, if not nil, colours a cell.
func (l *listing) text(w io.Writer, indent string, paint func(heading, cell string) string) {
	shown := l.shown()
	if len(shown) == 0 {
		return
	}
	width := make([]int, len(l.head))
	for _, line := range append([][]string{l.head}, l.rows...) {
		for _, i := range shown {
			width[i] = max(width[i], utf8.RuneCountInString(line[i]))
		}
	}
	room := columns - len(indent)
	for _, i := range shown[:len(shown)-1] {
		room -= width[i] + 2
	}
	for n, line := range append([][]string{l.head}, l.rows...) {
		var b strings.Builder
		for k, i := range shown {
			if k > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(line[i]))
			cell := line[i]
			if k == len(shown)-1 {
				cell = clip(cell, max(room, 20))
			}
			if paint != nil && n > 0 {
				cell = paint(l.head[i], cell)
			}
			switch {
			case slices.Contains(l.right, l.head[i]):
				b.WriteString(pad + cell)
			case k < len(shown)-1:
				b.WriteString(cell + pad)
			default:
				b.WriteString(cell)
			}
		}
		fmt.Fprintln(w, indent+strings.TrimRight(b.String(), " "))
	}
}

// shown are the columns that hold something.
func (l *listing) shown() []int {
	var out []int
	for i := range l.head {
		if len(l.rows) == 0 || slices.ContainsFunc(l.rows, func(row []string) bool { return row[i] != "" }) {
			out = append(out, i)
		}
	}
	return out
}

// markdown prints a table with every column.
func (l *listing) markdown(w io.Writer) {
	rule := make([]string, len(l.head))
	for i, name := range l.head {
		rule[i] = "---"
		if slices.Contains(l.right, name) {
			rule[i] = "---:"
		}
	}
	for _, line := range append([][]string{l.head, rule}, l.rows...) {
		cells := make([]string, len(line))
		for i, s := range line {
			cells[i] = strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ")
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
}

// csv prints a heading and the rows (RFC 4180, lines end in \n).
func (l *listing) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(l.head); err != nil {
		return err
	}
	return out.WriteAll(l.rows)
}
