package expr

import (
	"slices"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/tabular"
)

// Tabulate evaluates an expression of any type and returns its value as the text that Measure returns. If the value is
// a list of curves, the fields of a fit, or a list of lists or fits, Tabulate also returns a table; otherwise table is
// nil. It returns errors as Assert does.
func (e *Evaluation) Tabulate(source string) (text string, table *tabular.Listing, err error) {
	value, err := e.evaluate(source, false)
	if err != nil {
		return "", nil, err
	}
	list, isList := elements(value)
	if !isList {
		list = []any{value}
	}
	table = e.curveTable(list)
	if table == nil {
		cells := 0
		for _, v := range list {
			cells += 1 + length(v)
		}
		if err := e.take(64 * cells); err != nil {
			return "", nil, err
		}
		table = rowTable(list, isList)
	}
	return format(quantitiesOf(source, value)), table, nil
}

// curveTable returns a table of the labels and final values of curves, or nil if the list contains anything else.
func (r *reader) curveTable(list []any) *tabular.Listing {
	labels := r.varying()
	if len(labels) == 0 {
		labels = []string{"as"}
	}
	ends := []string{trace.Passes, trace.CPUSeconds, trace.Primal, trace.Dual, trace.Gap}
	t := &tabular.Listing{Head: slices.Concat(labels, ends, []string{"status"}), Right: ends}
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

// rowTable returns a table with one row for each element, or nil if an element is neither a list nor a fit. For fits,
// the headings are the names of their fields.
func rowTable(list []any, ofList bool) *tabular.Listing {
	t := &tabular.Listing{}
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
