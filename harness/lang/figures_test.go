package lang

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// decoded returns a struct of the language, decoded from the YAML of its own fields with the values of fill, and the
// struct that it should be.
func decoded(t *testing.T, of any) (got, want any) {
	t.Helper()
	in := reflect.New(reflect.TypeOf(of))
	fill(in.Elem(), 2)
	text, err := yaml.Marshal(in.Interface())
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := in.Interface().(*FigureSpec); ok { // the library does not write the keys of the embedded panel
		more, err := yaml.Marshal(f.Panel)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, more...)
	}
	out := reflect.New(in.Type().Elem())
	if err := yaml.Unmarshal(text, out.Interface()); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return unlined(out.Elem()).Interface(), unlined(in.Elem()).Interface()
}

// unlined sets those fields of a value, at any depth, that YAML does not have, such as Line, to their zero values.
func unlined(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			unlined(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			unlined(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("yaml") == "-" {
				v.Field(i).SetZero()
			} else if f.IsExported() {
				unlined(v.Field(i))
			}
		}
	}
	return v
}

// TestEveryKeyIsDecoded checks that each key of each part of a spec arrives in its field, also of parts whose decoding
// is written by hand.
func TestEveryKeyIsDecoded(t *testing.T) {
	for _, part := range []any{FigureSpec{}, Panel{}, Series{}, TableSpec{}, Column{}, Claim{}, Choose{}, Record{}, Keep{},
		Stop{}, Budget{}, Path{}, Anneal{}, Regularisation{}, Repeat{}, Paper{}} {
		got, want := decoded(t, part)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", part, diff)
		}
	}
}
