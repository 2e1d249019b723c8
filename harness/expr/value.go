package expr

import (
	"fmt"
	"reflect"

	"github.com/gaplab/gaplab/harness/trace"
)

// A value of the language is a number (int from literals and ranges, otherwise float64), a string, a boolean, a list
// ([]float64 from columns, []any and []int from the library), a curve, or fields.

// fields is a value with named parts, such as a fit or a printed row.
type fields struct {
	names  []string
	values []any
}

// typeName describes the type of a value in an error message.
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
	return 0, fmt.Errorf("got %s; accepted: a number", describeWrong(v))
}

// describeWrong does what typeName does for a value that is no number. It does not call number.
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
	return false, fmt.Errorf("got %s; accepted: a truth value", typeName(v))
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

// numbers returns the elements of a list of numbers. Do not write to the result: it may be a column.
func numbers(v any) ([]float64, error) {
	return listOf(v, "numbers", number)
}

func booleans(v any) ([]bool, error) { return listOf(v, "truth values", boolean) }

// listOf converts each element of a list.
func listOf[T any](v any, what string, convert func(any) (T, error)) ([]T, error) {
	if list, ok := v.([]T); ok {
		return list, nil
	}
	list, ok := elements(v)
	if !ok {
		return nil, fmt.Errorf("got %s; accepted: a list of %s", typeName(v), what)
	}
	out := make([]T, len(list))
	for i, x := range list {
		var err error
		if out[i], err = convert(x); err != nil {
			return nil, fmt.Errorf("element %d of a list of %s: %w", i, what, err)
		}
	}
	return out, nil
}
