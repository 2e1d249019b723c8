package gate_test

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestMessages checks the messages about new runs that end in another way than their references.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		change func(f *trace.File)
		want   string
	}{
		{func(f *trace.File) { f.Rows = f.Rows[:4] }, "it no longer has this row; it ends at epoch 3"},
		{func(f *trace.File) { f.Rows = nil }, "it has no rows"},
		{func(f *trace.File) { f.Rows = append(f.Rows, f.Rows[len(f.Rows)-1]) }, "it has 41 rows, but the reference has 40"},
		{func(f *trace.File) { f.End.Status, f.End.Why = trace.Failed, "panic" }, "it ended as failed (panic)"},
		{func(f *trace.File) { f.End = nil }, "it ended as interrupted"},
	} {
		fresh := full(40)
		c.change(fresh)
		if m := within(t, full(40), fresh); !strings.Contains(m, c.want) {
			t.Errorf("message = %q, want %q", m, c.want)
		}
	}
	if m := within(t, full(40).Thin(6), full(40)); m != "" {
		t.Errorf("message about a thinned reference of the same run = %q, want none", m)
	}
}

// TestExact checks that Exact finds a difference of one bit in one column of one row, even if the reference was thinned
// and does not contain that row. Differences in clocks must be ignored.
func TestExact(t *testing.T) {
	whole := full(20)
	for _, keep := range []int{1000, 6} {
		ref := whole.Reference(keep)
		path := filepath.Join(t.TempDir(), "ref.jsonl")
		if err := ref.Save(path); err != nil {
			t.Fatal(err)
		}
		ref, err := trace.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		kept := map[int]bool{}
		for _, i := range ref.Manifest.Kept {
			kept[i] = true
		}
		if m := message(t, gate.Exact, ref, copied(whole)); m != "" {
			t.Errorf("message about the same rows with %d rows in the reference = %q, want none", len(ref.Rows), m)
		}
		for i := range whole.Rows {
			for name := range whole.Rows[i].Values {
				now := copied(whole)
				now.Rows[i].Values[name] = math.Float64frombits(math.Float64bits(now.Rows[i].Values[name]) ^ 1)
				m, want := message(t, gate.Exact, ref, now), fmt.Sprintf("row %d (", i+1)
				if keep == 6 && !kept[i] {
					want = "rows that are not in the thinned reference differ"
				} else if !strings.Contains(m, name+" is ") && !trace.Clock(name) {
					t.Errorf("row %d, %s: message = %q, want the name of the column in it", i+1, name, m)
				}
				if trace.Clock(name) != (m == "") || m != "" && !strings.HasPrefix(m, want) {
					t.Errorf("row %d, %s, %d rows in the reference: message = %q, want %q", i+1, name, len(ref.Rows), m, want)
				}
			}
		}
	}
	old := whole.Thin(6)
	if m := message(t, gate.Exact, old, whole); !strings.Contains(m, "no digest") {
		t.Errorf("message about a reference without digest = %q, want that it has none", m)
	}
	outside := *whole
	outside.Manifest.Outside = true
	if c := gate.Exact("p/a", []*trace.File{old}, []*trace.File{&outside}); len(c) != 0 {
		t.Errorf("comparisons with a run of an external program = %+v, want none", c)
	}
}

// copied copies a run with its rows and its end.
func copied(f *trace.File) *trace.File {
	c := *f
	c.Rows = nil
	for _, r := range f.Rows {
		c.Rows = append(c.Rows, trace.Row{Values: maps.Clone(r.Values)})
	}
	if f.End != nil {
		end := *f.End
		c.End = &end
	}
	return &c
}
