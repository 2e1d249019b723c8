package expr

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/file"
)

// advised replaces the parser's message about a form of other languages by the right form.
func advised(source string, err error) error {
	var at *file.Error
	text := []rune(source)
	if !errors.As(err, &at) || at.From > len(text) {
		return err
	}
	before, after := string(text[:at.From]), string(text[at.From:])
	label := regexp.MustCompile(`\bcurves?\(\s*[\pL\w.]+\s*$`).MatchString(before)
	token := func(t string) bool { return strings.HasSuffix(at.Message, `("`+t+`")`) }
	rest, begins := strings.CutPrefix(strings.TrimSpace(source), "=")
	switch {
	case token("=") && strings.HasPrefix(after, "=>"):
		at.Message = "=> names the elements of a list; accepted: after a name, at the beginning of the second argument of " +
			"all, any, count, filter, find, map or none, such as map(list, x => 2 * x)"
	case token("=") && begins:
		at.Message = fmt.Sprintf("an expression does not begin with \"=\"; write: %s", strings.TrimSpace(rest))
	case (token("=") || token(":")) && label:
		at.Message = `labels are in braces: curve({as: "fast", C: 10})`
	case token("="):
		at.Message = `"=" is not an operator; write == to compare`
	case token(">") && strings.HasSuffix(before, "-"), regexp.MustCompile(`\blambda\s+$`).MatchString(before):
		at.Message = "the name of an element stands before =>, such as in map(list, x => 2 * x)"
	case token("for"):
		at.Message = `"for" is not part of the language; write map(list, x => 2 * x)`
	case regexp.MustCompile(`^(\w|")`).MatchString(after) && regexp.MustCompile(`[\w")\]]\s+$`).MatchString(before) &&
		unclosed(before) && misplaced(source, at.Message) != at.Message:
		at.Message = misplaced(source, at.Message) + "; is a comma missing before it?"
	default:
		at.Message = misplaced(source, at.Message)
	}
	return at
}

// unclosed reports whether a text ends inside parentheses or brackets.
func unclosed(text string) bool {
	return strings.Count(text, "(") > strings.Count(text, ")") || strings.Count(text, "[") > strings.Count(text, "]")
}

// misplaced replaces the parser's message about a token in the wrong place, which names the parser's kind of token. It
// returns other messages as they are.
func misplaced(source, message string) string {
	if message == "unexpected token EOF" && strings.TrimSpace(source) == "" {
		return "the expression is empty"
	}
	if message == "unexpected token EOF" {
		return "the expression ends too early: something must follow"
	}
	if token := regexp.MustCompile(`^unexpected token \w+\((".*")\)$`).FindStringSubmatch(message); token != nil {
		return token[1] + " is not expected here"
	}
	return message
}

// redeclared replaces the checker's message about a variable that has the name of a function or of another variable.
func redeclared(message string) string {
	if taken := regexp.MustCompile(`^cannot redeclare (\w+) (\S+)$`).FindStringSubmatch(message); taken != nil {
		what := "the name of a function"
		if taken[1] == "variable" {
			what = "a variable already"
		}
		return fmt.Sprintf("%q is %s; choose another name, such as %[1]s1", taken[2], what)
	}
	return message
}

// truthValues replaces the checker's message about an operand of and, or, not that has no truth value.
func truthValues(message string) string {
	wrong := regexp.MustCompile(`^invalid operation: (and|or|not|&&|\|\||!) \(mismatched type`).FindStringSubmatch(message)
	if wrong == nil {
		return message
	}
	return wrong[1] + " needs truth values, such as comparisons; it got a number or another value"
}
