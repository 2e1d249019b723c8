package expr

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// A value of the language is a number, a string, a boolean, a list, a curve, or fields. Numbers are int if they come
// from literals and ranges, Bounded if they depend on a run that ended at its limit, and float64 otherwise. Lists are
// []float64 if they come from columns, and []any or []int if they come from the library.

// fields is a value with named fields, such as a fit or a row of a printed table.
type fields struct {
	names  []string
	values []any
}

// quantities is a value of a map such as {"passes to 0.1 %": 11}: names with their units, and the values.
type quantities fields

// quantitiesOf returns the quantities of a map, in the order in which their names first stand in the source. Other
// values are returned as they are.
func quantitiesOf(source string, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	var q quantities
	q.names = slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(source, a), place(source, b)), cmp.Compare(a, b))
	})
	for _, name := range q.names {
		q.values = append(q.values, m[name])
	}
	return q
}

// place returns the position in the source at which a name is the key of a map.
func place(source, name string) int {
	for _, form := range []string{`"` + name + `":`, `'` + name + `':`, name + ":"} {
		if at := strings.Index(source, form); at >= 0 {
			return at
		}
	}
	return len(source)
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
		return "a value with named fields"
	case map[string]any:
		return "a selector"
	case Bounded:
		return "a number of which only bounds are known"
	}
	if _, err := number(v); err == nil {
		return "a number"
	}
	if _, ok := elements(v); ok {
		return "a list"
	}
	return fmt.Sprintf("a %T", v)
}

// number converts a value to a number.
func number(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	case Bounded:
		return 0, v.unknown()
	}
	return 0, fmt.Errorf("got %s; accepted: a number", describeWrong(v))
}

// describeWrong describes the type of a value that is not a number. It exists because typeName calls number, and number
// needs this text: calling typeName there would never end.
func describeWrong(v any) string {
	switch v.(type) {
	case nil, bool, string, *trace.Curve, fields, map[string]any, Bounded:
		return typeName(v)
	}
	return "a list"
}

// boolean converts a value to a truth value.
func boolean(v any) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	return false, fmt.Errorf("got %s; accepted: a truth value", typeName(v))
}

// elements returns the elements of any kind of list.
func elements(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case nil, bool, int, float64, string, fields, *trace.Curve, map[string]any, Bounded:
		return nil, false
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

// numbers converts a value to a list of numbers. Callers must not change the list, since it may be a column of a curve.
func numbers(v any) ([]float64, error) {
	return listOf(v, "numbers", number)
}

// booleans converts a value to a list of truth values.
func booleans(v any) ([]bool, error) { return listOf(v, "truth values", boolean) }

// listOf converts a value to a list and calls convert for each element.
func listOf[T any](v any, what string, convert func(any) (T, error)) ([]T, error) {
	if list, ok := v.([]T); ok {
		return list, nil
	}
	if b, ok := v.(Bounded); ok {
		return nil, b.unknown()
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
