package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/crate"
)

// TestSampledRuns checks each cell of the table of gaplab verify, and the counts below it.
func TestSampledRuns(t *testing.T) {
	rows := []crate.Row{
		{Experiment: "eg/a", Run: "C=1", Key: "k1", Verdict: crate.Equal, Rows: 7, Then: 2, Low: 1.5, High: 2.5, Now: 3,
			Ratio: 1.5, Times: "near", Needed: 2, NeededTook: 4, OtherCode: []string{"models/x", "solvers/y"}},
		{Experiment: "eg/a", Run: "C=2", Key: "k2", Verdict: crate.Missing, Why: "no data", Rows: 8, Then: 1234.5},
		{Experiment: "eg/b", Run: "C=2", Key: "k3", Verdict: crate.Differs, Rows: 1, Now: 0.25, Needed: 1, NeededTook: 0.5},
		{Experiment: "eg/b", Run: "C=3", Key: "k4", Verdict: crate.Equal, OtherCode: []string{"a"}},
	}
	table := sampled(rows)
	want := [][]string{
		{"eg/a C=1", "k1", "7", "equal", "2", "3", "1.5", "1.5 to 2.5: near",
			"needed 2 other runs (4 s); made by other code: models/x, solvers/y"},
		{"eg/a C=2", "k2", "8", "missing", "1.23e+03", "", "", "", ""},
		{"eg/b C=2", "k3", "1", "differs", "", "0.25", "", "", "needed 1 other run (0.5 s)"},
		{"eg/b C=3", "k4", "0", "equal", "", "", "", "", "made by other code: a"},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" {
		t.Errorf("cells differ (-want +got):\n%s", diff)
	}
	head := []string{"run", "key", "rows", "compared", "CPU s then", "now", "ratio", "range", "remarks"}
	if diff := cmp.Diff(head, table.Head); diff != "" {
		t.Errorf("head differs (-want +got):\n%s", diff)
	}
	report := &crate.Report{Files: 5, Packs: 2, Runs: make([]crate.Run, 3), Damage: []string{"a", "b"},
		Wrong: []string{"c"}}
	const counts = "5 files, 2 at fault; 2 experiments, 3 runs, 1 at fault"
	for format, list := range map[string][]crate.Row{"text": rows, "json": nil} {
		var out, other bytes.Buffer
		v := &verifyVerb{sys: system{out: &out, err: &other}, format: &term.Choice{Value: format}}
		v.summary(report, list)
		want, beside := counts+"; made again: 2 equal, 1 differ, 1 missing\n", ""
		if format == "json" {
			want, beside = "", counts+"\n"
		}
		if out.String() != want || other.String() != beside {
			t.Errorf("%s: output %q, beside it %q; want %q, %q", format, &out, &other, want, beside)
		}
	}
}
