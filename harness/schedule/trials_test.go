package schedule

import (
	"maps"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
)

// TestTrialStop checks that a trial has the stop rule of its run, except for the passes or the epochs of the
// comparison, and that trials that end by different rules have different names.
func TestTrialStop(t *testing.T) {
	whole := lang.Stop{Gap: 0.1, Passes: 50, Epochs: 60, Seconds: 70}
	names := map[string]bool{}
	for at, want := range map[lang.At]lang.Stop{
		{Passes: 2}: {Gap: 0.1, Passes: 2, Epochs: 60, Seconds: 70},
		{Passes: 3}: {Gap: 0.1, Passes: 3, Epochs: 60, Seconds: 70},
		{Epochs: 2}: {Gap: 0.1, Passes: 50, Epochs: 2, Seconds: 70},
		{Epochs: 3}: {Gap: 0.1, Passes: 50, Epochs: 3, Seconds: 70},
	} {
		r := lang.Run{Stop: whole, Choose: &lang.Candidate{Rule: lang.Choose{At: at}}}
		if got := trialStop(r); got != want || r.Stop != whole {
			t.Errorf("comparison at %+v: the trial stops by %+v, want %+v", at, got, want)
		}
		names[pointOf(want)] = true
	}
	if len(names) != 4 {
		t.Errorf("four rules have the names %v", slices.Collect(maps.Keys(names)))
	}
}
