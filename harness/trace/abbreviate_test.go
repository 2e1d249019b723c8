package trace_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestAbbreviateBorders checks from which length, and for which labels, texts are shortened.
func TestAbbreviateBorders(t *testing.T) {
	text := func(n int, end string) string { return strings.Repeat("w", n-2-len(end)) + " " + end + "." }
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"x", text(30, "b"), text(30, "c"), true}, {"x", text(29, "b"), text(29, "c"), false},
		{"x", text(30, "b"), text(30, "b"), false}, {"as", text(40, "b"), text(40, "c"), false},
		{"problem", text(40, "b"), text(40, "c"), false}, {"dataset", text(40, "b"), text(40, "c"), false},
		{"model", text(40, "b"), text(40, "c"), false}, {"x", text(30, "b"), text(40, "c"), false},
		{"x", text(30, "b") + " w", "w c", true},
	} {
		s := (&trace.Set{Curves: []*trace.Curve{{Labels: map[string]any{c.name: c.a}}, {Labels: map[string]any{c.name: c.b,
			"y": 1.}}}}).Abbreviate()
		if got := len(s) > 0; got != c.want || got && (s[c.name][c.a] == "" || s[c.name][c.b] == "") {
			t.Errorf("%s %q and %q: short texts %q, want some: %v", c.name, c.a, c.b, s, c.want)
		}
	}
}
