package gate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// run returns a curve of so many rows.
func run(rows int) *trace.File {
	f := &trace.File{Manifest: trace.Manifest{Plan: "p", Labels: map[string]any{"as": "a"}},
		End: &trace.End{Status: trace.Done, Rule: "gap", Rows: rows}}
	for i := range rows {
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(i), trace.Epoch: float64(i),
			trace.Primal: 1 + math.Exp(-float64(i)), trace.Seconds: float64(i)}})
	}
	return f
}

// message returns the message of the gate on a fresh run.
func message(t *testing.T, compare func(string, []*trace.File, []*trace.File) []gate.Comparison, ref,
	now *trace.File) string {
	t.Helper()
	got := compare("p/a", []*trace.File{ref}, []*trace.File{now})
	if len(got) != 1 || got[0].Experiment != "p/a" || got[0].Curve != "a" || got[0].OK != (got[0].Message == "") {
		t.Fatalf("%+v", got)
	}
	return got[0].Message
}

// TestLastBit checks that the gate within tolerances lets a last bit pass, the exact one names its row and column, or
// says that the reference does not keep the row. Clocks count for neither.
func TestLastBit(t *testing.T) {
	ref := run(500).Reference(20)
	kept := map[int]bool{}
	for _, i := range ref.Manifest.Kept {
		kept[i] = true
	}
	if len(kept) < 15 || len(kept) > 60 {
		t.Fatalf("%d rows are kept", len(kept))
	}
	for i := range 500 {
		now := run(500)
		now.Rows[i].Values[trace.Seconds]++
		if m := message(t, gate.Exact, ref, now); m != "" {
			t.Fatalf("another clock in row %d: %s", i+1, m)
		}
		now.Rows[i].Values[trace.Primal] = math.Nextafter(now.Rows[i].Values[trace.Primal], 9)
		if m := message(t, gate.Within(), ref, now); m != "" {
			t.Fatalf("a bit of row %d: %s", i+1, m)
		}
		m := message(t, gate.Exact, ref, now)
		if kept[i] && !strings.Contains(m, "primal is ") || !kept[i] && !strings.HasPrefix(m, "rows between") {
			t.Fatalf("a bit of row %d, which is kept: %v: %q", i+1, kept[i], m)
		}
	}
	other := run(500)
	other.End.Rule = "passes"
	if m := message(t, gate.Exact, ref, other); !strings.Contains(m, "by the rule") {
		t.Errorf("another rule: %q", m)
	}
	lost := run(500)
	lost.End.Labels = map[string]any{"chosen": false}
	if m := message(t, gate.Exact, ref, lost); !strings.Contains(m, "chosen") {
		t.Errorf("a candidate that lost: %q", m)
	}
	if m := message(t, gate.Exact, ref, run(499)); m == "" {
		t.Error("a row less is the same")
	}
	more := run(500)
	more.Rows[3].Values["new"] = 1
	if m := message(t, gate.Exact, ref, more); m == "" {
		t.Error("another column is the same")
	}
}

// TestTwoReferences checks that two references of the same rows agree bit by bit, however much both are thinned.
func TestTwoReferences(t *testing.T) {
	for _, keep := range []int{20, 1000} {
		other := run(500)
		other.Rows[250].Values[trace.Primal] = math.Nextafter(other.Rows[250].Values[trace.Primal], 9)
		if m := message(t, gate.Exact, run(500).Reference(20), run(500).Reference(keep)); m != "" {
			t.Errorf("the same rows, about %d kept: %s", keep, m)
		}
		if m := message(t, gate.Exact, run(500).Reference(20), other.Reference(keep)); m == "" {
			t.Errorf("another bit, about %d kept, is the same", keep)
		}
	}
}
