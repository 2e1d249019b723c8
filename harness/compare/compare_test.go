package compare_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/compare"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestCompare checks that a comparison lists the settings that differ, the final values, and the passes to the gaps
// that both runs reached. It must not list equal settings, and names of settings must not contain params.
func TestCompare(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs an experiment")
	}
	e, err := harness.Find("eg/fig06")
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At("smoke", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := harness.Run(t.Context(), s, harness.Options{Root: t.TempDir(), Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	list := compare.Runs(r.Files[0], r.Files[2])
	of := map[string]compare.Line{}
	for _, c := range list {
		of[c.What] = c
	}
	if c := of["value"]; c.A != "1000" || c.B != "10" {
		t.Errorf("line of C = %+v, want 1000 and 10", c)
	}
	if c := of["passes to a gap of 1e-3"]; c.Over == nil || *c.Over < 1 {
		t.Errorf("line of passes to a gap = %+v, want a ratio of at least 1", c)
	}
	if c := of["final primal"]; c.A == "" || c.B == "" {
		t.Errorf("line of the primal = %+v, want two values", c)
	}
	for name := range of {
		if strings.Contains(name, "params") || strings.Contains(name, "..") || name == "solver.name" || name == "data" {
			t.Errorf("%s is listed as a difference, want it absent", name)
		}
	}
	if same := compare.Runs(r.Files[0], r.Files[0]); slices.ContainsFunc(same, func(c compare.Line) bool {
		return c.A != c.B || c.Over != nil && *c.Over != 1
	}) {
		t.Errorf("comparison of a run with itself = %+v, want equal values and ratios of 1", same)
	}
	if rows := compare.Table(list).Rows; len(rows) != len(list) {
		t.Errorf("the table has %d rows, want one for each of %d lines", len(rows), len(list))
	}
}

// TestPassesToAGap checks that the passes to a gap are compared at the gaps that both runs reached and at no other,
// also if a budget ended the run that did not reach them.
func TestPassesToAGap(t *testing.T) {
	falling := func(as string, rate float64, rows int) *trace.File {
		f := &trace.File{End: &trace.End{Status: trace.Done, Rule: "passes"}}
		f.Manifest.Labels = map[string]any{"as": as, "lambda": 1.0, "loss": "log"}
		for i := range rows {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(i), trace.Primal: 1,
				trace.Gap: math.Pow(10, -rate*float64(i))}})
		}
		return f
	}
	gaps := []string{"1e-1", "1e-2", "1e-3", "1e-4", "1e-6"}
	for reached, rows := range map[int]int{0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 7} { // of the slow run
		slow, fast, cut := falling("slow", 1, rows), falling("fast", 2, 9), falling("slow", 1, rows)
		cut.End = &trace.End{Status: trace.Budget}
		for order, pair := range [][2]*trace.File{{slow, fast}, {fast, slow}, {cut, fast}, {fast, cut}} {
			var got []string
			for _, line := range compare.Runs(pair[0], pair[1]) {
				if gap, ok := strings.CutPrefix(line.What, "passes to a gap of "); ok {
					got = append(got, gap)
					if over := line.Over; over == nil || order%2 == 0 && *over > 1 || order%2 == 1 && *over < 1 {
						t.Errorf("order %d, gap %s: %+v, want a ratio of at most 1 for even orders and at least 1 for odd ones", order,
							gap, line)
					}
				}
			}
			if !slices.Equal(got, gaps[:reached]) {
				t.Errorf("order %d, a slow run of %d rows: passes to the gaps %q, want %q", order, rows, got, gaps[:reached])
			}
		}
	}
}
