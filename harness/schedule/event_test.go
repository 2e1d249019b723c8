package schedule

import (
	"math"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
)

// TestEventLine checks the line about each kind of event.
func TestEventLine(t *testing.T) {
	run := lang.Run{Labels: map[string]any{"as": "eg"}}
	for _, c := range []struct {
		e    Event
		want string
	}{
		{Event{Kind: Started, Done: 2, Total: 5, Run: run, Passes: 3, Gap: 0.1}, "p/a: 2 of 5 runs, 12 s"},
		{Event{Kind: Recorded, Done: 2, Total: 5, Run: run, Passes: 3.00004, Gap: 0.123},
			"p/a: 2 of 5 runs, 12 s; eg at 3 passes, gap 0.12"},
		{Event{Kind: Recorded, Done: 0, Total: 1, Run: run, Passes: 12345.6, Gap: math.NaN()},
			"p/a: 0 of 1 runs, 12 s; eg at 1.235e+04 passes"},
	} {
		if got := c.e.Line("p/a", 12400*time.Millisecond); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
}
