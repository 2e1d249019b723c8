package main

import (
	"bytes"
	"slices"
	"testing"
)

// TestNotesArePrintedOnce checks that equal warnings are printed once, and not more than four.
func TestNotesArePrintedOnce(t *testing.T) {
	list := []string{"my/x: C=1: slow\nstack", "my/x C=10: far", "C=10: far", "odd", "C=10: far"}
	folded := []string{"my/x: C=1: slow", "C=10: far (in 3 runs)", "odd"}
	if got := distinct("my/x", list); !slices.Equal(got, folded) {
		t.Errorf("distinct: got %q; want %q", got, folded)
	}
	if got, want := without(list[1:4], []string{"far"}), []string{"odd"}; !slices.Equal(got, want) {
		t.Errorf("without: got %q; want %q", got, want)
	}
	var out bytes.Buffer
	system{err: &out}.notes("my/x", []string{"a", "b", "a", "c", "d", "e", "f"})
	lines := "gaplab: note: my/x: a (in 2 runs)\ngaplab: note: my/x: b\ngaplab: note: my/x: c\ngaplab: note: my/x: d\n" +
		"gaplab: note: my/x: and 2 more; `gaplab show` prints all\n"
	if out.String() != lines {
		t.Errorf("notes: got\n%swant\n%s", out.String(), lines)
	}
}
