package compare_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/compare"
)

// TestCompare checks that a comparison lists the settings that differ, the final values, and the passes to the gaps
// that both runs reached. It must not list equal settings, and names of settings must not contain params.
func TestCompare(t *testing.T) {
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
