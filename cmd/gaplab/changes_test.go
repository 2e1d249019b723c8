package main

import (
	"strings"
	"testing"
)

// TestChanges checks that different changes of a spec give different names of files, also if they have the same letters
// and digits, or the same beginning.
func TestChanges(t *testing.T) {
	long := strings.Repeat("solvers.eg.eta=0.125,", 4)
	seen := map[string][]string{}
	for _, overrides := range [][]string{nil, {"stop.passes=5"}, {"stop.passes=-5"}, {"stop.passes=5."}, {"stop=passes.5"},
		{"stop.passes", "5"}, {long + "1"}, {long + "2"}, {long, "2"}} {
		name := changes(overrides)
		if other, ok := seen[name]; ok {
			t.Errorf("the changes %q and %q have one name, %q", other, overrides, name)
		}
		seen[name] = overrides
		if strings.Trim(name, "-abcdefghijklmnopqrstuvwxyz0123456789") != "" || len(name) > 60 {
			t.Errorf("the changes %q have the name %q, want at most 60 letters, digits and hyphens", overrides, name)
		}
	}
}
