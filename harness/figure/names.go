package figure

import (
	"strings"
	"unicode"

	"github.com/gaplab/gaplab/harness/trace"
)

// AxisLabel returns the label of an axis that shows the given expressions. It consists of readable names with units.
func AxisLabel(expressions []string) string {
	if len(expressions) == 2 && proper(expressions[0]) == proper(trace.Primal) &&
		proper(expressions[1]) == proper(trace.Dual) {
		return "Objective"
	}
	var names []string
	for _, e := range expressions {
		names = include(names, proper(e))
	}
	return strings.Join(names, ", ")
}

// proper returns the readable name of an expression that is a column, a column's final value, or 100 times one of
// these. It returns any other expression unchanged.
func proper(expression string) string {
	name := strings.TrimSpace(expression)
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(name, " ", ""), "100*"); ok && isName(rest) {
		return proper(rest) + " (%)"
	}
	name = strings.TrimPrefix(name, "final.")
	switch name {
	case trace.Passes:
		return "Effective passes"
	case trace.StagePasses:
		return "Effective passes for this C"
	case trace.Epoch:
		return "Epochs"
	case trace.Seconds:
		return "Solver time, wall clock (s)"
	case trace.CPUSeconds:
		return "Solver time, CPU (s)"
	case trace.Primal:
		return "Primal objective"
	case trace.Dual:
		return "Dual objective"
	case trace.Gap:
		return "Relative duality gap"
	case trace.GapPercent:
		return "Duality gap (%)"
	case trace.ExcessPercent:
		return "Primal above the optimum (%)"
	case trace.MaxCalls:
		return "Calls of the max-oracle"
	case trace.ExpCalls:
		return "Calls of the marginal oracle"
	case trace.Lambda:
		return "λ"
	case trace.C:
		return "C"
	case "n":
		return "Training examples"
	}
	if !isName(name) {
		return name
	}
	return capital(spaced(name))
}

// quantity returns the name of a column for a legend. It has no unit, because the axis names it.
func quantity(column string) string {
	switch strings.TrimPrefix(column, "final.") {
	case trace.GapPercent:
		return "gap"
	case trace.ExcessPercent:
		return "excess"
	}
	return spaced(column)
}

// spaced returns the name of a column as it is written in a sentence, with spaces.
func spaced(column string) string {
	return strings.ReplaceAll(strings.TrimPrefix(column, "final."), "_", " ")
}

// capital returns s with its first letter in upper case.
func capital(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}

// isName reports whether s consists only of letters, digits, dots and underscores.
func isName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) < 0
}
