package expr

import (
	"fmt"
	"math"
)

// compare evaluates a comparison. The operators < <= > >= accept two numbers or two texts; == and != also accept two
// truth values; the operator "in" accepts a value and a list. If an operand is a label that the curve lacks, != is true
// and every other comparison is false.
func compare(operator string, a, b any) (bool, error) {
	if operator == "in" {
		return contains(b, a)
	}
	if a == nil || b == nil {
		return operator == "!=", nil
	}
	if limited(a) || limited(b) {
		return compareBounded(operator, a, b)
	}
	x, errX := number(a)
	y, errY := number(b)
	if errX == nil && errY == nil {
		if math.IsNaN(x) || math.IsNaN(y) {
			return false, cannot("cannot compare %s %s %s: a value is missing or undefined", format(a), operator, format(b))
		}
		return order(operator, x, y)
	}
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return order(operator, a, b)
		}
	case bool:
		if b, ok := b.(bool); ok && (operator == "==" || operator == "!=") {
			return (a == b) == (operator == "=="), nil
		}
	}
	return false, fmt.Errorf("cannot compare %s %s %s; accepted: two numbers, two texts; to compare lists, use all, "+
		"increasing or max", typeName(a), operator, typeName(b))
}

// order applies a comparison operator to two numbers or two texts.
func order[T float64 | string](operator string, a, b T) (bool, error) {
	switch operator {
	case "<":
		return a < b, nil
	case "<=":
		return a <= b, nil
	case ">":
		return a > b, nil
	case ">=":
		return a >= b, nil
	case "==":
		return a == b, nil
	case "!=":
		return a != b, nil
	}
	return false, fmt.Errorf("unknown comparison %s", operator)
}

// contains reports whether a list contains an element equal to v.
func contains(list, v any) (bool, error) {
	values, ok := elements(list)
	if !ok {
		return false, fmt.Errorf("right operand of \"in\": got %s; accepted: a list", typeName(list))
	}
	for _, element := range values {
		same, err := compare("==", v, element)
		if Open(err) {
			return false, err
		}
		if err == nil && same {
			return true, nil
		}
	}
	return false, nil
}

// quantify calls decide with the number of true elements and the number of all elements of a list. If the list is
// empty, nothing can be decided, and quantify returns an error that Lacks recognises.
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
