package expr

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/gaplab/gaplab/harness/trace"
)

// The values of the language are numbers (int from literals and ranges, else float64), strings, booleans, lists
// ([]float64 from columns, []any and []int from the library), curves, and fields.

// internals are the functions that operators are rewritten to.
func internals() map[string]func(*Evaluation, []any) (any, error) {
	return map[string]func(*Evaluation, []any) (any, error){
		"$get":     func(e *Evaluation, a []any) (any, error) { return e.get(a[0], a[1].(string)) },
		"$arith":   func(_ *Evaluation, a []any) (any, error) { return arith(a[0].(string), a[1], a[2]) },
		"$compare": func(_ *Evaluation, a []any) (any, error) { return compare(a[0].(string), a[1], a[2]) },
		"$observe": func(e *Evaluation, a []any) (any, error) { return e.observed(a) },
		"$all": func(_ *Evaluation, a []any) (any, error) {
			return quantify(a[0], func(t, n int) bool { return t == n })
		},
		"$any": func(_ *Evaluation, a []any) (any, error) { return quantify(a[0], func(t, _ int) bool { return t > 0 }) },
		"$none": func(_ *Evaluation, a []any) (any, error) {
			return quantify(a[0], func(t, _ int) bool { return t == 0 })
		},
	}
}

// quantify decides on the number of true elements. Nothing follows from an empty list.
func quantify(v any, decide func(trues, all int) bool) (any, error) {
	list, err := booleans(v)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, cannot("there is nothing to test: the list is empty")
	}
	trues := 0
	for _, t := range list {
		if t {
			trues++
		}
	}
	return decide(trues, len(list)), nil
}

// typeName is how error messages call a value.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "nothing (a label that this curve does not have)"
	case bool:
		return "a truth value"
	case string:
		return "a text"
	case *trace.Curve:
		return "a curve"
	case fields:
		return "a group of fields"
	case map[string]any:
		return "a selector"
	}
	if _, err := number(v); err == nil {
		return "a number"
	}
	if _, ok := elements(v); ok {
		return "a list"
	}
	return fmt.Sprintf("a %T", v)
}

func number(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	}
	return 0, fmt.Errorf("%s stands where a number belongs", describeWrong(v))
}

// describeWrong avoids the recursion of typeName into number.
func describeWrong(v any) string {
	switch v.(type) {
	case nil, bool, string, *trace.Curve, fields, map[string]any:
		return typeName(v)
	}
	return "a list"
}

func boolean(v any) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	return false, fmt.Errorf("%s stands where a truth value belongs", typeName(v))
}

// elements returns the elements of any kind of list.
func elements(v any) ([]any, bool) {
	if list, ok := v.([]any); ok {
		return list, true
	}
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() != reflect.Slice && r.Kind() != reflect.Array {
		return nil, false
	}
	list := make([]any, r.Len())
	for i := range list {
		list[i] = r.Index(i).Interface()
	}
	return list, true
}

// numbers returns the elements of a list of numbers. The result may be a column: do not write to it.
func numbers(v any) ([]float64, error) {
	if list, ok := v.([]float64); ok {
		return list, nil
	}
	list, ok := elements(v)
	if !ok {
		return nil, fmt.Errorf("%s stands where a list of numbers belongs", typeName(v))
	}
	out := make([]float64, len(list))
	for i, x := range list {
		var err error
		if out[i], err = number(x); err != nil {
			return nil, fmt.Errorf("element %d of a list of numbers: %w", i, err)
		}
	}
	return out, nil
}

func booleans(v any) ([]bool, error) {
	if list, ok := v.([]bool); ok {
		return list, nil
	}
	list, ok := elements(v)
	if !ok {
		return nil, fmt.Errorf("%s stands where a list of truth values belongs", typeName(v))
	}
	out := make([]bool, len(list))
	for i, x := range list {
		var err error
		if out[i], err = boolean(x); err != nil {
			return nil, fmt.Errorf("element %d of a list: %w", i, err)
		}
	}
	return out, nil
}

// each applies f to a number, or to every element of a list.
func each(v any, f func(float64) float64) (any, error) {
	if x, err := number(v); err == nil {
		return f(x), nil
	}
	list, err := numbers(v)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out, nil
}

// arith is + - * / ^ % on numbers and, element by element, on lists; a number goes with every element of a list.
func arith(operator string, a, b any) (any, error) {
	f, err := operation(operator)
	if err != nil {
		return nil, err
	}
	for i, v := range []any{a, b} {
		if _, isList := elements(v); !isList {
			if _, err := number(v); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", [2]string{"left", "right"}[i], operator, err)
			}
		}
	}
	i, isI := a.(int)
	j, isJ := b.(int)
	if isI && isJ && (operator == "+" || operator == "-" || operator == "*") { // an index stays one
		return int(f(float64(i), float64(j))), nil
	}
	return broadcast(operator, a, b, f)
}

// broadcast applies f to two numbers, to a number and each element of a list, or to two lists element by element.
func broadcast(name string, a, b any, f func(x, y float64) float64) (any, error) {
	x, errX := number(a)
	y, errY := number(b)
	switch {
	case errX == nil && errY == nil:
		return f(x, y), nil
	case errX == nil:
		return each(b, func(y float64) float64 { return f(x, y) })
	case errY == nil:
		return each(a, func(x float64) float64 { return f(x, y) })
	}
	return pairwise(name, a, b, f)
}

func pairwise(name string, a, b any, f func(x, y float64) float64) (any, error) {
	left, err := numbers(a)
	if err != nil {
		return nil, err
	}
	right, err := numbers(b)
	if err != nil {
		return nil, err
	}
	if len(left) != len(right) {
		return nil, fmt.Errorf("%s between lists of %d and %d elements", name, len(left), len(right))
	}
	out := make([]float64, len(left))
	for i := range out {
		out[i] = f(left[i], right[i])
	}
	return out, nil
}

func operation(operator string) (func(x, y float64) float64, error) {
	switch operator {
	case "+":
		return func(x, y float64) float64 { return x + y }, nil
	case "-":
		return func(x, y float64) float64 { return x - y }, nil
	case "*":
		return func(x, y float64) float64 { return x * y }, nil
	case "/":
		return func(x, y float64) float64 { return x / y }, nil
	case "^", "**":
		return math.Pow, nil
	case "%":
		return math.Mod, nil
	}
	return nil, errors.New("no operator " + operator)
}
