// Package settings checks the exported fields of a solver, a model or a data set against the ranges and the accepted
// values in their struct tags. It serves programs that make these values in Go. The parser of specs does not use this
// package; it uses a JSON Schema that is made from the same tags.
//
//	Eta   float64 `yaml:"eta" jsonschema:"exclusiveMinimum=0"`
//	Order string  `yaml:"order" jsonschema:"enum=random,enum=cyclic"`
//
// A field without a yaml name is not a setting. Numbers must be finite. With the tag settings:"optional", a string with
// an enum may also be empty, which means the default.
package settings

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/internal/amount"
)

// Fault is the error about a setting whose value is not accepted.
type Fault struct {
	Key   string // name of the setting in a spec
	Value any
	Want  string // accepted values: a range, or a list separated by commas
	text  string
}

// Error returns a message with the key, the value and the accepted values.
func (f *Fault) Error() string { return f.text }

// Check returns the *Fault of the first field whose value is not accepted, or nil if all values are accepted. v is a
// struct or a pointer to a struct; for other values, Check returns nil.
func Check(v any) error {
	if faults := Faults(v); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// Faults returns a Fault for each field of v whose value is not accepted, in the order of the fields.
func Faults(v any) (faults []*Fault) {
	value := reflect.ValueOf(v)
	for value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	if value.Kind() != reflect.Struct {
		return nil
	}
	for i := range value.NumField() {
		field := value.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if !field.IsExported() || name == "" || name == "-" {
			continue
		}
		if want, text := rulesOf(field).check(name, value.Field(i)); text != "" {
			faults = append(faults, &Fault{Key: name, Value: value.Field(i).Interface(), Want: want, text: text})
		}
	}
	return faults
}

// rules holds the restrictions in the tags of a field.
type rules struct {
	low, high    *float64 // inclusive limits of a number; nil: none
	above, below *float64 // exclusive limits of a number; nil: none
	accepted     []string
	optional     bool
	minItems     int
}

// rulesOf returns the restrictions in the tags of a field.
func rulesOf(field reflect.StructField) rules {
	var r rules
	r.optional = field.Tag.Get("settings") == "optional"
	for _, item := range strings.Split(field.Tag.Get("jsonschema"), ",") {
		key, text, _ := strings.Cut(item, "=")
		switch key {
		case "enum":
			r.accepted = append(r.accepted, text)
		case "minimum":
			r.low = number(text)
		case "maximum":
			r.high = number(text)
		case "exclusiveMinimum":
			r.above = number(text)
		case "exclusiveMaximum":
			r.below = number(text)
		case "minItems":
			r.minItems, _ = strconv.Atoi(text)
		}
	}
	return r
}

func number(text string) *float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("settings: the limit " + text + " in a struct tag is not a number")
	}
	return &v
}

// check checks the value v of the setting with the given name. If v is not accepted, it returns the accepted values and
// an error message; if v is accepted, it returns two empty texts.
func (r rules) check(name string, v reflect.Value) (want, message string) {
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		return r.number(name, v.Float())
	case reflect.Int, reflect.Int64, reflect.Int32:
		return r.number(name, float64(v.Int()))
	case reflect.Uint, reflect.Uint64, reflect.Uint32:
		return r.number(name, float64(v.Uint()))
	case reflect.String:
		text := v.String()
		if len(r.accepted) > 0 && !slices.Contains(r.accepted, text) && !(text == "" && r.optional) {
			want = strings.Join(r.accepted, ", ")
			return want, fmt.Sprintf("%s is %q; accepted: %s", name, text, want)
		}
	case reflect.Slice:
		if v.Len() < r.minItems {
			want = fmt.Sprintf("at least %d", r.minItems)
			return want, fmt.Sprintf("%s has %s: want %s", name, amount.Count(v.Len(), "item"), want)
		}
	}
	return "", ""
}

// number checks the number x as check does. It returns the same values as check.
func (r rules) number(name string, x float64) (want, message string) {
	if math.IsNaN(x) || math.IsInf(x, 0) || r.low != nil && x < *r.low || r.high != nil && x > *r.high ||
		r.above != nil && x <= *r.above || r.below != nil && x >= *r.below {
		want = r.accepts()
		return want, fmt.Sprintf("%s is %v: want %s", name, x, want)
	}
	return "", ""
}

// accepts describes the accepted range of a number.
func (r rules) accepts() string {
	var list []string
	for _, limit := range []struct {
		at   *float64
		text string
	}{{r.above, "above"}, {r.low, "at least"}, {r.below, "below"}, {r.high, "at most"}} {
		if limit.at != nil {
			list = append(list, fmt.Sprintf("%s %v", limit.text, *limit.at))
		}
	}
	if list == nil {
		return "a finite number"
	}
	text := strings.Join(list, " and ")
	if strings.HasPrefix(text, "at") {
		text = "of " + text
	}
	return "a number " + text
}
