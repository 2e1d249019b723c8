package expr

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"github.com/gaplab/gaplab/internal/nearest"
)

// rewriter turns the syntax tree of an expression into one whose operators are functions of this package:
//
//	x.name        $get(x, "name")        reads labels and columns; its error lists them
//	a + b, -a     $arith("+", a, b)      also accepts lists, element by element
//	a <= b, in    $compare("<=", a, b)   accepts numbers of any type; lists are an error
//
// A comparison that decides whether the whole expression is true becomes $observe instead, which also records the
// compared values. The rewriter builds a new tree and leaves the old nodes unchanged, because in a chain a <= b <= c
// the node b occurs twice.
type rewriter struct {
	names    map[string]any           // the identifiers that the expression may use
	open     bool                     // whether the expression may use further identifiers too
	claim    bool                     // whether the expression belongs to a claim: then series and inf are defined
	observed bool                     // whether $observe records the comparisons
	quoted   quotedNames              // checks names in quotes and names after "final."
	hint     func(name string) string // returns what to write for an unknown name; "" if that is unknown; may be nil

	sites   []site          // the places in the expression whose values are recorded
	size    int             // number of nodes rewritten so far
	scopes  int             // number of all, any and none around the current node
	local   map[string]bool // names of the variables that let defines
	used    map[string]bool // the identifiers that occur in the expression
	called  bool            // whether the expression calls functions of this package
	unknown string          // the unknown name, if the error err is about one; else ""
	err     *file.Error     // the first error found; nil if there is none
}

// fail records an error at the position of n, unless an error was recorded before.
func (r *rewriter) fail(n ast.Node, format string, args ...any) ast.Node {
	if r.err == nil {
		r.err = &file.Error{Location: n.Location(), Message: fmt.Sprintf(format, args...)}
	}
	return n
}

// at gives a new node the position of the node old, and returns the new node.
func at(n ast.Node, old ast.Node) ast.Node {
	n.SetLocation(old.Location())
	return n
}

// callNode returns a call of the function name, at the position of the node old.
func callNode(old ast.Node, name string, args ...ast.Node) ast.Node {
	return at(&ast.CallNode{Callee: at(&ast.IdentifierNode{Value: name}, old), Arguments: args}, old)
}

// text returns the node of a string constant.
func text(s string) ast.Node { return &ast.StringNode{Value: s} }

// node rewrites a node and the nodes below it.
func (r *rewriter) node(n ast.Node) ast.Node {
	r.size++
	switch n := n.(type) {
	case *ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n
	case *ast.StringNode:
		r.size += len(n.Value) / 64 // comparing long texts takes longer
		return n
	case *ast.PointerNode:
		if n.Name != "" {
			return r.fail(n, "#%s is not part of the language", n.Name)
		}
		return n
	case *ast.IdentifierNode:
		return r.identifier(n)
	case *ast.UnaryNode:
		if n.Operator == "-" || n.Operator == "+" {
			return callNode(n, "$arith", text(n.Operator), &ast.IntegerNode{Value: 0}, r.node(n.Node))
		}
		return at(&ast.UnaryNode{Operator: n.Operator, Node: r.node(n.Node)}, n)
	case *ast.BinaryNode:
		return r.binary(n)
	case *ast.MemberNode:
		return r.member(n)
	case *ast.SliceNode:
		slice := &ast.SliceNode{Node: r.node(n.Node)}
		if n.From != nil {
			slice.From = r.node(n.From)
		}
		if n.To != nil {
			slice.To = r.node(n.To)
		}
		return at(slice, n)
	case *ast.CallNode:
		return r.callOf(n)
	case *ast.BuiltinNode:
		return r.builtin(n)
	case *ast.PredicateNode:
		before := r.size
		return r.predicate(n, r.node(n.Node), before)
	case *ast.ConditionalNode:
		return at(&ast.ConditionalNode{Ternary: n.Ternary, Cond: r.node(n.Cond), Exp1: r.node(n.Exp1), Exp2: r.node(n.Exp2)},
			n)
	case *ast.VariableDeclaratorNode:
		return r.let(n, r.node)
	case *ast.ArrayNode:
		return at(&ast.ArrayNode{Nodes: r.nodes(n.Nodes)}, n)
	case *ast.MapNode:
		return callNode(n, "$map", at(&ast.MapNode{Pairs: r.nodes(n.Pairs)}, n))
	case *ast.PairNode:
		return at(&ast.PairNode{Key: r.node(n.Key), Value: r.node(n.Value)}, n)
	}
	return r.fail(n, "%s is not part of the language", n)
}

// predicate returns a predicate that counts steps and then evaluates body. It counts one step for each node of body.
// before is the value of r.size before body was rewritten.
func (r *rewriter) predicate(old, body ast.Node, before int) ast.Node {
	count := callNode(old, "$step", &ast.IntegerNode{Value: r.size - before + 1})
	return at(&ast.PredicateNode{Node: at(&ast.SequenceNode{Nodes: []ast.Node{count, body}}, old)}, old)
}

// nodes rewrites each node of a list.
func (r *rewriter) nodes(list []ast.Node) []ast.Node {
	out := make([]ast.Node, len(list))
	for i, n := range list {
		out[i] = r.node(n)
	}
	return out
}

// identifier checks a name, and replaces series and inf by their values.
func (r *rewriter) identifier(n *ast.IdentifierNode) ast.Node {
	if r.local[n.Value] {
		return n
	}
	if _, known := r.names[n.Value]; !known && !r.open {
		names := slices.Sorted(maps.Keys(r.names))
		r.unknown = n.Value
		if r.hint != nil {
			if hint := r.hint(n.Value); hint != "" {
				return r.fail(n, "unknown name %q; %s", n.Value, hint)
			}
		}
		return r.fail(n, "unknown name %q%s", n.Value, nearest.Accepted(n.Value, names))
	}
	r.used[n.Value] = true
	switch {
	case r.claim && n.Value == "series":
		return callNode(n, "curves")
	case r.claim && n.Value == "inf":
		return at(&ast.ConstantNode{Value: math.Inf(1)}, n)
	}
	return n
}

// binary rewrites a binary operator.
func (r *rewriter) binary(n *ast.BinaryNode) ast.Node {
	switch n.Operator {
	case "+", "-", "*", "/", "^", "**", "%":
		return callNode(n, "$arith", text(n.Operator), r.node(n.Left), r.node(n.Right))
	case "<", "<=", ">", ">=", "==", "!=", "in":
		r.ordered(n)
		return callNode(n, "$compare", text(n.Operator), r.node(n.Left), r.node(n.Right))
	case "and", "&&", "or", "||", "..", "contains", "startsWith", "endsWith":
		return at(&ast.BinaryNode{Operator: n.Operator, Left: r.node(n.Left), Right: r.node(n.Right)}, n)
	}
	return r.fail(n, "the operator %s is not part of the language", n.Operator)
}

// ordered records an error if an operand of < <= > >= is a text in quotes.
func (r *rewriter) ordered(n *ast.BinaryNode) {
	for _, side := range []ast.Node{n.Left, n.Right} {
		if text, ok := side.(*ast.StringNode); ok && strings.ContainsAny(n.Operator, "<>") {
			r.fail(side, "%q is a text, which has no order; accepted: a number without quotes",
				text.Value)
		}
	}
}

// member rewrites x.name (a label, column or field) and x[i] (an element of a list).
func (r *rewriter) member(n *ast.MemberNode) ast.Node {
	if n.Optional || n.Method {
		return r.fail(n, "%s is not part of the language: there are no methods and no ?.", n)
	}
	if property, ok := n.Property.(*ast.StringNode); ok {
		if object, ok := n.Node.(*ast.IdentifierNode); ok { // a label whose name contains a dot, such as dataset.seed
			whole := object.Value + "." + property.Value
			if _, ok := r.names[whole]; ok {
				return r.identifier(at(&ast.IdentifierNode{Value: whole}, n).(*ast.IdentifierNode))
			}
		}
		if object, ok := n.Node.(*ast.IdentifierNode); ok && object.Value == "final" && !r.local["final"] {
			r.quoted.column(property)
		}
		return callNode(n, "$get", r.node(n.Node), property)
	}
	return at(&ast.MemberNode{Node: r.node(n.Node), Property: r.node(n.Property)}, n)
}

// callOf rewrites a call of one of this package's functions and checks its arguments.
func (r *rewriter) callOf(n *ast.CallNode) ast.Node {
	name, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return r.fail(n, "%s is not part of the language: there are no methods", n)
	}
	f := lookUp(name.Value)
	if f == nil {
		return r.unknownFunction(n, name.Value)
	}
	if len(n.Arguments) < f.least || len(n.Arguments) > f.most {
		count := fmt.Sprintf("%d arguments", len(n.Arguments))
		if len(n.Arguments) == 1 {
			count = "1 argument"
		}
		return r.fail(n, "%s has %s; accepted: %s", name.Value, count, f.Signature)
	}
	r.called = true
	if r.unquoted(f, n); r.err != nil {
		return n
	}
	r.quoted.arguments(f, n.Arguments)
	return callNode(n, name.Value, r.nodes(n.Arguments)...)
}

// builtin rewrites a call of a function of the expression library: len, or a function such as filter whose second
// argument is a condition on the elements of a list.
func (r *rewriter) builtin(n *ast.BuiltinNode) ast.Node {
	if !slices.Contains(predicates(), n.Name) {
		return r.unknownFunction(n, n.Name)
	}
	return at(&ast.BuiltinNode{Name: n.Name, Arguments: r.nodes(n.Arguments)}, n)
}

// let rewrites a let expression. body rewrites the expression after it, in which the variable is defined.
func (r *rewriter) let(n *ast.VariableDeclaratorNode, body func(ast.Node) ast.Node) ast.Node {
	value := r.node(n.Value)
	outer := r.local[n.Name]
	r.local[n.Name] = true
	expr := body(n.Expr)
	r.local[n.Name] = outer
	return at(&ast.VariableDeclaratorNode{Name: n.Name, Value: value, Expr: expr}, n)
}

// lookUp returns the function with a name, or nil if there is none.
func lookUp(name string) *function {
	all := allFunctions()
	if i := slices.IndexFunc(all, func(f function) bool { return f.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// unknownFunction records the error for an unknown function.
func (r *rewriter) unknownFunction(n ast.Node, name string) ast.Node {
	names := predicates()
	for _, f := range allFunctions() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return r.fail(n, "unknown function %q%s", name, nearest.Accepted(name, names))
}

// predicates returns the names of those functions of the expression library that the language of claims has too.
func predicates() []string {
	return []string{"all", "any", "count", "filter", "find", "len", "map", "none"}
}
