package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// rewrite rewrites a whole syntax tree, from its root n.
func (r *rewriter) rewrite(n ast.Node) ast.Node {
	r.local, r.used = map[string]bool{}, map[string]bool{}
	if r.observed {
		return r.truth(n, false)
	}
	return r.node(n)
}

// truth rewrites a node whose truth value decides the assertion, so that its comparisons are recorded. In the result,
// all, any and none evaluate every element, so that Measured can report all of them. negated means that the node must
// be false for the assertion to be true.
func (r *rewriter) truth(n ast.Node, negated bool) ast.Node {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode, *ast.ArrayNode, *ast.MapNode:
		return r.fail(n, "an assertion is true or false; accepted: a comparison, all, any")
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return at(&ast.UnaryNode{Operator: n.Operator, Node: r.truth(n.Node, !negated)}, n)
		}
	case *ast.BinaryNode:
		switch n.Operator {
		case "+", "-", "*", "/", "^", "**", "%":
			return r.fail(n, "an assertion is true or false, not a number; accepted: a comparison")
		case "and", "&&", "or", "||":
			return at(&ast.BinaryNode{Operator: n.Operator, Left: r.truth(n.Left, negated), Right: r.truth(n.Right, negated)}, n)
		case "<", "<=", ">", ">=", "==", "!=", "in":
			return r.observe(n, site{operator: n.Operator, negated: negated}, []ast.Node{n.Left, n.Right})
		}
	case *ast.ConditionalNode:
		return at(&ast.ConditionalNode{Ternary: n.Ternary, Cond: r.node(n.Cond), Exp1: r.truth(n.Exp1, negated),
			Exp2: r.truth(n.Exp2, negated)}, n)
	case *ast.VariableDeclaratorNode:
		return r.let(n, func(body ast.Node) ast.Node { return r.truth(body, negated) })
	case *ast.BuiltinNode:
		if slices.Contains([]string{"all", "any", "none"}, n.Name) && len(n.Arguments) == 2 {
			return r.quantifier(n, negated != (n.Name == "none"))
		}
	case *ast.CallNode:
		if name, ok := n.Callee.(*ast.IdentifierNode); ok {
			if f := lookUp(name.Value); f != nil && f.decides {
				rewritten := r.callOf(n) // also checks the arguments
				if r.err != nil {
					return rewritten
				}
				return r.observe(n, site{function: f, negated: negated}, n.Arguments)
			}
		}
	}
	return r.node(n)
}

// quantifier rewrites all(list, truth) to $all(map(list, let $1 = #; truth)), and rewrites any and none in the same
// way.
func (r *rewriter) quantifier(n *ast.BuiltinNode, negated bool) ast.Node {
	list := r.node(n.Arguments[0])
	predicate := n.Arguments[1].(*ast.PredicateNode)
	r.scopes++
	before := r.size
	body := at(&ast.VariableDeclaratorNode{
		Name:  scope(r.scopes),
		Value: at(&ast.PointerNode{}, predicate),
		Expr:  r.truth(predicate.Node, negated),
	}, predicate)
	r.scopes--
	mapped := at(&ast.BuiltinNode{Name: "map", Arguments: []ast.Node{list, r.predicate(predicate, body, before)}}, n)
	return callNode(n, "$"+n.Name, mapped)
}

// scope returns the name of the variable whose value is the current element of a quantifier (all, any, none). depth is
// the number of nested quantifiers.
func scope(depth int) string { return fmt.Sprintf("$%d", depth) }

// observe replaces the node n by the call $observe(site, scopes, operands...), which also records the compared values.
// It adds s to the list of sites.
func (r *rewriter) observe(n ast.Node, s site, operands []ast.Node) ast.Node {
	if comparison, ok := n.(*ast.BinaryNode); ok {
		r.ordered(comparison)
	}
	for _, o := range operands {
		s.operands = append(s.operands, short(o))
		s.constant = append(s.constant, literal(o))
	}
	scopes := make([]ast.Node, r.scopes)
	for i := range scopes {
		scopes[i] = at(&ast.IdentifierNode{Value: scope(i + 1)}, n)
	}
	args := []ast.Node{&ast.IntegerNode{Value: len(r.sites)}, &ast.ArrayNode{Nodes: scopes}}
	r.sites = append(r.sites, s)
	return callNode(n, "$observe", append(args, r.nodes(operands)...)...)
}

// short returns the text of an operand; if the text is long, only its outermost operation, with … for the rest.
func short(n ast.Node) string {
	text := textOf(n)
	if len(text) <= 56 {
		return text
	}
	switch n := n.(type) {
	case *ast.MemberNode:
		if property, ok := n.Property.(*ast.StringNode); ok {
			return property.Value
		}
	case *ast.CallNode:
		return fmt.Sprintf("%s(…)", n.Callee)
	case *ast.BuiltinNode:
		return n.Name + "(…)"
	case *ast.BinaryNode:
		return short(n.Left) + " " + n.Operator + " " + short(n.Right)
	case *ast.UnaryNode:
		return n.Operator + short(n.Node)
	}
	return "(…)"
}

// textOf returns the text of a node, in the short forms: .C for #.C, and x => for let x = #;.
func textOf(n ast.Node) string {
	text := regexp.MustCompile(`let ([^ ]+) = #; `).ReplaceAllString(n.String(), "$1 => ")
	return strings.ReplaceAll(text, "#.", ".")
}

// literal reports whether a node is a constant.
func literal(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode, *ast.BoolNode:
		return true
	case *ast.UnaryNode:
		return literal(n.Node)
	case *ast.BinaryNode:
		return literal(n.Left) && literal(n.Right)
	case *ast.ArrayNode:
		return !slices.ContainsFunc(n.Nodes, func(e ast.Node) bool { return !literal(e) })
	}
	return false
}
