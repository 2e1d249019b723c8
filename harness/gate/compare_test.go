package gate_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

const gated = toy.Tiny + `
regularisation: {convention: eg, C: [100, 10]}
solvers:
  - {name: ascent, rate: 0.5}
  - {as: path, name: ascent, rate: 0.5, path: {C: {from: 100, factor: 0.3, steps: 3}, until: {gap: 0.05}}}
record: {every: {epochs: 1}}
stop: {passes: 12}
`

// TestCompare checks that whatever else can differ between a reference and a fresh run has its message.
func TestCompare(t *testing.T) {
	r := toy.Text(t, gated)
	for _, c := range []struct {
		name   string
		change func(f *trace.File)
		want   string
	}{
		{"nothing", func(*trace.File) {}, ""},
		{"seconds", func(f *trace.File) { f.Rows[1].Values[trace.Seconds] *= 100 }, ""},
		{"little", func(f *trace.File) { f.Rows[3].Values[trace.Primal] *= 1 + 1e-5 }, ""},
		{"calls", func(f *trace.File) { f.Rows[3].Values[trace.ExpCalls] *= 1.03 }, "at epoch 3"},
		{"primal", func(f *trace.File) { f.Rows[3].Values[trace.Primal] *= 1.01 }, "primal"},
		{"column", func(f *trace.File) { delete(f.Rows[3].Values, trace.Dual) }, "column dual is in the reference only"},
		{"cut", func(f *trace.File) { f.Rows = f.Rows[:4] }, "it no longer has this record; it ends at epoch 3"},
		{"empty", func(f *trace.File) { f.Rows = nil }, "no record at all"},
		{"longer", func(f *trace.File) { f.Rows = append(f.Rows, f.Rows[len(f.Rows)-1]) }, "records, the reference"},
		{"plan", func(f *trace.File) { f.Manifest.Plan = "other" }, "update the baseline"},
		{"data", func(f *trace.File) { f.Manifest.Data.Checksum = "other" }, "checksum"},
		{"status", func(f *trace.File) { f.End.Status, f.End.Why = trace.Failed, "panic" },
			"it ended as failed (panic); the reference as done"},
		{"no end", func(f *trace.File) { f.End = nil }, "it ended as interrupted"},
	} {
		fresh := copied(r.Files[0])
		c.change(fresh)
		messages := ""
		for _, m := range gate.Within("validation_error")("test/tiny", r.Files[:1], []*trace.File{fresh}) {
			if m.OK != (m.Message == "") {
				t.Errorf("%s: %+v", c.name, m)
			}
			messages += m.Message
		}
		if (c.want == "") != (messages == "") || !strings.Contains(messages, c.want) {
			t.Errorf("%s: %q, want %q", c.name, messages, c.want)
		}
		if thinned := gate.Within()("test/tiny", []*trace.File{r.Files[0].Thin(6)},
			[]*trace.File{copied(r.Files[0])}); !thinned[0].OK {
			t.Errorf("a thinned reference: %s", thinned[0].Message)
		}
	}
	unsupported := &trace.File{Manifest: r.Files[0].Manifest, End: &trace.End{Status: trace.Unsupported}}
	if got := gate.Within()("test/tiny", []*trace.File{unsupported}, []*trace.File{unsupported}); !got[0].OK {
		t.Errorf("a run without rows: %+v", got)
	}
}

// TestExact checks that one bit of one column of one row is found, also in a row that thinning dropped; clocks count
// for nothing.
func TestExact(t *testing.T) {
	whole := toy.Text(t, gated).Files[0]
	if len(whole.Rows) < 10 {
		t.Fatalf("%d rows say nothing", len(whole.Rows))
	}
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
		message := func(now *trace.File) string {
			return gate.Exact("test/tiny", []*trace.File{ref}, []*trace.File{now})[0].Message
		}
		if m := message(copied(whole)); m != "" {
			t.Errorf("the same rows, %d of them kept: %s", len(ref.Rows), m)
		}
		for i := range whole.Rows {
			for name := range whole.Rows[i].Values {
				now := copied(whole)
				now.Rows[i].Values[name] = math.Float64frombits(math.Float64bits(now.Rows[i].Values[name]) ^ 1)
				m, want := message(now), fmt.Sprintf("row %d (", i+1)
				if keep == 6 && !kept[i] {
					want = "rows between those that the reference keeps"
				} else if !strings.Contains(m, name+" is ") && !trace.Clock(name) {
					t.Errorf("row %d, %s: %q does not name the column", i+1, name, m)
				}
				if trace.Clock(name) != (m == "") || m != "" && !strings.HasPrefix(m, want) {
					t.Errorf("row %d, %s, %d rows kept: %q; want %q", i+1, name, len(ref.Rows), m, want)
				}
			}
		}
		shorter := copied(whole)
		shorter.Rows = shorter.Rows[:len(shorter.Rows)-1]
		if m := message(shorter); m == "" {
			t.Error("a row less is the same")
		}
	}
	old := whole.Thin(6)
	if c := gate.Exact("test/tiny", []*trace.File{old}, []*trace.File{whole}); c[0].OK ||
		!strings.Contains(c[0].Message, "no digest") {
		t.Errorf("a reference without digest: %+v", c[0])
	}
	outside := *whole
	outside.Manifest.Outside = true
	if c := gate.Exact("test/tiny", []*trace.File{old}, []*trace.File{&outside}); len(c) != 0 {
		t.Errorf("the run of another program: %+v", c)
	}
}

func copied(f *trace.File) *trace.File {
	c := *f
	c.Rows = nil
	for _, r := range f.Rows {
		values := map[string]float64{}
		for k, v := range r.Values {
			values[k] = v
		}
		c.Rows = append(c.Rows, trace.Row{Values: values})
	}
	if f.End != nil {
		end := *f.End
		c.End = &end
	}
	return &c
}
