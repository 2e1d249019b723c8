package expr

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// The form x => value in a function such as map is short for let x = #; value. The parser of the expression library
// does not know this form, so that withLet replaces it in the source. The syntax tree and the errors keep the positions
// of the source.

// edit is a part of the source that withLet has replaced. Positions are in runes.
type edit struct {
	from    int // where the new text begins, in the new source
	to      int // where the new text ends, in the new source
	oldFrom int // where the old text begins, in the old source
	oldTo   int // where the old text ends, in the old source
}

// call is a call whose closing bracket has not been read yet.
type call struct {
	name   string // "" for other brackets
	commas int    // commas read so far
	piped  bool   // whether the first argument stands before the name, as in list | map(x => x + 1)
}

// withLet replaces x => by let x = #; at the beginning of the second argument of functions such as map.
func withLet(source string) (string, []edit) {
	if !strings.Contains(source, "=>") {
		return source, nil
	}
	tokens, err := lexer.Lex(file.NewSource(source))
	if err != nil {
		return source, nil // the parser reports the error
	}
	var edits []edit
	var out []rune
	var open []call
	old, read := []rune(source), 0
	for i, t := range tokens {
		switch {
		case t.Is(lexer.Bracket, "(", "[", "{"):
			c := call{}
			if t.Value == "(" && i > 0 && tokens[i-1].Is(lexer.Identifier) {
				c = call{name: tokens[i-1].Value, piped: i > 1 && tokens[i-2].Is(lexer.Operator, "|")}
			}
			open = append(open, c)
		case t.Kind == lexer.Bracket && len(open) > 0:
			open = open[:len(open)-1]
		case t.Is(lexer.Operator, ",") && len(open) > 0:
			open[len(open)-1].commas++
		case isArrow(tokens[i:]) && len(open) > 0 && open[len(open)-1].takes(tokens[i-1]):
			e := edit{oldFrom: t.From, oldTo: tokens[i+2].To}
			out = append(out, old[read:e.oldFrom]...)
			e.from = len(out)
			out = append(out, []rune("let "+t.Value+" = #;")...)
			e.to, read = len(out), e.oldTo
			edits = append(edits, e)
		}
	}
	return string(append(out, old[read:]...)), edits
}

// isArrow reports whether tokens begin with x =>.
func isArrow(tokens []lexer.Token) bool {
	return len(tokens) > 2 && tokens[0].Is(lexer.Identifier) && tokens[1].Is(lexer.Operator, "=") &&
		tokens[2].Is(lexer.Operator, ">") && tokens[1].To == tokens[2].From
}

// takes reports whether the second argument of a call begins after the token before, and can name the element.
func (c call) takes(before lexer.Token) bool {
	first := before.Is(lexer.Operator, ",") && c.commas == 1 && !c.piped || before.Is(lexer.Bracket, "(") && c.piped
	return first && c.name != "len" && slices.Contains(predicates(), c.name)
}

// original returns the position in the old source that belongs to a position in the new source.
func original(at int, edits []edit) int {
	for _, e := range slices.Backward(edits) {
		if at >= e.to {
			return at - e.to + e.oldTo
		}
		if at >= e.from {
			return e.oldFrom
		}
	}
	return at
}

// relocation gives the nodes of a syntax tree the positions of the old source. A node may occur twice in the tree.
type relocation struct {
	edits []edit
	seen  map[ast.Node]bool
}

// Visit implements ast.Visitor.
func (r relocation) Visit(n *ast.Node) {
	if r.seen[*n] {
		return
	}
	r.seen[*n] = true
	was := (*n).Location()
	(*n).SetLocation(file.Location{From: original(was.From, r.edits), To: original(was.To, r.edits)})
}
