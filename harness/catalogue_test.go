package harness

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness/lang"
)

// TestCatalogueFields checks that specs see each data set, model and solver as the catalogue describes it. A field of
// an entry has the value of the catalogue's field with the same name. It is empty if the catalogue has no such field.
// A function must return equal settings, such as the old defaults that keys leave out. The columns of a model are its
// facts.
func TestCatalogueFields(t *testing.T) {
	c := Catalogue()
	keyed := 0
	for _, list := range []struct {
		kind string
		got  []lang.Entry
		want reflect.Value
	}{
		{"data set", c.Datasets, reflect.ValueOf(catalogue.DataSets())},
		{"model", c.Models, reflect.ValueOf(catalogue.Models())},
		{"solver", slices.DeleteFunc(slices.Clone(c.Solvers), func(e lang.Entry) bool { return e.Select != nil }),
			reflect.ValueOf(catalogue.Solvers())},
	} {
		if len(list.got) != list.want.Len() {
			t.Fatalf("specs see %d entries of the kind %s, want %d", len(list.got), list.kind, list.want.Len())
		}
		for i, entry := range list.got {
			value := reflect.ValueOf(entry)
			for k := range value.NumField() {
				field, got := value.Type().Field(k), value.Field(k)
				name := field.Name
				if list.kind == "model" && name == "Columns" {
					name = "Facts"
				}
				want := list.want.Index(i).FieldByName(name)
				if a, b := settled(got), settled(want); !reflect.DeepEqual(a, b) {
					t.Errorf("%s %s: %s is %+v, want %+v as in the catalogue", list.kind, entry.Name, field.Name, a, b)
				}
			}
			if entry.Keyed != nil {
				keyed++
			}
		}
	}
	if keyed == 0 {
		t.Error("no entry has old defaults, want some")
	}
}

// settled returns a value for comparison: nil for an empty value, the elements of a list as text, and the settings to
// which the result of a function points, with their type.
func settled(v reflect.Value) any {
	switch {
	case !v.IsValid() || v.IsZero():
		return nil
	case v.Kind() == reflect.Func:
		settings := v.Call(nil)[0]
		for settings.Kind() == reflect.Interface {
			settings = settings.Elem()
		}
		return fmt.Sprintf("%v %+v", settings.Type(), settings.Elem())
	case v.Kind() == reflect.Slice && v.Len() == 0:
		return nil
	}
	return v.Interface()
}
