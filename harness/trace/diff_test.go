package trace_test

import (
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestDiff checks the description of the first difference, and that times are ignored.
func TestDiff(t *testing.T) {
	a := &trace.File{Rows: []trace.Row{row("passes", 0, "seconds", 1),
		row("passes", 1, "primal", 0.5, "oracle_seconds", 3)}, End: &trace.End{Status: trace.Done}}
	same := &trace.File{Rows: []trace.Row{row("passes", 0, "seconds", 2),
		row("passes", 1, "primal", 0.5, "oracle_seconds", 4)}, End: &trace.End{Status: trace.Done}}
	if d := trace.Diff(a, same); d != "" {
		t.Errorf("Diff of runs that differ only in times = %q, want none", d)
	}
	for want, b := range map[string]*trace.File{
		"row 2 (1 passes): primal is 0.5 against 0.50000001": {Rows: []trace.Row{a.Rows[0],
			row("passes", 1, "primal", 0.50000001, "oracle_seconds", 4)}},
		"row 2 (1 passes): column primal is in one row only": {Rows: []trace.Row{a.Rows[0],
			row("passes", 1, "oracle_seconds", 4)}},
		"row 2 (1 passes): column other is in one row only": {Rows: []trace.Row{a.Rows[0],
			row("passes", 1, "primal", 0.5, "other", 0)}},
		`row 1 (0 passes): warnings [] against ["odd"]`: {Rows: []trace.Row{
			{Values: a.Rows[0].Values, Warnings: []string{"odd"}}, a.Rows[1]}},
		"2 rows against 1":                {Rows: a.Rows[:1]},
		"status done against interrupted": {Rows: a.Rows},
	} {
		if d := trace.Diff(a, b); d != want {
			t.Errorf("Diff = %q, want %q", d, want)
		}
	}
}
