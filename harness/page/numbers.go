package page

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
)

// verb matches a formatting verb of package fmt, such as %.2f, or %%.
var verb = regexp.MustCompile(`%[-+ #0-9.]*[a-zA-Z%]`)

// print formats values with a separator between them. Each use of the format prints as many values as the format has
// verbs.
func print(format string, values []any, separator string) (string, error) {
	verbs := 0
	for _, v := range verb.FindAllString(format, -1) {
		if v != "%%" {
			verbs++
		}
	}
	if verbs == 0 || len(values) == 0 || len(values)%verbs != 0 {
		return "", fmt.Errorf("the format %q prints %d values at a time; the expression has %d", format, verbs, len(values))
	}
	var out []string
	var errs []error
	for ; len(values) > 0; values = values[verbs:] {
		next := 0
		out = append(out, verb.ReplaceAllStringFunc(format, func(v string) string {
			if v == "%%" {
				return "%"
			}
			next++
			text, err := one(v, values[next-1])
			errs = append(errs, err)
			return text
		}))
	}
	return strings.Join(out, separator), errors.Join(errs...)
}

// numbers formats numbers that a function of the page returned, as opposed to values of an expression.
func numbers(format string, values ...any) (string, error) {
	floats := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case int:
			floats[i] = float64(v)
		default:
			floats[i] = v
		}
	}
	text, err := print(format, floats, ", ")
	if err != nil {
		return "", &fault{err}
	}
	return text, nil
}

// one formats one value, a number or a text, with a formatting verb.
func one(verb string, v any) (string, error) {
	if b, ok := v.(expr.Bounded); ok {
		return bounded(verb, b)
	}
	x, ok := v.(float64)
	if !ok {
		if !strings.HasSuffix(verb, "s") && !strings.HasSuffix(verb, "v") {
			return "", fmt.Errorf("%s formats a number, but the value is the text %v; accepted: %%s", verb, v)
		}
		return fmt.Sprintf(verb, v), nil
	}
	switch kind := verb[len(verb)-1]; {
	case math.IsNaN(x):
		return "", errors.New("a value is NaN; accepted: a number or +inf")
	case math.IsInf(x, 1):
		return "never", nil
	case math.IsInf(x, -1):
		return "", errors.New("a value is minus infinity; accepted: a number or +inf")
	case kind == 'd' && x == math.Trunc(x):
		return typeset(fmt.Sprintf(verb, int64(x))), nil
	case kind == 'v' && x == math.Trunc(x) && math.Abs(x) < 1e6:
		return typeset(fmt.Sprintf("%.0f", x)), nil
	case kind == 'v':
		return typeset(fmt.Sprintf("%.4g", x)), nil
	case strings.ContainsRune("eEfFgG", rune(kind)):
		return typeset(fmt.Sprintf(verb, x)), nil
	}
	return "", fmt.Errorf("%s does not format the number %g; accepted: %%v, %%.2f, %%.1e, %%.3g, %%d for whole numbers",
		verb, x)
}

// bounded formats a number of which only bounds are known, because a run ended at its limit, such as ≥ 63.
func bounded(verb string, b expr.Bounded) (string, error) {
	sign, bound := b.Sign()
	if sign == "" {
		return "", fmt.Errorf("a value is not known, since a run ended at its limit: %v", b)
	}
	text, err := one(verb, bound)
	return sign + " " + text, err
}

// number matches a number as fmt prints it: sign, whole part, fraction, exponent.
var number = regexp.MustCompile(`^( *)([-+]?)(\d+)(\.\d+)?(?:[eE]([-+])0*(\d+))?$`)

// typeset formats a number with a minus sign (not a hyphen), commas between thousands and a short exponent: −1,234.5,
// 5e-7.
func typeset(s string) string {
	m := number.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	blanks, sign, whole, fraction, exponentSign, exponent := m[1], m[2], m[3], m[4], m[5], m[6]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if sign == "-" {
		sign = "−"
	}
	if exponent != "" {
		exponent = "e" + strings.TrimPrefix(exponentSign, "+") + exponent
	}
	return blanks + sign + whole + fraction + exponent
}
