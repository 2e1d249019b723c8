package expr

import (
	"slices"

	"github.com/expr-lang/expr/ast"
)

// unquoted records an error if an argument of a call is a bare name that should be in quotes: the name of a curve or a
// column. The error contains the call with quotes. A bare name is not accepted in place of a name in quotes, because it
// may also be a variable, a label (in a filter) or the values of a column (in an axis).
func (r *rewriter) unquoted(f *function, n *ast.CallNode) {
	args := slices.Clone(n.Arguments)
	var first ast.Node
	for i, arg := range n.Arguments {
		if i >= f.curves && i != f.column-1 {
			continue
		}
		name := r.bare(arg)
		if name == "" {
			continue
		}
		args[i] = text(name)
		if first == nil {
			first, r.unknown = arg, name
		}
	}
	if first != nil {
		instead := textOf(&ast.CallNode{Callee: n.Callee, Arguments: args})
		r.fail(first, "%s: a name of a solver or a column is written in quotes: %s", textOf(first), instead)
	}
}

// judged records an error if an assertion is only a call that returns a number, such as final("eg", "gap").
func (r *rewriter) judged(n ast.Node) {
	switch n := n.(type) {
	case *ast.VariableDeclaratorNode:
		r.judged(n.Expr)
	case *ast.CallNode:
		name, _ := n.Callee.(*ast.IdentifierNode)
		for _, f := range allFunctions() {
			if name != nil && f.Name == name.Value && f.curves > 0 {
				r.fail(n, "an assertion is true or false, not a number; write a comparison: %s < 0.01", textOf(n))
			}
		}
	}
}

// bare returns the name that an argument consists of, if the name has no value or is a list of numbers; otherwise it
// returns "". The name may contain hyphens, which the parser takes for minus.
func (r *rewriter) bare(n ast.Node) string {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		value, known := r.names[n.Value]
		_, isList := value.([]float64)
		if r.local[n.Value] || known && !isList || !known && r.open {
			return ""
		}
		return n.Value
	case *ast.BinaryNode:
		left, right := r.bare(n.Left), r.bare(n.Right)
		if n.Operator == "-" && left != "" && right != "" {
			return left + "-" + right
		}
	}
	return ""
}
