package table

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gaplab/gaplab/harness/trace"
)

// Render writes the table as text, md, csv or json. Text and md round to the columns' formats; csv and json have all
// digits, and json is one object a line, one per row.
func (t Table) Render(w io.Writer, format string) error {
	switch format {
	case "text":
		return t.text(w)
	case "md":
		return t.markdown(w)
	case "csv":
		return t.csv(w)
	case "json":
		return t.json(w)
	}
	return fmt.Errorf("no format %q; there are text, md, csv, json", format)
}

func (t Table) head() []string {
	head := []string{t.Key}
	for _, c := range t.Columns {
		head = append(head, c.Title)
		if c.Compared {
			head = append(head, "printed", "difference")
		}
	}
	return head
}

// lines formats the cells for reading. A censored row's own numbers have a ≥.
func (t Table) lines() [][]string {
	var lines [][]string
	for _, r := range t.Rows {
		line := []string{trace.FormatLabel(r.Key)}
		for i, c := range t.Columns {
			cell := r.Cells[i]
			ours := number(c.Format, cell.Ours)
			if cell.Censored && ours != "" {
				ours = "≥ " + ours
			}
			line = append(line, ours)
			if c.Compared {
				line = append(line, number(c.Format, cell.Printed), number(signed(c.Format), cell.Difference))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func number(format string, v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}

// signed makes %.2f to %+.2f.
func signed(format string) string {
	if strings.Contains(format, "+") {
		return format
	}
	return strings.Replace(format, "%", "%+", 1)
}

func (t Table) text(w io.Writer) error {
	lines := append([][]string{t.head()}, t.lines()...)
	width := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, s := range line {
			width[i] = max(width[i], utf8.RuneCountInString(s))
		}
	}
	for _, line := range lines {
		var out strings.Builder
		for i, s := range line {
			if i > 0 {
				out.WriteString("  ")
			}
			out.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(s)))
			out.WriteString(s)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(out.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

func (t Table) markdown(w io.Writer) error {
	head := t.head()
	lines := [][]string{head, make([]string, len(head))}
	for i := range head {
		lines[1][i] = "---:"
	}
	for _, line := range append(lines, t.lines()...) {
		for i, s := range line {
			line[i] = strings.ReplaceAll(s, "|", `\|`)
		}
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | ")); err != nil {
			return err
		}
	}
	return nil
}

func (t Table) csv(w io.Writer) error {
	head := []string{t.Key}
	for _, c := range t.Columns {
		head = append(head, c.Title)
		if c.Compared {
			head = append(head, c.Title+" (printed)", c.Title+" (difference)")
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(append(head, "censored")); err != nil {
		return err
	}
	for _, r := range t.Rows {
		line := []string{key(r.Key)}
		for i, c := range t.Columns {
			line = append(line, digits(r.Cells[i].Ours))
			if c.Compared {
				line = append(line, digits(r.Cells[i].Printed), digits(r.Cells[i].Difference))
			}
		}
		if err := out.Write(append(line, strconv.FormatBool(r.Censored))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func key(v any) string {
	if x, ok := v.(float64); ok {
		return digits(&x)
	}
	return trace.FormatLabel(v)
}

func digits(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

func (t Table) json(w io.Writer) error {
	type cell struct {
		Ours       *float64 `json:"ours"`
		Printed    *float64 `json:"printed,omitempty"`
		Difference *float64 `json:"difference,omitempty"`
	}
	type row struct {
		Table    string          `json:"table,omitempty"`
		Key      map[string]any  `json:"key"`
		Columns  map[string]cell `json:"columns"`
		Censored bool            `json:"censored"`
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, r := range t.Rows {
		cells := map[string]cell{}
		for i, c := range t.Columns {
			own := r.Cells[i]
			cells[c.Title] = cell{own.Ours, own.Printed, own.Difference}
		}
		if err := out.Encode(row{Table: t.ID, Key: map[string]any{t.Key: r.Key}, Columns: cells,
			Censored: r.Censored}); err != nil {
			return err
		}
	}
	return nil
}
