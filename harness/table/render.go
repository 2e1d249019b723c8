package table

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/tabular"
)

// Render writes the table in a format: text, md, latex, csv or json. In text, md and latex, numbers are rounded to the
// formats of the columns. csv and json have all digits. json has one line per row, with an object.
func (t Table) Render(w io.Writer, format string) error {
	switch format {
	case "text":
		return t.Lines().Text(w, tabular.Layout{})
	case "md":
		return t.Lines().Markdown(w)
	case "latex":
		return t.Lines().LaTeX(w)
	case "csv":
		return t.digits().CSV(w)
	case "json":
		return tabular.JSON(w, t.objects()...)
	}
	return fmt.Errorf("no format %q; accepted: text, md, latex, csv, json", format)
}

// Lines returns the table with cells formatted for people. It marks numbers of runs that their budget stopped with ≥, ≤
// or, if they bound nothing, with the words so far.
func (t Table) Lines() *tabular.Listing {
	out := &tabular.Listing{Head: []string{t.Key}}
	for _, c := range t.Columns {
		out.Head = append(out.Head, c.heading())
		if c.Compared {
			out.Head = append(out.Head, "printed", "difference")
		}
	}
	out.Right = out.Head
	for _, r := range t.Rows {
		line := []string{trace.FormatLabel(r.Key)}
		for i, c := range t.Columns {
			cell := r.Cells[i]
			ours := number(c.Format, cell.Ours)
			switch {
			case ours == "":
			case cell.Bound != "":
				ours = cell.Bound + " " + ours
			case cell.SoFar:
				ours += " so far"
			}
			line = append(line, ours)
			if c.Compared {
				line = append(line, number(c.Format, cell.Printed), number(signed(c.Format), cell.Difference))
			}
		}
		out.Add(line...)
	}
	return out
}

func number(format string, v *float64) string {
	if v == nil {
		return ""
	}
	text := fmt.Sprintf(format, *v)
	if strings.Contains(text, "-") && !strings.ContainsAny(text, "123456789") { // rounded to zero: omit the minus
		return fmt.Sprintf(format, 0.0)
	}
	return text
}

// signed returns a format that always prints the sign, such as %+.2f for %.2f.
func signed(format string) string {
	if strings.Contains(format, "+") {
		return format
	}
	return strings.Replace(format, "%", "%+", 1)
}

// digits returns the table with all digits, and with a column that states which rows are censored (stopped by their
// budget).
func (t Table) digits() *tabular.Listing {
	out := &tabular.Listing{Head: []string{t.Key}}
	for _, c := range t.Columns {
		out.Head = append(out.Head, c.heading())
		if c.Compared {
			out.Head = append(out.Head, c.Title+" (printed)", c.Title+" (difference)")
		}
	}
	out.Head = append(out.Head, "censored")
	for _, r := range t.Rows {
		line := []string{key(r.Key)}
		for i, c := range t.Columns {
			line = append(line, digits(r.Cells[i].Ours))
			if c.Compared {
				line = append(line, digits(r.Cells[i].Printed), digits(r.Cells[i].Difference))
			}
		}
		out.Add(append(line, strconv.FormatBool(r.Censored))...)
	}
	return out
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

// object is a row of the table, for JSON.
type object struct {
	Table    string             `json:"table,omitempty"`
	Key      map[string]any     `json:"key"`
	Columns  map[string]numbers `json:"columns"`
	Censored bool               `json:"censored"`
}

// numbers contains the numbers of one cell, for JSON.
type numbers struct {
	Ours       *float64 `json:"ours"`
	Printed    *float64 `json:"printed,omitempty"`
	Difference *float64 `json:"difference,omitempty"`
}

func (t Table) objects() []object {
	var out []object
	for _, r := range t.Rows {
		cells := map[string]numbers{}
		for i, c := range t.Columns {
			cells[c.Title] = numbers{r.Cells[i].Ours, r.Cells[i].Printed, r.Cells[i].Difference}
		}
		out = append(out, object{Table: t.ID, Key: map[string]any{t.Key: r.Key}, Columns: cells, Censored: r.Censored})
	}
	return out
}
