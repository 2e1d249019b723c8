package lang

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

func TestDiffering(t *testing.T) {
	eg, _ := toy().Solver(Solver{Name: "eg"})
	for _, test := range []struct {
		params string
		want   map[string]any
	}{
		{"{}", map[string]any{}},
		{"{eta: 0.5, order: random}", map[string]any{}},
		{"{eta: 5e-1, rates: []}", map[string]any{}},
		{"{eta: 1}", map[string]any{"eta": 1}},
		{"{eta: 0.25, rates: [1, 2]}", map[string]any{"eta": 0.25, "rates": []any{1, 2}}},
		{"{step: {shrink: 0.5}}", map[string]any{"step": map[string]any{"shrink": 0.5}}},
	} {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(test.params), &doc); err != nil {
			t.Fatal(err)
		}
		got, err := eg.Differing(*doc.Content[0])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.params, diff)
		}
	}
	var wrong yaml.Node
	if err := yaml.Unmarshal([]byte("{order: batch, eta: 2}"), &wrong); err != nil {
		t.Fatal(err)
	}
	if _, err := eg.Differing(*wrong.Content[0]); err == nil {
		t.Error("no error for settings that the noun refuses")
	}
}

// What only the defaults have is null, so that leaving it out is not the same as having it.
func TestDifferingFromMore(t *testing.T) {
	got := differing(map[string]any{"a": 1}, map[string]any{"a": 1, "b": 2})
	if diff := cmp.Diff(map[string]any{"b": nil}, got); diff != "" {
		t.Error(diff)
	}
}

// A setting that is added with the old behaviour as its default differs nowhere.
func TestAddedSettingDiffersNowhere(t *testing.T) {
	type old struct {
		Eta float64 `yaml:"eta"`
	}
	type grown struct {
		Eta   float64 `yaml:"eta"`
		Every int     `yaml:"every"`
	}
	var params yaml.Node
	if err := yaml.Unmarshal([]byte("{eta: 2}"), &params); err != nil {
		t.Fatal(err)
	}
	before, err := Entry{New: func() any { return &old{Eta: 1} }}.Differing(*params.Content[0])
	if err != nil {
		t.Fatal(err)
	}
	after, err := Entry{New: func() any { return &grown{Eta: 1, Every: 3} }}.Differing(*params.Content[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

// A default that changes leaves the keys of what is set as before alone: what relied on it gets another one.
func TestChangedDefaultKeepsKeys(t *testing.T) {
	type settings struct {
		Scale float64 `yaml:"scale"`
	}
	at := func(scale float64) func() any { return func() any { return &settings{Scale: scale} } }
	before, after := Entry{New: at(100)}, Entry{New: at(1), Keyed: at(100)}
	for _, c := range []struct {
		noun   Entry
		params string
		want   map[string]any
	}{
		{before, "{}", map[string]any{}},
		{after, "{scale: 100}", map[string]any{}},
		{before, "{scale: 1}", map[string]any{"scale": 1}},
		{after, "{}", map[string]any{"scale": 1}},
	} {
		var params yaml.Node
		if err := yaml.Unmarshal([]byte(c.params), &params); err != nil {
			t.Fatal(err)
		}
		got, err := c.noun.Differing(*params.Content[0])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.params, diff)
		}
	}
}
