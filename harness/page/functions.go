package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/table"
)

// on selects the experiment to which the following functions of the page refer.
func (p *rendering) on(id string) (string, error) {
	r, err := p.source.Results(id, p.scale)
	if err != nil {
		return "", faulty("%s: %w", id, err)
	}
	if r.Evidence.Set.Err != nil {
		return "", faulty("%s at scale %s: the rows contradict each other: %w", id, r.Scale, r.Evidence.Set.Err)
	}
	p.about = r
	return "", nil
}

// value formats the value of an expression over the results of the current experiment.
func (p *rendering) value(format, expression, separator string) (string, error) {
	r, err := p.current("value")
	if err != nil {
		return "", err
	}
	return r.value(format, expression, separator, nil)
}

// measured formats the value of the expression "measure" of a claim of the current experiment. With elements, it
// formats only these elements of the value, counted from 0.
func (p *rendering) measured(format, claim string, elements ...int) (string, error) {
	r, err := p.current("measured")
	if err != nil {
		return "", err
	}
	if r.Measures[claim] == "" {
		return "", faulty("%s has no claim %s with a measure; accepted: %s", r.ID, claim,
			strings.Join(slices.Sorted(maps.Keys(r.Measures)), ", "))
	}
	return r.value(format, r.Measures[claim], ", ", elements)
}

// value formats the value of an expression. With elements, it formats only these elements of the value.
func (r *Results) value(format, expression, separator string, elements []int) (string, error) {
	if r.evaluation == nil {
		r.evaluation = expr.NewEvaluation(r.Evidence)
	}
	values, err := r.evaluation.Values(expression)
	if expr.Unmeasured(err) { // if the runs have no CPU times, use wall-clock times
		values, err = expr.NewEvaluation(r.Evidence.OnWall()).Values(expression)
	}
	if err != nil {
		return "", r.wrong(expression, err)
	}
	if len(elements) > 0 {
		all := values
		values = nil
		for _, i := range elements {
			if i < 0 || i >= len(all) {
				return "", r.wrong(expression, fmt.Errorf("the value has no element %d; accepted: 0 to %d", i, len(all)-1))
			}
			values = append(values, all[i])
		}
	}
	text, err := print(format, values, separator)
	if err != nil {
		return "", r.wrong(expression, err)
	}
	return text, nil
}

// holds returns an error if an expression is not true, and otherwise an empty text.
func (p *rendering) holds(expression string) (string, error) {
	r, err := p.current("holds")
	if err != nil {
		return "", err
	}
	e := expr.NewEvaluation(r.Evidence)
	holds, err := e.Assert(expression)
	if err == nil && !holds {
		err = fmt.Errorf("%w: %s", ErrUntrue, e.Measured())
	}
	if err != nil {
		return "", r.wrong(expression, err)
	}
	return "", nil
}

// table renders the experiment's table in Markdown; with titles, only the columns with these titles.
func (p *rendering) table(titles ...string) (string, error) {
	r, err := p.current("table")
	if err != nil {
		return "", err
	}
	t, err := r.Table()
	if err == nil && len(titles) > 0 {
		err = choose(&t, titles)
	}
	var out strings.Builder
	if err == nil {
		err = t.Render(&out, "md")
	}
	if err != nil {
		return "", faulty("%s at scale %s: table: %w", r.ID, r.Scale, err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// choose removes all columns of t except those with the given titles, and puts these in the order of titles.
func choose(t *table.Table, titles []string) error {
	old := *t
	t.Columns, t.Rows = nil, slices.Clone(old.Rows)
	for i := range t.Rows {
		t.Rows[i].Cells = nil
	}
	for _, title := range titles {
		at := slices.IndexFunc(old.Columns, func(c table.Column) bool { return c.Title == title })
		if at < 0 {
			var known []string
			for _, c := range old.Columns {
				known = append(known, c.Title)
			}
			return fmt.Errorf("no column %q; accepted: %s", title, strings.Join(known, ", "))
		}
		t.Columns = append(t.Columns, old.Columns[at])
		for i := range t.Rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, old.Rows[i].Cells[at])
		}
	}
	return nil
}
