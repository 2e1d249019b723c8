package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Expected is what the curves of runs will have that have not begun.
type Expected struct {
	Columns, Labels []string
	Constants       []string // further names of a bound, such as its solver's settings
}

// Of merges what each of several curves will have: an expression may name what only some of them have. Their columns
// have no values yet. It is nil, and nothing is checked, if the columns of one of them are not known.
func Of(curves []*trace.Curve) *Expected {
	columns, labels := map[string]bool{}, map[string]bool{}
	for _, c := range curves {
		if c.Columns == nil {
			return nil
		}
		for name := range c.Columns {
			columns[name] = true
		}
		for name := range c.Labels {
			labels[name] = true
		}
	}
	return &Expected{Columns: slices.Sorted(maps.Keys(columns)), Labels: slices.Sorted(maps.Keys(labels))}
}

// Check reports a name in an expression that nothing will have, before there are results. kind is axis, also for what
// tables show, bound, assert or measure. Where an expression reads another experiment, names in quotes may be of that.
func (e *Expected) Check(kind, source string) error {
	if e == nil {
		return nil
	}
	r := &rewriter{functions: functions(), expected: e, names: map[string]any{}}
	switch kind {
	case "assert", "measure":
		r.names, r.claim, r.observed = claimNames(), true, kind == "assert"
	default:
		for _, name := range slices.Concat(e.Columns, e.Labels, e.Constants, []string{"final"}) {
			r.names[name] = nil
		}
		if kind == "bound" {
			r.names["x"] = nil
		}
	}
	_, err := compile(source, r, nil)
	if err == nil && r.absent != nil && !r.other {
		err = r.absent.Bind(file.NewSource(source))
	}
	if err != nil && r.unknown != "" {
		return &Absent{Name: r.unknown, Err: err}
	}
	return err
}

// Absent is the fault of a name that nothing will have.
type Absent struct {
	Name string
	Err  error
}

func (a *Absent) Error() string { return a.Err.Error() }
func (a *Absent) Unwrap() error { return a.Err }

// expectColumn notes a column that no run will have.
func (r *rewriter) expectColumn(n *ast.StringNode) {
	if r.expected != nil && !slices.Contains(r.expected.Columns, n.Value) {
		r.lacks(n, "column", n.Value, r.expected.Columns)
	}
}

func (r *rewriter) lacks(n ast.Node, what, name string, known []string) {
	if r.absent == nil {
		r.unknown = name
		r.absent = &file.Error{Location: n.Location(), Message: fmt.Sprintf("no run has the %s %q%s; there are %s", what,
			name, nearest.DidYouMean(name, known), strings.Join(known, ", "))}
	}
}

// expectArguments looks at the columns and labels that a call names in its text.
func (r *rewriter) expectArguments(f *function, args []ast.Node) {
	r.other = r.other || f.other
	if r.expected == nil {
		return
	}
	if f.column > 0 && f.column <= len(args) {
		if name, ok := args[f.column-1].(*ast.StringNode); ok {
			r.expectColumn(name)
		}
	}
	if !f.labels || len(args) == 0 {
		return
	}
	selector, ok := args[0].(*ast.MapNode)
	if !ok {
		return
	}
	for _, pair := range selector.Pairs {
		key, ok := pair.(*ast.PairNode).Key.(*ast.StringNode)
		if ok && !slices.Contains(r.expected.Labels, key.Value) {
			r.lacks(key, "label", key.Value, r.expected.Labels)
		}
	}
}
