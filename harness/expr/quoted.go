package expr

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"github.com/gaplab/gaplab/internal/nearest"
)

// Expected lists the names of columns and labels that the curves of future runs will have.
type Expected struct {
	Columns, Labels []string
	Constants       []string // further names that a bound may use, such as settings of the solver
}

// quotedNames checks the names of columns and labels that an expression writes in quotes or after "final.".
type quotedNames struct {
	expected *Expected   // the accepted names; nil: accept every name
	other    bool        // whether the expression reads another experiment, whose curves may have other names
	absent   string      // the first name found that no curve will have; "" if there is none
	fault    *file.Error // the error about the name in the field absent
}

// column checks the name of a column.
func (q *quotedNames) column(n *ast.StringNode) {
	if q.expected != nil {
		q.check(n, "column", n.Value, q.expected.Columns)
	}
}

// check records an error if name is not among the known names. what is the word for the kind of name in the error:
// column or label.
func (q *quotedNames) check(n ast.Node, what, name string, known []string) {
	if q.fault == nil && !slices.Contains(known, name) {
		q.absent = name
		q.fault = &file.Error{Location: n.Location(), Message: fmt.Sprintf("no run has the %s %q%s", what, name,
			nearest.Accepted(name, known))}
	}
}

// arguments checks the names of columns and labels in the arguments of a call.
func (q *quotedNames) arguments(f *function, args []ast.Node) {
	q.other = q.other || f.other
	if q.expected == nil {
		return
	}
	if f.column > 0 && f.column <= len(args) {
		if name, ok := args[f.column-1].(*ast.StringNode); ok {
			q.column(name)
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
		if key, ok := pair.(*ast.PairNode).Key.(*ast.StringNode); ok {
			q.check(key, "label", key.Value, q.expected.Labels)
		}
	}
}
