package trace

import (
	"reflect"
	"testing"
)

// TestAbbreviate checks which labels are shortened, and that short labels stay distinct.
func TestAbbreviate(t *testing.T) {
	const base = "word[-1] word[0] word[1] pos[-1] pos[0]"
	for _, c := range []struct{ label, a, b, c, shortA, shortB, shortC string }{
		{"features", base, base + " suffix3[0]", "prefix3[0] " + base + " suffix3[0]", "…", "… suffix3[0]",
			"… prefix3[0] suffix3[0]"},
		{"features", base, base + " pos[0]", base, base, base + " pos[0]", base}, // the same words
		{"as", base, base + " x", base, base, base + " x", base},
		{"features", "one", "one two", "one", "one", "one two", "one"},
		{"features", "a-long-word-of-thirty-characters x", "y", "y", "a-long-word-of-thirty-characters x", "y", "y"},
	} {
		all := []map[string]any{{c.label: c.a, "C": 1.0}, {c.label: c.b}, {c.label: c.c}}
		s := Abbreviate(all)
		var got []any
		for _, labels := range all {
			got = append(got, s.Of(labels)[c.label])
		}
		if want := []any{c.shortA, c.shortB, c.shortC}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: short labels %q, want %q", c.label, got, want)
		}
		if all[0][c.label] != c.a || s.Of(all[0])["C"] != 1.0 {
			t.Errorf("%s: Of changed its argument, or lost another label", c.label)
		}
	}
}
