package lang

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fill gives every field of a struct of settings a value that is not zero and depends on n.
func fill(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text ", n))
	case reflect.Float64:
		v.SetFloat(float64(n))
	case reflect.Bool:
		v.SetBool(n != 0)
	case reflect.Int:
		v.SetInt(int64(n))
	case reflect.Uint64:
		v.SetUint(uint64(n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), n)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n+i)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic("no value for a field of type " + v.Type().String())
	}
}

// TestPanelsInherit checks that a panel inherits every key of the figure except the title, and keeps its own keys.
func TestPanelsInherit(t *testing.T) {
	var figure, own Panel
	fill(reflect.ValueOf(&figure).Elem(), 1)
	fill(reflect.ValueOf(&own).Elem(), 2)
	want := figure
	want.Title, want.Line = "", 0
	if diff := cmp.Diff(want, Panel{}.inherit(figure)); diff != "" {
		t.Errorf("a panel without keys differs from the figure (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(own, own.inherit(figure)); diff != "" {
		t.Errorf("the own keys of a panel have changed (-want +got):\n%s", diff)
	}
}

// TestStopRulesOfASolver checks that each stop rule of a solver replaces the same rule of the experiment and no other.
func TestStopRulesOfASolver(t *testing.T) {
	var general, own Stop
	fill(reflect.ValueOf(&general).Elem(), 1)
	fill(reflect.ValueOf(&own).Elem(), 2)
	for i := range reflect.TypeFor[Stop]().NumField() {
		var one Stop
		reflect.ValueOf(&one).Elem().Field(i).Set(reflect.ValueOf(own).Field(i))
		want := general
		reflect.ValueOf(&want).Elem().Field(i).Set(reflect.ValueOf(own).Field(i))
		if got := general.with(&one); got != want {
			t.Errorf("%+v with the rule %+v = %+v, want %+v", general, one, got, want)
		}
	}
}
