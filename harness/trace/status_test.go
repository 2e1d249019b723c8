package trace_test

import (
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestStatuses checks, for each status, whether the run lacks a result, and whether more passes could have changed its
// curve. A run that lost a comparison with others lacks nothing.
func TestStatuses(t *testing.T) {
	for status, want := range map[trace.Status]struct{ lacks, cut bool }{
		trace.Done:        {false, false},
		trace.Stalled:     {false, true},
		trace.Budget:      {false, true},
		trace.Diverged:    {false, true},
		trace.Unsupported: {false, true},
		trace.Failed:      {true, true},
		trace.Interrupted: {true, true},
		trace.Missing:     {true, true},
		trace.Damaged:     {true, true},
	} {
		c := trace.NewMissing(nil, status, "")
		if c.Lacks() != want.lacks || c.Cut() != want.cut {
			t.Errorf("%s: lacks a result %v, cut %v; want %+v", status, c.Lacks(), c.Cut(), want)
		}
		for _, chosen := range []bool{true, false} {
			c.Labels["chosen"] = chosen
			if got := c.Lacks(); got != (want.lacks && chosen) {
				t.Errorf("%s, chosen %v: lacks a result %v, want %v", status, chosen, got, want.lacks && chosen)
			}
		}
		done := run(labels("eg", 1), row("passes", 0, "primal", 1, "dual", 1))
		set := trace.NewSet([]*trace.File{done, {Manifest: done.Manifest, End: &trace.End{Status: status}}})
		share, lacking := "", 0
		if want.lacks {
			share, lacking = "1 of 2 runs", 1
		}
		if set.Share() != share || len(set.Lacking()) != lacking {
			t.Errorf("%s beside a finished run: share %q, %d runs lack a result; want %q, %d", status, set.Share(),
				len(set.Lacking()), share, lacking)
		}
	}
}

// TestRulesThatCut checks which stop rules end a run whose curve more passes could have changed.
func TestRulesThatCut(t *testing.T) {
	for rule, want := range map[string]bool{"passes": true, "epochs": true, "seconds": true, "gap": false,
		"patience": false, "converged": false} {
		c := &trace.Curve{Status: trace.Done, Rule: rule}
		if c.Cut() != want {
			t.Errorf("a run that ended by the rule %s: cut %v, want %v", rule, c.Cut(), want)
		}
	}
}
