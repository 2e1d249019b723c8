package lang

import (
	"reflect"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestShortForms checks that a short form of a part of a spec has the same settings as its long form.
func TestShortForms(t *testing.T) {
	for _, c := range []struct {
		of          any
		short, long string
	}{
		{Column{}, "final.passes", "{name: final.passes}"},
		{Column{}, "powerfit(gap, epoch).slope", `{name: "powerfit(gap, epoch).slope"}`},
		{SeriesList{}, "EG, C={C}", `[{label: "EG, C={C}"}]`},
		{Choices{}, "{over: C, by: gap}", "[{over: [C], by: gap}]"},
		{Choices{}, "{over: [C, eta], by: gap, one_se: true}", "[{over: [C, eta], by: gap, one_se: true}]"},
		{Strings{}, "primal", "[primal]"},
		{Strings{}, "'1'", "['1']"},
		{Values{}, "0.5", "[0.5]"},
		{Values{}, "{grid: [1, 10]}", "[1, 10]"},
		{Values{}, "2", "{grid: [2]}"},
	} {
		one := reflect.TypeOf(c.of)
		short, long := reflect.New(one), reflect.New(one)
		for into, text := range map[any]string{short.Interface(): c.short, long.Interface(): c.long} {
			if err := yaml.Unmarshal([]byte(text), into); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		want := long.Elem().Interface()
		if got := short.Elem().Interface(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, and %s is %+v; want the same", c.short, got, c.long, want)
		}
	}
}
