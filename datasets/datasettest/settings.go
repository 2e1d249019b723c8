package datasettest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// setting is a field of a loader that a spec may set.
type setting struct {
	key    string             // key of the setting in a spec
	field  int                // index of the field in the loader
	limits map[string]float64 // values of the keys minimum, maximum, exclusiveMinimum, ... in the tag
	accept []string           // accepted texts; nil: any text
	empty  bool               // "" is also accepted, as the default
}

// settingsOf returns the settings of a loader, as the tags of its fields describe them.
func settingsOf(l datasets.Loader) (list []setting) {
	typ := reflect.TypeOf(l).Elem()
	for i := range typ.NumField() {
		field := typ.Field(i)
		key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if !field.IsExported() || key == "" || key == "-" {
			continue
		}
		s := setting{key: key, field: i, limits: map[string]float64{}, empty: field.Tag.Get("settings") == "optional"}
		for item := range strings.SplitSeq(field.Tag.Get("jsonschema"), ",") {
			name, text, _ := strings.Cut(item, "=")
			if name == "enum" {
				s.accept = append(s.accept, text)
			} else if x, err := strconv.ParseFloat(text, 64); err == nil {
				s.limits[name] = x
			}
		}
		list = append(list, s)
	}
	return list
}

// with returns a new loader of base in which the setting s has the given value. If the field cannot hold this value, ok
// is false.
func (s setting) with(base func() datasets.Loader, value any) (l datasets.Loader, ok bool) {
	l = base()
	field := reflect.ValueOf(l).Elem().Field(s.field)
	switch x := value.(type) {
	case float64:
		switch {
		case field.CanFloat():
			field.SetFloat(x)
		case x != math.Trunc(x) || math.Abs(x) > 1<<62:
			return nil, false
		case field.CanInt():
			field.SetInt(int64(x))
		case field.CanUint() && x >= 0:
			field.SetUint(uint64(x))
		default:
			return nil, false
		}
	case string:
		if field.Kind() != reflect.String {
			return nil, false
		}
		field.SetString(x)
	case bool:
		if field.Kind() != reflect.Bool {
			return nil, false
		}
		field.SetBool(x)
	}
	return l, true
}

// outside returns values that the struct tag of the setting does not accept.
func (s setting) outside() (values []any) {
	for name, x := range s.limits {
		switch name {
		case "minimum":
			values = append(values, x-1)
		case "maximum":
			values = append(values, x+1)
		case "exclusiveMinimum", "exclusiveMaximum":
			values = append(values, x)
		}
	}
	if s.accept != nil {
		values = append(values, "no-such-value")
	}
	if s.accept != nil && !s.empty {
		values = append(values, "")
	}
	if len(s.limits) > 0 {
		values = append(values, math.NaN())
	}
	return values
}

// extremes returns extreme values. The setting may accept some of them.
func (s setting) extremes() []any {
	values := []any{0., -1., 1., 1e9, -1e9, float64(1 << 62), float64(-1 << 62), math.MaxFloat64,
		math.SmallestNonzeroFloat64,
		math.Inf(1), math.Inf(-1), math.NaN(), "", "\x00", strings.Repeat("x", 10_000), true, false}
	for _, x := range s.limits {
		values = append(values, x)
	}
	return values
}

// checkSettings changes one setting at a time of the loaders that base makes. It checks that values outside the range
// are refused, and that extreme values cause no panic.
func checkSettings(t testing.TB, base func() datasets.Loader) {
	list := settingsOf(base())
	for _, s := range list {
		for _, value := range s.outside() {
			if l, ok := s.with(base, value); ok {
				refused(t, s.key, value, l)
			}
		}
		for _, value := range s.extremes() {
			if l, ok := s.with(base, value); ok {
				survives(t, fmt.Sprintf("%s %v", s.key, value), l)
			}
		}
	}
	for _, limit := range []string{"minimum", "maximum"} { // all settings at their limits at the same time
		l := base()
		for _, s := range list {
			if x, ok := s.limits[limit]; ok {
				last := l
				if l, ok = s.with(func() datasets.Loader { return last }, x); !ok {
					l = last
				}
			}
		}
		survives(t, "every setting at its "+limit, l)
	}
}

// refused checks that Validate returns a SettingError with the key, and that Load does so before it searches for a
// file.
func refused(t testing.TB, key string, value any, l datasets.Loader) {
	named := func(err error) bool {
		var setting *datasets.SettingError
		return errors.As(err, &setting) && setting.Key == key && setting.Want != ""
	}
	if v, ok := l.(datasets.Validator); ok {
		if err := v.Validate(); !named(err) {
			t.Errorf("%s %v is outside its range: error of Validate = %v, want a SettingError of %s", key, value, err, key)
		}
	}
	if _, err := l.Load(stopped(), datasets.Source{}); !named(err) {
		t.Errorf("%s %v is outside its range: error of Load = %v, want a SettingError of %s", key, value, err, key)
	}
}

// survives checks that neither Validate nor Load with a cancelled context panics.
func survives(t testing.TB, what string, l datasets.Loader) {
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s: panic: %v", what, v)
		}
	}()
	if v, ok := l.(datasets.Validator); ok && v.Validate() != nil {
		return
	}
	_, _ = l.Load(stopped(), datasets.Source{Offline: true})
}

// stopped returns a cancelled context.
func stopped() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
