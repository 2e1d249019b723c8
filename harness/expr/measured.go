package expr

import (
	"fmt"
	"math"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// most is how many observations of one site, or elements of one list, are printed individually.
const most = 8

// Measured says what the assertion compared, such as "r2 = 0.998 (C=1000), 0.94 (C=1, fails) >= 0.95", site by site.
func (e *Evaluation) Measured() string {
	var parts []string
	for i, s := range e.sites {
		var seen []observation
		for _, o := range e.observations {
			if o.site == i {
				seen = append(seen, o)
			}
		}
		if len(seen) > 0 {
			parts = append(parts, e.sentence(s, seen))
		}
	}
	return strings.Join(parts, "; ")
}

// sentence prints one site: "r2 = 0.998 (C=1000), 0.94 (C=1, fails) >= 0.95".
func (e *Evaluation) sentence(s site, seen []observation) string {
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
		return fmt.Sprintf("%s%d of %d hold, %s %s%s%s", before, holding, len(seen), which, values(worst), e.place(worst, s),
			after)
	}
	var parts []string
	for _, o := range seen {
		parts = append(parts, values(o)+e.place(o, s))
	}
	return before + strings.Join(parts, ", ") + after
}

// form says what stands before and after the values, and how the values of one observation are printed.
func (s site) form() (before string, values func(observation) string, after string) {
	switch {
	case s.operator == "":
		var names []string
		for i, name := range s.operands {
			if !s.constant[i] {
				names = append(names, name)
			}
		}
		return fmt.Sprintf("%s(%s): ", s.function, strings.Join(names, ", ")), func(o observation) string {
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

func flip(operator string) string {
	return strings.NewReplacer("<", ">", ">", "<").Replace(operator)
}

// margin says how far a comparison of numbers is from failing, relative to its right side; 1 or −1 for others.
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

// place names the elements of the predicates around an observation, and marks a failure.
func (e *Evaluation) place(o observation, s site) string {
	var parts []string
	for _, element := range o.scopes {
		switch element := element.(type) {
		case *trace.Curve:
			parts = append(parts, e.describe(element))
		case fields:
			parts = append(parts, element.names[0]+"="+format(element.values[0]))
		default:
			parts = append(parts, "at "+format(element))
		}
	}
	if o.holds == s.negated {
		parts = append(parts, "fails")
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// format prints a value with four significant digits.
func format(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case *trace.Curve:
		return "curve " + v.Describe([]string{"as", trace.C})
	case fields:
		var parts []string
		for i, name := range v.names {
			parts = append(parts, name+" "+format(v.values[i]))
		}
		return strings.Join(parts, ", ")
	}
	if x, err := number(v); err == nil {
		return formatNumber(x)
	}
	if list, ok := elements(v); ok {
		return formatList(list)
	}
	return fmt.Sprint(v)
}

func formatNumber(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "never"
	case math.Round(x) == x && math.Abs(x) < 1e6:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

func formatList(list []any) string {
	var parts []string
	for i, v := range list {
		if len(list) > most && i == most-2 {
			parts = append(parts, "…", format(list[len(list)-1])+fmt.Sprintf(" (%d values)", len(list)))
			break
		}
		parts = append(parts, format(v))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
