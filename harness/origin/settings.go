package origin

import (
	"fmt"
	"maps"
	"reflect"
)

// Agree reports whether a result was made under the settings of a run. Both are as in a manifest, with defaults. They
// differ where a default has changed without a revision. A setting that only the run has was added later; the result
// was made with its default.
func Agree(made, now map[string]any) bool {
	for key, v := range made {
		other, known := now[key]
		if !known {
			continue
		}
		a, aMap := v.(map[string]any)
		b, bMap := other.(map[string]any)
		switch {
		case aMap && bMap:
			if !Agree(a, b) {
				return false
			}
		case !same(v, other):
			return false
		}
	}
	return true
}

// Complete returns the settings of a result with those that were added since, as a run has them, so that two results
// of one problem have equal settings whenever they were made. made and now agree (Agree), and are not changed.
func Complete(made, now map[string]any) map[string]any {
	out := maps.Clone(now)
	for key, v := range made {
		a, aMap := v.(map[string]any)
		b, bMap := now[key].(map[string]any)
		if aMap && bMap {
			v = Complete(a, b)
		}
		out[key] = v
	}
	return out
}

// same reports whether two values are equal in JSON, where numbers have one type.
func same(a, b any) bool {
	x, xNumber := number(a)
	y, yNumber := number(b)
	if xNumber && yNumber {
		return x == y
	}
	return reflect.DeepEqual(a, b) || fmt.Sprint(a) == fmt.Sprint(b)
}

func number(v any) (float64, bool) {
	r := reflect.ValueOf(v)
	if !r.IsValid() || !r.CanConvert(reflect.TypeFor[float64]()) || r.Kind() == reflect.String {
		return 0, false
	}
	return r.Convert(reflect.TypeFor[float64]()).Float(), true
}
