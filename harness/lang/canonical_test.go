package lang

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// node parses a text in YAML and returns its root node.
func node(t testing.TB, text string) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Content[0]
}

// differing returns those settings in a text whose values differ from the defaults of an entry.
func differing(t *testing.T, e Entry, params string) map[string]any {
	t.Helper()
	got, err := e.differing(*node(t, params))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestDiffering checks which settings differ from the defaults, also in nested maps.
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
		if diff := cmp.Diff(test.want, differing(t, eg, test.params)); diff != "" {
			t.Errorf("%s: %s", test.params, diff)
		}
	}
	if _, err := eg.differing(*node(t, "{order: batch, eta: 2}")); err == nil {
		t.Error("no error for settings that Validate refuses")
	}
}

// TestDifferingFromMore checks that if the defaults have a key that the settings lack, this key is null in the
// difference.
func TestDifferingFromMore(t *testing.T) {
	got := difference(map[string]any{"a": 1}, map[string]any{"a": 1, "b": 2})
	if diff := cmp.Diff(map[string]any{"b": nil}, got); diff != "" {
		t.Error(diff)
	}
}

// TestAddedSettingDiffersNowhere checks that a new setting at its default value does not change the canonical text of a
// run.
func TestAddedSettingDiffersNowhere(t *testing.T) {
	type old struct {
		Eta float64 `yaml:"eta"`
	}
	type grown struct {
		Eta   float64 `yaml:"eta"`
		Every int     `yaml:"every"`
	}
	before := differing(t, Entry{New: func() any { return &old{Eta: 1} }}, "{eta: 2}")
	after := differing(t, Entry{New: func() any { return &grown{Eta: 1, Every: 3} }}, "{eta: 2}")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

// TestChangedDefaultKeepsKeys checks which keys change if a default changes and Keyed returns the old default: the keys
// of runs that relied on the default, and no others.
func TestChangedDefaultKeepsKeys(t *testing.T) {
	type settings struct {
		Scale float64 `yaml:"scale"`
	}
	at := func(scale float64) func() any { return func() any { return &settings{Scale: scale} } }
	before, after := Entry{New: at(100)}, Entry{New: at(1), Keyed: at(100)}
	for _, c := range []struct {
		entry  Entry
		params string
		want   map[string]any
	}{
		{before, "{}", map[string]any{}},
		{after, "{scale: 100}", map[string]any{}},
		{before, "{scale: 1}", map[string]any{"scale": 1}},
		{after, "{}", map[string]any{"scale": 1}},
	} {
		if diff := cmp.Diff(c.want, differing(t, c.entry, c.params)); diff != "" {
			t.Errorf("%s: %s", c.params, diff)
		}
	}
}
