package expr

import (
	"fmt"
	"math"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// site is a place in an assertion whose values are reported: a comparison, or a function that returns a truth value.
type site struct {
	operator string    // comparison operator, such as <=; empty for a function
	function *function // such as increasing or close; nil for a comparison
	operands []string  // source texts of the operands
	constant []bool    // whether each operand is a literal
	negated  bool      // whether the site must be false for the assertion to be true, as in not(...) and none(...)
}

// observation contains the values of one evaluation of a site (a comparison, or a function that returns a truth value).
// A site inside all, any or none is evaluated once for each element of the list.
type observation struct {
	site   int
	scopes []any // the current elements of the surrounding all, any and none, outermost first
	args   []any // values of the operands
	holds  bool
	open   bool // whether a run that ended at its limit leaves the comparison undecided
}

// measured returns a text with the values that an assertion compared, one comparison after another. The function name
// returns the name of a curve.
func measured(sites []site, observations []observation, name func(*trace.Curve) string) string {
	seen := make([][]observation, len(sites))
	for _, o := range observations {
		seen[o.site] = append(seen[o.site], o)
	}
	var parts []string
	for i, s := range sites {
		if len(seen[i]) > 0 {
			parts = append(parts, s.sentence(seen[i], name))
		}
	}
	return strings.Join(parts, "; ")
}

// sentence returns the text for one comparison, such as "r2 = 0.998 (C=1000), 0.94 (C=1, fails) >= 0.95".
func (s site) sentence(seen []observation, name func(*trace.Curve) string) string {
	before, values, after := s.form()
	if len(seen) > most {
		holding, worst := 0, seen[0]
		for _, o := range seen {
			if o.holds != s.negated {
				holding++
			}
			if s.margin(o) < s.margin(worst) {
				worst = o
			}
		}
		which := "closest"
		if holding < len(seen) {
			which = "worst"
		}
		return fmt.Sprintf("%s%d of %d hold, %s %s%s%s", before, holding, len(seen), which, values(worst),
			s.place(worst, name), after)
	}
	var parts []string
	for _, o := range seen {
		parts = append(parts, values(o)+s.place(o, name))
	}
	return before + strings.Join(parts, ", ") + after
}

// form returns the texts before and after the compared values, and a function that formats the values of one
// observation.
func (s site) form() (before string, values func(observation) string, after string) {
	switch {
	case s.operator == "":
		var names []string
		for i, name := range s.operands {
			if !s.constant[i] {
				names = append(names, name)
			}
		}
		return fmt.Sprintf("%s(%s): ", s.function.Name, strings.Join(names, ", ")), func(o observation) string {
			var parts []string
			for i, v := range o.args {
				if !s.constant[i] {
					parts = append(parts, format(v))
				}
			}
			return strings.Join(parts, " and ")
		}, ""
	case s.constant[1]:
		return s.operands[0] + " = ", func(o observation) string { return format(o.args[0]) },
			" " + s.operator + " " + s.operands[1]
	case s.constant[0]:
		return s.operands[1] + " = ", func(o observation) string { return format(o.args[1]) },
			" " + flip(s.operator) + " " + s.operands[0]
	}
	return s.operands[0] + " " + s.operator + " " + s.operands[1] + ": ", func(o observation) string {
		return format(o.args[0]) + " " + s.operator + " " + format(o.args[1])
	}, ""
}

// flip returns the operator that gives the same truth value when the operands are exchanged, such as > for <.
func flip(operator string) string {
	return strings.NewReplacer("<", ">", ">", "<").Replace(operator)
}

// margin returns by how much a comparison of two numbers a and b is true: |a − b|/|b|, with a minus sign if the
// comparison fails. For anything else, such as a function that returns a truth value, margin is 1 if it holds and −1 if
// it fails.
func (s site) margin(o observation) float64 {
	sign := 1.0
	if o.holds == s.negated {
		sign = -1
	}
	if len(o.args) != 2 {
		return sign
	}
	a, err1 := number(o.args[0])
	b, err2 := number(o.args[1])
	if err1 != nil || err2 != nil {
		return sign
	}
	if a == b {
		return 0
	}
	return sign * math.Abs(a-b) / math.Max(math.Abs(b), math.SmallestNonzeroFloat64)
}

// place returns a text with the elements for which an observation was made, and with the word "fails" if it failed.
func (s site) place(o observation, name func(*trace.Curve) string) string {
	var parts []string
	for _, element := range o.scopes {
		switch element := element.(type) {
		case *trace.Curve:
			parts = append(parts, name(element))
		case fields:
			parts = append(parts, element.names[0]+"="+format(element.values[0]))
		default:
			parts = append(parts, "at "+format(element))
		}
	}
	switch {
	case o.open:
		parts = append(parts, "undecided")
	case o.holds == s.negated:
		parts = append(parts, "fails")
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
