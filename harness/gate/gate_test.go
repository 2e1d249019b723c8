package gate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// run returns a finished run with the given number of rows.
func run(rows int) *trace.File {
	f := &trace.File{Manifest: trace.Manifest{Plan: "p", Labels: map[string]any{"as": "a"}},
		End: &trace.End{Status: trace.Done, Rule: "gap", Rows: rows}}
	for i := range rows {
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(i), trace.Epoch: float64(i),
			trace.Primal: 1 + math.Exp(-float64(i)), trace.Seconds: float64(i)}})
	}
	return f
}

// message compares a new run with a reference and returns the message. It checks that no part of the message is empty
// or says the same as another part.
func message(t *testing.T, compare func(string, []*trace.File, []*trace.File) []gate.Comparison, ref,
	now *trace.File) string {
	t.Helper()
	got := compare("p/a", []*trace.File{ref}, []*trace.File{now})
	if len(got) != 1 || got[0].Experiment != "p/a" || got[0].Curve != "a" || got[0].OK != (got[0].Message == "") {
		t.Fatalf("comparisons = %+v, want one of the curve a, with a message unless it is OK", got)
	}
	for _, part := range strings.Split(got[0].Message, "; ") {
		part = strings.TrimPrefix(part, "in the end ")
		if got[0].Message != "" && (part == "" || strings.Count(got[0].Message, part) > 1) {
			t.Errorf("the message %q has an empty or a repeated part: %q", got[0].Message, part)
		}
	}
	return got[0].Message
}

// TestLastBit changes the last bit of one value. Within must accept the change. Exact must report the row and column of
// the value or, if the reference does not contain this row, that such a row differs. Both must ignore clocks.
func TestLastBit(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test compares 1000 runs")
	}
	ref := run(500).Reference(20)
	kept := map[int]bool{}
	for _, i := range ref.Manifest.Kept {
		kept[i] = true
	}
	if len(kept) < 15 || len(kept) > 60 {
		t.Fatalf("the reference has %d rows, want 15 to 60", len(kept))
	}
	for i := range 500 {
		now := run(500)
		now.Rows[i].Values[trace.Seconds]++
		if m := message(t, gate.Exact, ref, now); m != "" {
			t.Fatalf("message about another clock in row %d = %q, want none", i+1, m)
		}
		now.Rows[i].Values[trace.Primal] = math.Nextafter(now.Rows[i].Values[trace.Primal], 9)
		if m := message(t, gate.Within(), ref, now); m != "" {
			t.Fatalf("message of Within about the last bit in row %d = %q, want none", i+1, m)
		}
		m := message(t, gate.Exact, ref, now)
		if kept[i] && !strings.Contains(m, "primal is ") ||
			!kept[i] && !strings.HasPrefix(m, "rows that are not in the thinned reference") {
			t.Fatalf("message of Exact about the last bit in row %d (in the reference: %v) = %q, want the column or that the "+
				"row is not in the reference", i+1, kept[i], m)
		}
	}
	other := run(500)
	other.End.Rule = "passes"
	const rules = `it ended by the rule "passes", but the reference by "gap"`
	for _, compare := range []func(string, []*trace.File, []*trace.File) []gate.Comparison{gate.Exact, gate.Within()} {
		if m := message(t, compare, ref, other); m != rules {
			t.Errorf("message about a run that ended by another rule = %q, want %s", m, rules)
		}
	}
	lost := run(500)
	lost.End.Labels = map[string]any{"chosen": false}
	if m := message(t, gate.Exact, ref, lost); m != "it ended with the labels map[chosen:false], "+
		"but the reference with map[]" {
		t.Errorf("message about a candidate that was rejected = %q, want both labels", m)
	}
	if m := message(t, gate.Exact, ref, run(499)); m != "it has 499 rows, but the reference has a row 500" {
		t.Errorf("message about a run with one row less = %q, want both numbers", m)
	}
	if m := message(t, gate.Exact, run(3).Reference(20), run(4)); m != "it has 4 rows, but the reference has 3" {
		t.Errorf("message about a run with one row more = %q, want both numbers", m)
	}
	if m := message(t, gate.Exact, run(0).Reference(20), run(0)); m != "its reference has no row; update the baseline" {
		t.Errorf("message about two runs without rows = %q, want that the reference has none", m)
	}
	moved := run(500)
	moved.Rows[499].Values[trace.Primal] += 0.25
	for _, c := range gate.Exact("p/a", []*trace.File{ref}, []*trace.File{moved}) {
		if c.Column != trace.Primal || c.Passes != 499 || c.Reference != ref || c.Fresh != moved {
			t.Errorf("comparison = %+v, want the column primal at 499 passes, and both runs", c)
		}
	}
	more := run(500)
	more.Rows[3].Values["new"] = 1
	if m := message(t, gate.Exact, ref, more); m == "" {
		t.Error("Exact accepts a run with an additional column")
	}
}

// TestTwoReferences checks that Exact can compare two references of one run that contain different numbers of its rows.
func TestTwoReferences(t *testing.T) {
	for _, keep := range []int{20, 1000} {
		other := run(500)
		other.Rows[250].Values[trace.Primal] = math.Nextafter(other.Rows[250].Values[trace.Primal], 9)
		if m := message(t, gate.Exact, run(500).Reference(20), run(500).Reference(keep)); m != "" {
			t.Errorf("message about two references of the same run, one with about %d rows = %q, want none", keep, m)
		}
		if m := message(t, gate.Exact, run(500).Reference(20), other.Reference(keep)); m == "" {
			t.Errorf("Exact accepts a reference with about %d rows although one bit of its run differs", keep)
		}
	}
}
