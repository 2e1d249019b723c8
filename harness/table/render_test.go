package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// draw returns a random table. Some numbers are missing, and some round to zero.
func draw(rng *rand.Rand) table.Table {
	out := table.Table{ID: "eg/tab", Key: "C"}
	for i := range 1 + rng.IntN(3) {
		format := []string{"%.2f", "%+.2f", "%.4f", "%+.3f", "%8.2f", "%-8.3f", "%06.2f"}[rng.IntN(7)]
		out.Columns = append(out.Columns, table.Column{Title: fmt.Sprint("column ", i), Format: format,
			Compared: rng.IntN(2) == 0})
	}
	number := func() *float64 {
		v := []float64{0, -0.0001, 0.0001, -0.005, -0.1, 1.5, -2.25, 1e6, 1.0 / 3}[rng.IntN(9)]
		if rng.IntN(5) == 0 {
			return nil
		}
		return &v
	}
	for i := range 1 + rng.IntN(3) {
		r := table.Row{Key: any(float64(i) + 1.0/3), Censored: rng.IntN(2) == 0}
		if rng.IntN(2) == 0 {
			r.Key = fmt.Sprint("row ", i)
		}
		for range out.Columns {
			r.Cells = append(r.Cells, table.Cell{Ours: number(), Printed: number(), Difference: number()})
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// written renders a table.
func written(t *testing.T, from table.Table, format string) string {
	t.Helper()
	var out bytes.Buffer
	if err := from.Render(&out, format); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestNumbersAreReadBack checks on random tables that the numbers in csv and json are those of the table, with all
// digits, and that the cells of md are these numbers rounded to the formats of the columns. Differences have a sign; a
// number that rounds to zero has no minus.
func TestNumbersAreReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	same := func(text string, v *float64) bool {
		x, err := strconv.ParseFloat(text, 64)
		return v == nil && text == "" || v != nil && err == nil && x == *v
	}
	rounded := func(text, format string, v *float64, signed bool) bool {
		if v == nil || text == "" {
			return v == nil && text == ""
		}
		digits, _ := strconv.Atoi(string(format[len(format)-2]))
		x, err := strconv.ParseFloat(text, 64)
		_, fraction, _ := strings.Cut(text, ".")
		hasSign := strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-")
		return err == nil && len(fraction) == digits && math.Abs(x-*v) <= 0.51*math.Pow(10, -float64(digits)) &&
			(x != 0 || !strings.HasPrefix(text, "-")) && hasSign == (signed || strings.Contains(format, "+") || x < 0)
	}
	for range 100 {
		from := draw(rng)
		rows, err := csv.NewReader(strings.NewReader(written(t, from, "csv"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		objects := strings.Split(strings.TrimSpace(written(t, from, "json")), "\n")
		lines := strings.Split(strings.TrimSpace(written(t, from, "md")), "\n")[2:]
		for i, r := range from.Rows {
			var o struct {
				Table    string
				Key      map[string]any
				Censored bool
				Columns  map[string]struct{ Ours, Printed, Difference *float64 }
			}
			if err := json.Unmarshal([]byte(objects[i]), &o); err != nil {
				t.Fatal(err)
			}
			row, cells := rows[i+1], strings.Split(lines[i], "|")[1:]
			key, isNumber := r.Key.(float64)
			if o.Table != from.ID || o.Key["C"] != r.Key || o.Censored != r.Censored ||
				row[len(row)-1] != fmt.Sprint(r.Censored) || isNumber && !same(row[0], &key) || !isNumber && row[0] != r.Key ||
				strings.TrimSpace(cells[0]) != trace.FormatLabel(r.Key) {
				t.Errorf("row %v, censored %v: %s, %q, %q", r.Key, r.Censored, objects[i], row, lines[i])
			}
			row, cells = row[1:], cells[1:]
			for k, c := range from.Columns {
				cell, object := r.Cells[k], o.Columns[c.Title]
				for j, v := range []*float64{cell.Ours, cell.Printed, cell.Difference} {
					if j > 0 && !c.Compared {
						continue
					}
					if !same(row[0], v) || !rounded(strings.TrimSpace(cells[0]), c.Format, v, j == 2) {
						t.Errorf("number %d of the format %s, compared %v: csv %q, md %q, want %s", j, c.Format, c.Compared, row[0],
							cells[0], text(v))
					}
					if read := []*float64{object.Ours, object.Printed, object.Difference}[j]; text(read) != text(v) {
						t.Errorf("number %d: json %s, want %s", j, text(read), text(v))
					}
					row, cells = row[1:], cells[1:]
				}
			}
		}
	}
	if err := (table.Table{}).Render(&bytes.Buffer{}, "pdf"); err == nil || !strings.HasPrefix(err.Error(),
		`no format "pdf"; accepted: text, md`) {
		t.Errorf("error of the format pdf: %v", err)
	}
}

// text returns a number that may be missing as a text.
func text(v *float64) string {
	if v == nil {
		return "missing"
	}
	return fmt.Sprint(*v)
}

// cellsOf returns a line for each row of a table: its key, and for each cell our number, the printed number and their
// difference, where these are known.
func cellsOf(d table.Table) (lines []string) {
	for _, r := range d.Rows {
		line := fmt.Sprint(r.Key)
		for _, c := range r.Cells {
			line += " " + text(c.Ours) + "," + text(c.Printed) + "," + text(c.Difference)
		}
		lines = append(lines, strings.ReplaceAll(line, "missing", ""))
	}
	return lines
}
