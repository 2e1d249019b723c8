package tree

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// Plain converts a Go value to plain values (see Value), with the keys of its yaml tags. The result is that of Value on
// the YAML that yaml.v3 writes for v, but Plain does not write this YAML: the key of each run needs Plain, and the
// detour would take most of its time.
func Plain(v any) any { return plain(reflect.ValueOf(v)) }

// plain does for a reflected value what Plain does for a value.
func plain(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return nil
		}
	}
	if v.CanInterface() {
		switch x := v.Interface().(type) {
		case yaml.Node, *yaml.Node, yaml.Marshaler, encoding.TextMarshaler, fmt.Stringer:
			return encoded(x) // the type may have a notation of its own, as time.Duration has
		}
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return plain(v.Elem())
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if x := v.Uint(); x > math.MaxInt {
			return x
		}
		return int(v.Uint()) // Value too prefers int
	case reflect.Float64:
		if x := v.Float(); x == math.Trunc(x) && math.Abs(x) < 1e6 {
			return int(x) // the YAML of such a number has neither a point nor an exponent
		}
		return v.Float()
	case reflect.Slice, reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			m := make(map[string]any, v.Len())
			for key, x := range v.Seq2() {
				m[key.String()] = plain(x)
			}
			return m
		}
	case reflect.Struct:
		if m, ok := fields(v); ok {
			return m
		}
	}
	return encoded(v.Interface())
}

// fields converts a struct. It returns false if a field has a tag for which only yaml.v3 knows the result.
func fields(v reflect.Value) (m map[string]any, ok bool) {
	t := v.Type()
	m = make(map[string]any, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case f.Anonymous || options != "" && options != "omitempty":
			return nil, false
		case !f.IsExported() || name == "-":
			continue
		case options == "omitempty" && empty(v.Field(i)):
			continue
		case name == "":
			name = strings.ToLower(f.Name)
		}
		m[name] = plain(v.Field(i))
	}
	return m, true
}

// empty reports whether yaml.v3 leaves out a field with the option omitempty.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

// encoded returns the value of the YAML that yaml.v3 writes for v.
func encoded(v any) any {
	var n yaml.Node
	if err := n.Encode(v); err != nil {
		panic(fmt.Sprintf("tree: %T: %v", v, err))
	}
	return Value(&n)
}
