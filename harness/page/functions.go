package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/table"
)

// rendering is a page in the course of being rendered.
type rendering struct {
	source Source
	scale  string
	about  *Results // of the experiment that on has named last; nil before that
}

func (p *rendering) functions() template.FuncMap {
	return template.FuncMap{
		"scale":    func(name string) string { p.scale = name; return "" },
		"on":       p.on,
		"value":    func(format, expression string) (string, error) { return p.value(format, expression, ", ") },
		"cells":    func(format, expression string) (string, error) { return p.value(format, expression, " | ") },
		"measured": p.measured,
		"holds":    p.holds,
		"table":    p.table,
		"claims":   p.claims,
		"claim":    p.claim,
		"reproduced": func(id string) (string, error) {
			return p.verdict(id, claims.Reproduced)
		},
		"notReproduced": func(id string) (string, error) {
			return p.verdict(id, claims.NotReproduced)
		},
		"notTestable": func(id string) (string, error) {
			return p.verdict(id, claims.NotTestable)
		},
		"notMeasured": func(id string) (string, error) {
			return p.verdict(id, claims.NotMeasured)
		},
		"number": numbers,
		"list":   func(elements ...any) []any { return elements },
		"runs":   p.runs,
		"papers": func() []Paper { return p.source.Papers },
	}
}

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

// bound is the experiment that a function is about.
func (p *rendering) bound(function string) (*Results, error) {
	if p.about == nil {
		return nil, faulty(`%s: of which experiment? write {{on "PAPER/ITEM"}} before it`, function)
	}
	return p.about, nil
}

// wrong is a fault in an expression, or in what it finds.
func (r *Results) wrong(expression string, err error) error {
	return faulty("%s at scale %s: `%s`: %w", r.ID, r.Scale, strings.Join(strings.Fields(expression), " "), err)
}

func (p *rendering) value(format, expression, separator string) (string, error) {
	r, err := p.bound("value")
	if err != nil {
		return "", err
	}
	return r.value(format, expression, separator, nil)
}

// measured is the value of the measure of one of the experiment's claims, or some of its elements, from 0.
func (p *rendering) measured(format, claim string, elements ...int) (string, error) {
	r, err := p.bound("measured")
	if err != nil {
		return "", err
	}
	if r.Measures[claim] == "" {
		return "", faulty("%s has no claim %s with a measure; there are %s", r.ID, claim,
			strings.Join(slices.Sorted(maps.Keys(r.Measures)), ", "))
	}
	return r.value(format, r.Measures[claim], ", ", elements)
}

// value formats the value of an expression, or those of its elements that are named.
func (r *Results) value(format, expression, separator string, elements []int) (string, error) {
	if r.evaluation == nil {
		r.evaluation = expr.NewEvaluation(r.Evidence)
	}
	values, err := r.evaluation.Values(expression)
	if expr.Unmeasured(err) { // a page shows what there is
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
				return "", r.wrong(expression, fmt.Errorf("it has the elements 0 to %d; not %d", len(all)-1, i))
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

func (p *rendering) holds(expression string) (string, error) {
	r, err := p.bound("holds")
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

func (p *rendering) table(titles ...string) (string, error) {
	r, err := p.bound("table")
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

// choose leaves the columns with these titles, in this order.
func choose(t *table.Table, titles []string) error {
	old := *t
	t.Columns, t.Rows = nil, slices.Clone(old.Rows)
	for i := range t.Rows {
		t.Rows[i].Cells = nil
	}
	for _, title := range titles {
		at := slices.IndexFunc(old.Columns, func(c table.Column) bool { return c.Title == title })
		if at < 0 {
			var there []string
			for _, c := range old.Columns {
				there = append(there, c.Title)
			}
			return fmt.Errorf("no column %q; there are %s", title, strings.Join(there, ", "))
		}
		t.Columns = append(t.Columns, old.Columns[at])
		for i := range t.Rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, old.Rows[i].Cells[at])
		}
	}
	return nil
}
