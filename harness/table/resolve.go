package table

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/table/printed"
	"github.com/gaplab/gaplab/harness/trace"
)

// Resolve makes a table from its spec and the curves of its runs. printedFile reads the CSV file of printed numbers in
// the folder of the spec; Resolve calls it only if the spec names a file. The runs of a row are averaged over seeds,
// folds, and the labels that the spec lists under average. If runs differ in other labels, the filter of the table or
// of a column (where) must select one of them. The rows have the order of the runs.
func Resolve(t *lang.TableSpec, set *trace.Set, printedFile func(name string) ([]byte, error)) (Table, error) {
	set, wall := set.OnWall()
	curves, err := expr.Filter(t.Where, set)
	if err != nil {
		return Table{}, &lang.Fault{Line: t.Line, Key: "table", Reason: err.Error()} // the text begins with "where: "
	}
	paper, err := readPrinted(t, printedFile)
	if err != nil {
		return Table{}, err
	}
	out := Table{Key: t.Rows}
	if set.Err != nil {
		out.Warnings = append(out.Warnings, set.Err.Error())
	}
	if out.Columns, err = columns(t, paper); err != nil {
		return Table{}, err
	}
	if wall {
		out.onWall()
	}
	rows, err := out.group(t, curves, set)
	if err != nil {
		return Table{}, err
	}
	for _, r := range rows {
		row, err := out.row(t, r, paper, set)
		if err != nil {
			return Table{}, err
		}
		out.Rows = append(out.Rows, row)
	}
	if paper != nil {
		out.missing(paper)
	}
	return out, nil
}

// onWall marks the columns that show wall-clock time because there is no CPU time.
func (out *Table) onWall() {
	for i, c := range out.Columns {
		if strings.Contains(c.Name, trace.CPUSeconds) {
			out.Columns[i].Note = "wall clock"
			out.Warnings = append(out.Warnings, c.Title+" is wall-clock time: some of the runs have no CPU time")
		}
	}
}

func readPrinted(t *lang.TableSpec, file func(string) ([]byte, error)) (*printed.Numbers, error) {
	if t.Printed == "" {
		return nil, nil
	}
	if file == nil {
		return nil, fmt.Errorf("printed: %s cannot be read: the spec has no folder", t.Printed)
	}
	data, err := file(t.Printed)
	if err != nil {
		return nil, fmt.Errorf("printed: %w", err)
	}
	return printed.Parse(t.Printed, data)
}

// columns finds, for each column of the spec, the heading of the printed file with which it is compared. If the spec
// gives the heading of a column, that heading must exist. Otherwise it is the heading that equals the title or the name
// of the column, if there is one.
func columns(t *lang.TableSpec, paper *printed.Numbers) ([]Column, error) {
	var out []Column
	for _, c := range t.Columns {
		column := Column{Name: c.Name, Title: cmp.Or(c.Title, title(c.Name)), Format: cmp.Or(c.Format, "%.4g")}
		if heading := headingOf(c, paper); heading != "" {
			column.Compared = true
		} else if c.Printed != "" {
			if paper == nil {
				return nil, fmt.Errorf("column %s: it names the printed heading %q, but the table names no printed file", c.Name,
					c.Printed)
			}
			return nil, fmt.Errorf("column %s: %s has no heading %q; it has %s", c.Name, paper.Name, c.Printed,
				strings.Join(paper.Head, ", "))
		}
		out = append(out, column)
	}
	return out, nil
}

func headingOf(c lang.Column, paper *printed.Numbers) string {
	if paper == nil {
		return ""
	}
	candidates := []string{c.Title, c.Name}
	if c.Printed != "" {
		candidates = []string{c.Printed}
	}
	for _, h := range candidates {
		if paper.Column(h) > 0 {
			return h
		}
	}
	return ""
}

func title(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "final."), "_", " ")
}

type group struct {
	key    any
	curves []*trace.Curve
}

// group collects the runs of each row of the table.
func (out *Table) group(t *lang.TableSpec, curves []*trace.Curve, among *trace.Set) ([]group, error) {
	var rows []group
	set := trace.Set{Curves: curves}
	for _, c := range curves {
		if c.Len() == 0 {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the run %s is left out: %s %s",
				cmp.Or(c.Describe(set.Varying()), c.Describe([]string{"as", trace.C})), c.Status, c.Why))
			continue
		}
		key, ok := c.Labels[t.Rows]
		if !ok {
			v, err := expr.Axis(t.Rows, c, among)
			if err != nil {
				return nil, &lang.Fault{Line: t.Line, Key: "table.rows", Reason: err.Error()}
			}
			if key, ok = v.(float64); !ok {
				return nil, fmt.Errorf("rows: %s is a column, not a number; write final.%s", t.Rows, t.Rows)
			}
		}
		i := slices.IndexFunc(rows, func(g group) bool { return g.key == key })
		if i < 0 {
			i = len(rows)
			rows = append(rows, group{key: key})
		}
		rows[i].curves = append(rows[i].curves, c)
	}
	if len(rows) == 0 {
		return nil, errors.Join(errors.New(`no run with rows matches the table's key "where"`), noted(out.Warnings))
	}
	return rows, nil
}

// cellOf returns the runs of a row that a column shows. They are one run, or runs that differ only in labels over which
// the table averages.
func cellOf(t *lang.TableSpec, g group, where string) ([]*trace.Curve, error) {
	same := trace.Set{Curves: g.curves}
	if where != "" {
		var err error
		if same.Curves, err = expr.Filter(where, &same); err != nil {
			return nil, err
		}
	}
	for _, name := range same.Varying() {
		if name != "seed" && name != "fold" && name != "status" && !slices.Contains(t.Average, name) {
			return nil, fmt.Errorf("row %s=%s has several runs, which differ in %s; select one of them with the key \"where\"",
				t.Rows, trace.FormatLabel(g.key), name)
		}
	}
	return same.Curves, nil
}

func noted(warnings []string) error {
	if len(warnings) == 0 {
		return nil
	}
	return errors.New(strings.Join(warnings, "; "))
}

func (out *Table) row(t *lang.TableSpec, g group, paper *printed.Numbers, among *trace.Set) (Row, error) {
	row := Row{Key: g.key}
	for _, c := range g.curves {
		row.Censored = row.Censored || c.Status == trace.Budget
	}
	var theirs []any
	if paper != nil {
		theirs = paper.Find(g.key)
	}
	for i, c := range t.Columns {
		curves, err := cellOf(t, g, c.Where)
		if err != nil {
			return row, wrong(i, c, err)
		}
		ours, err := average(c.Name, curves, among)
		if err != nil {
			return row, wrong(i, c, err)
		}
		cell := Cell{Ours: ours}
		if !c.Rate {
			if cell.Bound, cell.SoFar, err = bound(c.Name, curves, among); err != nil {
				return row, wrong(i, c, err)
			}
		}
		if heading := headingOf(c, paper); heading != "" && theirs != nil {
			if v, ok := theirs[paper.Column(heading)].(float64); ok {
				cell.Printed = &v
			}
		}
		generated := slices.ContainsFunc(curves, func(c *trace.Curve) bool { return c.File.Manifest.Data.Synthetic })
		if cell.Ours != nil && cell.Printed != nil && !generated { // otherwise the two numbers are results on different data
			d := *cell.Ours - *cell.Printed
			cell.Difference = &d
		}
		row.Cells = append(row.Cells, cell)
	}
	return row, nil
}

// wrong returns the error of a column, with its line and key.
func wrong(i int, c lang.Column, err error) error {
	return &lang.Fault{Line: c.Line, Key: fmt.Sprintf("table.columns.%d", i),
		Reason: fmt.Sprintf("column %s: %v", cmp.Or(c.Title, c.Name), err)}
}

// average returns the mean of a column's expression over the runs of a cell. It returns nil if the mean is not finite
// or if a run lacks something that the expression reads.
func average(expression string, curves []*trace.Curve, among *trace.Set) (*float64, error) {
	sum := 0.0
	for _, c := range curves {
		v, err := expr.Axis(expression, c, among)
		if expr.Lacks(err) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		x, ok := v.(float64)
		if !ok {
			return nil, fmt.Errorf("%s is a column, not a number; write final.COLUMN", expression)
		}
		sum += x
	}
	mean := sum / float64(len(curves))
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return nil, nil
	}
	return &mean, nil
}

// bound states what is known of a column's value over the runs of a cell if a budget stopped some of them: sign is ≥ or
// ≤ if the value at the limit is a bound. soFar is true if it depends on the end of such a run but bounds nothing.
func bound(expression string, curves []*trace.Curve, among *trace.Set) (sign string, soFar bool, err error) {
	for _, c := range curves {
		if c.Status != trace.Budget {
			continue
		}
		b, exact, err := expr.AtLimit(expression, c, among)
		switch {
		case err != nil && !expr.Lacks(err):
			return "", false, err
		case err == nil && exact:
			continue
		}
		one, _ := b.Sign()
		if err != nil || one == "" || sign != "" && one != sign {
			return "", true, nil
		}
		sign = one
	}
	return sign, false, nil
}

// missing adds a warning for each printed row without a run.
func (out *Table) missing(paper *printed.Numbers) {
	matched := map[any]bool{}
	for _, r := range out.Rows {
		if row := paper.Find(r.Key); row != nil {
			matched[row[0]] = true
		}
	}
	for _, row := range paper.Rows {
		if !matched[row[0]] {
			out.Warnings = append(out.Warnings,
				fmt.Sprintf("the printed row %s=%s has no run", out.Key, trace.FormatLabel(row[0])))
		}
	}
}
