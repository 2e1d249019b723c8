package lang

import (
	"strings"
	"testing"
)

// TestRepetitions checks that all runs are planned once before any is planned again, that the first repetition has the
// key of a run that is not repeated, and that runs which are compared belong to the same repetition.
func TestRepetitions(t *testing.T) {
	text := strings.Replace(stages, "stop:", "choose: {over: train, by: validation_error, at: {passes: 3}}\nstop:", 1)
	_, once := planOf(t, parsed(t, text), "paper")
	_, runs := planOf(t, parsed(t, text+"repeat: {times: 3}\n"), "paper")
	if len(runs) != 3*len(once) {
		t.Fatalf("%d runs, want 3 times %d", len(runs), len(once))
	}
	groups := map[string]int{}
	for i, r := range runs {
		first, repetition := once[i%len(once)], 1+i/len(once)
		if r.Repetition != repetition || r.Labels["repetition"] != float64(repetition) {
			t.Errorf("run %d: repetition %d, label %v; want %d", i, r.Repetition, r.Labels["repetition"], repetition)
		}
		if same := string(r.Canonical()) == string(first.Canonical()); same != (repetition == 1) {
			t.Errorf("run %d: the key of repetition %d is that of a run that is not repeated: %v", i, repetition, same)
		}
		if (r.Base == nil) != (first.Base == nil) || r.Base != nil && r.Base.Repetition > 1 {
			t.Errorf("run %d builds on %v, want a first repetition, as %v", i, r.Base, first.Base)
		}
		if at, ok := groups[r.Choose.Group]; ok && at != repetition {
			t.Errorf("run %d of repetition %d is compared with one of repetition %d", i, repetition, at)
		}
		groups[r.Choose.Group] = repetition
	}
}
