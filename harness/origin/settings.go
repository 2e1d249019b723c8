package origin

import (
	"fmt"
	"maps"
	"reflect"
)

// Agree reports whether a result with the settings in made is valid for a run with the settings in now. Both are
// settings as in a manifest, with defaults filled in. They may differ if a default was changed without a new revision.
// Agree ignores a setting that only one of them has. If only now has the setting, it was added to the program after the
// result was made, and the result was made with its default.
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

// Complete returns the settings of a result: made, and the settings in now that were added to the program later. Hence
// all results of one problem have the same settings, whenever they were made. Agree must be true for made and now;
// Complete does not change them.
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

// same reports whether two values are equal in JSON, where all numbers have the same type.
func same(a, b any) bool {
	x, xNumber := number(a)
	y, yNumber := number(b)
	if xNumber && yNumber {
		return x == y
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}

func number(v any) (float64, bool) {
	r := reflect.ValueOf(v)
	if !r.IsValid() || !r.CanConvert(reflect.TypeFor[float64]()) {
		return 0, false
	}
	return r.Convert(reflect.TypeFor[float64]()).Float(), true
}
