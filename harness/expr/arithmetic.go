package expr

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// each applies f to a number, or to every element of a list.
func each(v any, f func(float64) float64) (any, error) {
	if limited(v) {
		return eachBounded(v, f)
	}
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

// arith evaluates the operators + - * / ^ % on numbers and, element by element, on lists. If one operand is a number
// and the other a list, it combines the number with each element.
func arith(operator string, a, b any) (any, error) {
	f, err := operation(operator)
	if err != nil {
		return nil, err
	}
	for i, v := range []any{a, b} {
		if _, isList := elements(v); !isList {
			if _, err := bounds(v); err != nil {
				return nil, fmt.Errorf("%s operand of %s: %w", [2]string{"left", "right"}[i], operator, err)
			}
		}
	}
	i, isI := a.(int)
	j, isJ := b.(int)
	if isI && isJ && (operator == "+" || operator == "-" || operator == "*") { // an index stays an integer
		return int(f(float64(i), float64(j))), nil
	}
	return broadcast(operator, a, b, f)
}

// broadcast applies f to two numbers, to a number and each element of a list, or to two lists element by element.
func broadcast(name string, a, b any, f func(x, y float64) float64) (any, error) {
	if limited(a) || limited(b) {
		return combine(name, a, b, f)
	}
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

// pairwise applies f to the elements of two lists of equal length: out[i] = f(left[i], right[i]).
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
		return nil, fmt.Errorf("%s needs lists of equal length; got %d and %d elements", name, len(left), len(right))
	}
	out := make([]float64, len(left))
	for i := range out {
		out[i] = f(left[i], right[i])
	}
	return out, nil
}

// operation returns the function of two numbers that an arithmetic operator, such as +, computes.
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
	return nil, errors.New("unknown operator " + operator)
}

// summary applies f to the elements of a list that are not NaN. If there are no such elements, it returns an error that
// Lacks recognises: the expression is correct, but its value cannot be computed.
func summary(name string, v any, f func([]float64) float64) (any, error) {
	if limited(v) && name != "std" {
		list, err := boundsOf(v)
		if err != nil {
			return nil, err
		}
		return monotoneOf(list, f), nil
	}
	list, err := numbers(v)
	if err != nil {
		return nil, err
	}
	list = withoutNaN(list)
	if len(list) == 0 {
		return nil, cannot("cannot compute %s of an empty list", name)
	}
	return f(list), nil
}

// withoutNaN returns the elements of a list that are not NaN.
func withoutNaN(list []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(list), math.IsNaN)
}
