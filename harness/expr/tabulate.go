package expr

import (
	"slices"

	"github.com/expr-lang/expr/vm"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/tabular"
)

// Tabulate evaluates an expression of any type. Text is what Measure gives. Curves, the fields of a fit, and lists of
// lists or of fits also make a table; it is nil for other values. Errors are as Assert's.
func (e *Evaluation) Tabulate(source string) (text string, table *tabular.Table, err error) {
	program, err := e.compile(source, false)
	if err != nil {
		return "", nil, plain(err)
	}
	value, err := vm.Run(program, map[string]any{})
	if err != nil {
		return "", nil, plain(err)
	}
	list, isList := elements(value)
	if !isList {
		list = []any{value}
	}
	table = e.curves(list)
	if table == nil {
		table = rows(list, isList)
	}
	return format(value), table, nil
}

// curves is a table of curves by their labels and what they ended with; nil if not all of a list are curves.
func (e *Evaluation) curves(list []any) *tabular.Table {
	labels := e.varying()
	if len(labels) == 0 {
		labels = []string{"as"}
	}
	ends := []string{trace.Passes, trace.CPUSeconds, trace.Primal, trace.Dual, trace.Gap}
	t := &tabular.Table{Head: slices.Concat(labels, ends, []string{"status"}), Right: ends}
	for _, v := range list {
		c, ok := v.(*trace.Curve)
		if !ok {
			return nil
		}
		var row []string
		for _, name := range labels {
			cell := ""
			if v, has := c.Labels[name]; has {
				cell = trace.FormatLabel(v)
			}
			row = append(row, cell)
		}
		for _, name := range ends {
			cell := ""
			if c.Has(name) {
				cell = formatNumber(c.Final(name))
			}
			row = append(row, cell)
		}
		t.Add(append(row, string(c.Status))...)
	}
	if len(list) == 0 {
		return nil
	}
	return t
}

// rows is a table of lists, each a row; nil if not all of a list are lists. A fit has a heading for each of its fields.
func rows(list []any, ofList bool) *tabular.Table {
	t := &tabular.Table{}
	width := 0
	for _, v := range list {
		cells, ok := elements(v)
		if f, isFit := v.(fields); isFit {
			cells, ok, t.Head = f.values, true, f.names
		}
		if !ok {
			return nil
		}
		var row []string
		for _, c := range cells {
			row = append(row, format(c))
		}
		width = max(width, len(row))
		t.Add(row...)
	}
	if len(list) == 0 || !ofList && t.Head == nil {
		return nil
	}
	if t.Head == nil {
		t.Head = make([]string, width)
	}
	return t
}
