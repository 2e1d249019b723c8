package expr

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Bounded is a number of which only bounds are known, because a run ended at its limit (the budget of its spec) before
// its stop rule was met: the number lies in [Low, High]. If the run had gone on, its time and its oracle calls would be
// larger than when it ended, so Low is their value at the limit and High is infinite. Arithmetic on such a number gives
// such a number; a comparison is true or false if the bounds decide it, and undecided otherwise. A fitted power with
// its confidence interval is such a number as well.
type Bounded struct {
	Low, High float64
	runs      []string // why it is not known, as text, such as the runs that ended at their limits
}

// Sign returns the sign of the bound that is known, ≥ or ≤, and the bound. If no finite bound is known, or if both are,
// sign is "".
func (b Bounded) Sign() (sign string, bound float64) {
	low, high := !math.IsInf(b.Low, -1), !math.IsInf(b.High, 1)
	switch {
	case low && !high:
		return "≥", b.Low
	case high && (!low || b.Low == 0): // a positive number over a lower bound is between 0 and an upper bound
		return "≤", b.High
	}
	return "", 0
}

// String formats the bounds with four significant digits.
func (b Bounded) String() string {
	if sign, bound := b.Sign(); sign != "" {
		return sign + " " + formatNumber(bound)
	}
	switch {
	case b.Low == b.High:
		return formatNumber(b.Low)
	case math.IsInf(b.Low, -1):
		return "any number"
	}
	return formatNumber(b.Low) + " to " + formatNumber(b.High)
}

// why returns a text with the reasons why the number is not known.
func (b Bounded) why() string {
	names := b.runs
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "…")
	}
	return strings.Join(names, "; ")
}

// unknown returns the error of a function that needs the number itself.
func (b Bounded) unknown() error {
	return open("%s; of a number that is needed, only the bound %v is known", b.why(), b)
}

// Accumulates reports whether a column only grows while a run works, so that its value at the limit of a run is a lower
// bound of its value at the end: times, passes, iterations, oracle calls and steps.
func Accumulates(column string) bool {
	switch column {
	case trace.Passes, trace.StagePasses, trace.Epoch, trace.PeakBytes:
		return true
	}
	return trace.Clock(column) || strings.HasSuffix(column, "_calls") || strings.HasSuffix(column, "_steps")
}

// atLimit returns the value x of a column when its run ended at its limit, as a lower bound.
func (r *reader) atLimit(c *trace.Curve, x float64) Bounded {
	return Bounded{x, math.Inf(1), []string{fmt.Sprintf("the run %s ended at its limit: %s", r.describe(c), c.Reason())}}
}

// limited reports whether a value is only bounded, or a list with such an element.
func limited(v any) bool {
	switch v := v.(type) {
	case Bounded:
		return true
	case []any:
		return slices.ContainsFunc(v, limited)
	}
	return false
}

// bounds converts a number to bounds.
func bounds(v any) (Bounded, error) {
	if b, ok := v.(Bounded); ok {
		return b, nil
	}
	x, err := number(v)
	return Bounded{Low: x, High: x}, err
}

// boundsOf converts a list of numbers, or one number, to a list of bounds. It leaves out missing numbers (NaN).
func boundsOf(v any) ([]Bounded, error) {
	list, ok := elements(v)
	if !ok {
		list = []any{v}
	}
	var out []Bounded
	for _, element := range list {
		b, err := bounds(element)
		if err != nil {
			return nil, err
		}
		if !math.IsNaN(b.Low) {
			out = append(out, b)
		}
	}
	return out, nil
}

// merge returns a number in [low, high] that depends on others. It is a plain number if the bounds are equal.
func merge(low, high float64, from ...Bounded) any {
	if low == high {
		return low
	}
	b := Bounded{Low: low, High: high}
	for _, f := range from {
		for _, run := range f.runs {
			if !slices.Contains(b.runs, run) {
				b.runs = append(b.runs, run)
			}
		}
	}
	return b
}

// monotoneOf applies f to bounds, where f grows in each of its arguments: its bounds are f of the bounds.
func monotoneOf(list []Bounded, f func([]float64) float64) any {
	lows, highs := make([]float64, len(list)), make([]float64, len(list))
	for i, b := range list {
		lows[i], highs[i] = b.Low, b.High
	}
	return merge(f(lows), f(highs), list...)
}

// eachBounded applies f, which grows on the positive numbers, to bounds, or to each element of a list. The absolute
// value is the only f that falls anywhere.
func eachBounded(v any, f func(float64) float64) (any, error) {
	if list, ok := elements(v); ok {
		out := make([]any, len(list))
		for i, element := range list {
			var err error
			if out[i], err = eachBounded(element, f); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	b, err := bounds(v)
	if err != nil {
		return nil, err
	}
	low, high := f(b.Low), f(b.High)
	if low > high {
		low, high = high, low
	}
	if b.Low < 0 && b.High > 0 && f(-1) == f(1) { // the absolute value, on both sides of 0
		low = 0
	}
	return merge(low, high, b), nil
}

// combine applies an operation with two arguments to bounds, to a number and each element of a list, or to two lists
// element by element.
func combine(name string, a, b any, f func(x, y float64) float64) (any, error) {
	left, isLeft := elements(a)
	right, isRight := elements(b)
	if !isLeft && !isRight {
		return combineTwo(name, a, b, f)
	}
	n := max(len(left), len(right))
	if isLeft && isRight && len(left) != len(right) {
		return nil, fmt.Errorf("%s needs lists of equal length; got %d and %d elements", name, len(left), len(right))
	}
	out := make([]any, n)
	for i := range out {
		x, y := a, b
		if isLeft {
			x = left[i]
		}
		if isRight {
			y = right[i]
		}
		var err error
		if out[i], err = combineTwo(name, x, y, f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// combineTwo applies an operation to two numbers of which bounds are known. The result lies between its values at the
// corners, except for a quotient whose divisor may be 0 and for operations that are not monotone.
func combineTwo(name string, a, b any, f func(x, y float64) float64) (any, error) {
	x, errX := bounds(a)
	if errX != nil {
		return nil, errX
	}
	y, errY := bounds(b)
	if errY != nil {
		return nil, errY
	}
	switch {
	case name == "/" && y.Low <= 0 && y.High >= 0:
		return merge(math.Inf(-1), math.Inf(1), x, y), nil
	case name == "%" || (name == "^" || name == "**") && x.Low < 0:
		return nil, merge(math.Inf(-1), math.Inf(1), x, y).(Bounded).unknown()
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, u := range []float64{x.Low, x.High} {
		for _, v := range []float64{y.Low, y.High} {
			corner := f(u, v)
			if math.IsNaN(corner) { // such as ∞ − ∞ or ∞ / ∞: the other corners have the extremes
				continue
			}
			low, high = min(low, corner), max(high, corner)
		}
	}
	return merge(low, high, x, y), nil
}

// compareBounded evaluates < <= > >= == and != for two numbers of which bounds are known. If the bounds do not decide
// the comparison, it returns an error that Open recognises.
func compareBounded(operator string, a, b any) (bool, error) {
	x, err := bounds(a)
	if err != nil {
		return false, err
	}
	y, err := bounds(b)
	if err != nil {
		return false, err
	}
	if math.IsNaN(x.Low) || math.IsNaN(y.Low) {
		return false, cannot("cannot compare %s %s %s: a value is missing or undefined", format(a), operator, format(b))
	}
	apart := x.High < y.Low || y.High < x.Low
	var always, never bool
	switch operator {
	case "<":
		always, never = x.High < y.Low, x.Low >= y.High
	case "<=":
		always, never = x.High <= y.Low, x.Low > y.High
	case ">":
		always, never = x.Low > y.High, x.High <= y.Low
	case ">=":
		always, never = x.Low >= y.High, x.High < y.Low
	case "==":
		never = apart
	case "!=":
		always = apart
	default:
		return false, fmt.Errorf("unknown comparison %s", operator)
	}
	if always || never {
		return always, nil
	}
	all := merge(math.Inf(-1), math.Inf(1), x, y).(Bounded)
	return false, open("%s; this does not decide %s %s %s", all.why(), format(a), operator, format(b))
}

// orderedBounded reports whether ok is true for each pair of neighbours in a list of numbers of which bounds are known.
// If up is true, a larger second argument can only make ok true; otherwise a smaller one can.
func orderedBounded(list []Bounded, ok func(a, b, tol float64) bool, tol float64, up bool) (any, error) {
	var undecided error
	for i := range len(list) - 1 {
		a, b := list[i], list[i+1]
		best, worst := ok(a.Low, b.High, tol), ok(a.High, b.Low, tol)
		if !up {
			best, worst = ok(a.High, b.Low, tol), ok(a.Low, b.High, tol)
		}
		if !best {
			return false, nil
		}
		if !worst && undecided == nil {
			all := merge(math.Inf(-1), math.Inf(1), a, b).(Bounded)
			undecided = open("%s; this does not decide the order of %s and %s", all.why(), format(a), format(b))
		}
	}
	if undecided != nil {
		return nil, undecided
	}
	return true, nil
}
