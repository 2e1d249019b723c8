package gate_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// full returns a run with the given number of rows and a column of each kind. Its gap is multiplied by about 0.8 in
// each row.
func full(rows int) *trace.File {
	f := run(rows)
	for i, r := range f.Rows {
		gap := math.Pow(0.8, float64(i))
		for name, v := range map[string]float64{trace.Primal: 0.01 * (1 + gap), trace.Dual: 0.01, trace.Gap: gap / (1 + gap),
			trace.Lambda: 0.001, trace.C: 10, trace.SetupCalls: 100, trace.ExpCalls: float64(50 * i), "working_set": 40,
			"violation": gap, "validation_error": 0.2 + gap/10, "validation_f1": 0.8} {
			r.Values[name] = v
		}
	}
	f.Manifest.Validation = 100
	return f
}

// within compares two runs with the tolerances of the gate, where validation_error and validation_f1 are metrics, and
// returns the gate's message.
func within(t *testing.T, ref, now *trace.File) string {
	t.Helper()
	return message(t, gate.Within("validation_error", "validation_f1"), ref, now)
}

// TestEveryColumnIsCompared changes each column of a reference, slightly and strongly, in one row and in all rows. The
// gate must accept the slight changes. For a strong change, the message must contain the column, the row, the old value
// and the tolerance.
func TestEveryColumnIsCompared(t *testing.T) {
	little := map[string]float64{trace.Passes: 1.01, trace.ExpCalls: 1.01, trace.SetupCalls: 1.01, "working_set": 1.01,
		"violation": 1.01, trace.Primal: 1.0005, trace.Dual: 1.0005, trace.Gap: 1.009, trace.Lambda: 1 + 1e-12,
		trace.C: 1 + 1e-12, "validation_error": 1.05, "validation_f1": 1.01}
	much := map[string]float64{trace.Passes: 1.03, trace.ExpCalls: 1.03, trace.SetupCalls: 2, "working_set": 1.03,
		"violation": 1.03, trace.Primal: 1.003, trace.Dual: 1.003, trace.Gap: 10, trace.Lambda: 2,
		trace.C: 1.001, "validation_error": 1.3, "validation_f1": 0.9}
	for name := range full(1).Rows[0].Values {
		if trace.Clock(name) || name == trace.Epoch {
			continue
		}
		for _, c := range []struct {
			by   map[string]float64
			rows []int
			want bool
		}{{little, []int{7}, false}, {much, []int{7}, true}, {much, []int{39}, true}, {much, nil, true}} {
			if c.by[name] == 0 {
				t.Fatalf("the test does not change column %s; add it to the lists", name)
			}
			ref := full(40)
			for i, r := range ref.Rows {
				if c.rows == nil || slices.Contains(c.rows, i) {
					r.Values[name] *= c.by[name]
				}
			}
			m := within(t, ref, full(40))
			if c.want != (m != "") {
				t.Errorf("%s times %g in rows %v: message = %q, want one: %v", name, c.by[name], c.rows, m, c.want)
			}
			for _, part := range []string{"at epoch ", name + " ", ", was ", "tolerance"} {
				if c.want && !strings.Contains(m, part) {
					t.Errorf("%s: message = %q, want %q in it", name, m, part)
				}
			}
		}
		ref, now := full(40), full(40)
		delete(ref.Rows[7].Values, name)
		delete(now.Rows[8].Values, name)
		if name == trace.Passes {
			continue // a row always has passes
		}
		if m := within(t, ref, full(40)); !strings.Contains(m, "column "+name+" is not in the reference") {
			t.Errorf("message if the reference lacks %s = %q, want that it is not in the reference", name, m)
		}
		if m := within(t, full(40), now); !strings.Contains(m, "column "+name+" is in the reference only") {
			t.Errorf("message if the new run lacks %s = %q, want that it is in the reference only", name, m)
		}
	}
}

// TestMetricsCountExamples checks that the tolerance of a metric is three validation examples, or 0.01 if the number of
// validation examples is unknown.
func TestMetricsCountExamples(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		by   float64
		want string
	}{
		{"validation_error", 100, 0.029, ""}, {"validation_error", 100, 0.031, "3 of 100 examples"},
		{"validation_error", 100, -0.029, ""}, {"validation_error", 100, -0.031, "3 of 100 examples"},
		{"validation_error", 1000, 0.0029, ""}, {"validation_error", 1000, 0.0031, "3 of 1000 examples"},
		{"validation_f1", 0, 0.009, ""}, {"validation_f1", 0, 0.011, "tolerance 0.01"},
	} {
		now := full(40)
		now.Manifest.Validation = c.n
		now.Rows[39].Values[c.name] += c.by
		if m := within(t, full(40), now); (c.want == "") != (m == "") || !strings.Contains(m, c.want) {
			t.Errorf("%s changed by %g: message = %q, want %q", c.name, c.by, m, c.want)
		}
	}
}

// TestSmallValuesCanFail checks that a tolerance is relative to the value even if the value is very small.
func TestSmallValuesCanFail(t *testing.T) {
	ref, now := full(10), full(10)
	for i := range ref.Rows {
		for _, f := range []*trace.File{ref, now} {
			for _, name := range []string{trace.Primal, trace.Dual, "violation"} {
				f.Rows[i].Values[name] *= 1e-7
			}
		}
		now.Rows[i].Values[trace.Dual] *= 0.99
	}
	if m := within(t, ref, now); !strings.Contains(m, "dual 9.9e-10, was 1e-09") {
		t.Errorf("message about a dual of 1e-9 that changed by 1 %% = %q, want both values", m)
	}
}

// TestWork checks that the gate reports a change of the work to reach a gap, with its factor. A flat or steep part of a
// curve must not be a false alarm.
func TestWork(t *testing.T) {
	curve := func(gap func(passes float64) float64) *trace.File {
		f := run(101)
		for _, r := range f.Rows {
			delete(r.Values, trace.Primal)
			r.Values[trace.Gap] = gap(r.Values[trace.Passes])
		}
		return f
	}
	slow := func(p float64) float64 { return math.Pow(1+p, -0.2) }
	flat := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	stretched := func(by float64) func(float64) float64 { return func(p float64) float64 { return slow(p / by) } }
	for name, c := range map[string]struct {
		ref, now func(p float64) float64
		want     string
	}{
		"the same":                       {slow, slow, ""},
		"a long tail, 30 % more work":    {slow, stretched(1.3), "a factor of 1.34 in work"},
		"a long tail, 30 % less work":    {slow, stretched(1 / 1.3), "a factor of 0.832 in work"},
		"a long tail, 4 % more work":     {slow, stretched(1.04), ""},
		"flat, half a percent higher":    {flat(0.1), flat(0.1005), ""},
		"flat, 20 % higher":              {flat(0.1), flat(0.12), "no longer reached"},
		"steep, ten times as high":       {steep(1), steep(10), "gap 10, was 1 (a factor of 10"},
		"below rounding errors, no work": {steep(1e-13), steep(1e-12), ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := within(t, curve(c.ref), curve(c.now))
			if (c.want == "") != (m == "") || !strings.Contains(m, c.want) {
				t.Errorf("message = %q, want %q", m, c.want)
			}
		})
	}
	ref, now := curve(slow), curve(stretched(2))
	got := gate.Within()("p/a", []*trace.File{ref}, []*trace.File{now})[0]
	if got.OK || got.Work < 1.2 || got.Reference != ref || got.Fresh != now {
		t.Errorf("comparison of a run that needs twice the work = %+v, want a difference with a factor of at least 1.2", got)
	}
}

// steep returns a gap that falls by a factor of e in each pass.
func steep(from float64) func(p float64) float64 {
	return func(p float64) float64 { return from * math.Exp(-p) }
}

// TestReferenceMustBeACurve checks that a run is not accepted if its reference is damaged: without some rows, without
// its end, or empty.
func TestReferenceMustBeACurve(t *testing.T) {
	whole := full(500)
	kept := whole.Reference(20)
	for name, c := range map[string]struct {
		edit func(f *trace.File)
		want string
	}{
		"nothing": {func(*trace.File) {}, ""},
		"one row": {func(f *trace.File) { f.Rows = f.Rows[:1] }, "1 rows, but its manifest lists"},
		"one row, hidden": {func(f *trace.File) { f.Rows, f.Manifest.Kept, f.End.Rows = f.Rows[:1], []int{0}, 1 },
			"1 of 500 rows"},
		"one row, no numbers": {func(f *trace.File) { f.Rows, f.Manifest.Kept, f.End.Rows = f.Rows[:1], nil, 1 },
			"1 of 500 rows"},
		"one row of one": {func(f *trace.File) {
			f.Rows, f.Manifest.Kept, f.Manifest.Thinned, f.End.Rows = f.Rows[:1], nil, 0, 1
		}, "it has 500 rows, but the reference has 1"},
		"two rows, one number": {func(f *trace.File) { f.Rows, f.Manifest.Kept, f.End.Rows = f.Rows[:2], []int{0}, 2 },
			"2 rows, but its manifest lists 1"},
		"the second row of two": {func(f *trace.File) {
			f.Rows, f.Manifest.Kept, f.Manifest.Thinned, f.End.Rows = f.Rows[:1], []int{1}, 2, 1
		}, "1 of 2 rows, without the first or the last"},
		"not the last": {func(f *trace.File) {
			f.Manifest.Kept = slices.Clone(f.Manifest.Kept)
			f.Manifest.Kept[len(f.Manifest.Kept)-1]--
		}, "without the first or the last"},
		"not the first": {func(f *trace.File) {
			f.Manifest.Kept = slices.Clone(f.Manifest.Kept)
			f.Manifest.Kept[0]++
		}, "without the first or the last"},
		"half": {func(f *trace.File) {
			n := len(f.Rows) / 2
			f.Rows, f.Manifest.Kept, f.End.Rows = f.Rows[:n], nil, n
		}, "it has 500 rows"},
		"no row":      {func(f *trace.File) { f.Rows, f.Manifest.Kept, f.Manifest.Thinned = nil, nil, 0 }, "has no row"},
		"no end":      {func(f *trace.File) { f.End = nil }, "ended as done"},
		"budget":      {func(f *trace.File) { f.End.Status = trace.Budget }, "but the reference as budget"},
		"other rule":  {func(f *trace.File) { f.End.Rule = "passes" }, `the rule "gap", but the reference by "passes"`},
		"other runs":  {func(f *trace.File) { f.Manifest.Plan = "q" }, "the experiment does not"},
		"other data":  {func(f *trace.File) { f.Manifest.Data.Checksum = "q" }, "checksum"},
		"a gap moved": {func(f *trace.File) { f.Rows[5].Values[trace.Gap] *= 2 }, "gap"},
	} {
		t.Run(name, func(t *testing.T) {
			ref, m := copied(kept), ""
			c.edit(ref)
			for _, g := range gate.Within()("p/a", []*trace.File{ref}, []*trace.File{whole}) {
				m += g.Message
			}
			if (c.want == "") != (m == "") || !strings.Contains(m, c.want) {
				t.Errorf("message = %q, want %q", m, c.want)
			}
			same := c.want == "" || name == "half" // the reference "half" still has the hash of all rows
			if g := gate.Exact("p/a", []*trace.File{ref}, []*trace.File{whole}); g[0].OK != same {
				t.Errorf("Exact = %+v, want OK: %v", g[0], same)
			}
		})
	}
	budget := full(40)
	budget.End.Status, budget.End.Rule = trace.Budget, ""
	worse := full(40)
	worse.End.Status, worse.End.Rule = trace.Budget, ""
	for _, r := range worse.Rows {
		r.Values[trace.Gap] *= 2
	}
	if m := within(t, budget, worse); m == "" {
		t.Error("Within accepts a change of the gap in a run that its budget stopped")
	}
	if got := gate.Within()("p/a", nil, []*trace.File{whole}); len(got) != 1 || got[0].OK {
		t.Errorf("comparison of a curve without a reference = %+v, want a difference", got)
	}
	unsupported := full(0)
	unsupported.End.Status = trace.Unsupported
	if m := within(t, unsupported, unsupported); m != "" {
		t.Errorf("message about a run that is unsupported, like its reference = %q, want none", m)
	}
}

// TestStale checks that a comparison lists the revisions of the reference and of the code if they differ.
func TestStale(t *testing.T) {
	ref, now := full(5), full(5)
	ref.Manifest.Revisions = map[string]int{"solver a": 1}
	now.Manifest.Revisions = map[string]int{"solver a": 2}
	for _, compare := range []func(string, []*trace.File, []*trace.File) []gate.Comparison{gate.Within(), gate.Exact} {
		if got := compare("p/a", []*trace.File{ref.Reference(200)}, []*trace.File{now})[0]; !got.OK ||
			got.Stale != "solver a 1, now 2" {
			t.Errorf("comparison of the same rows = %+v, want OK and both revisions", got)
		}
		worse := full(5)
		worse.Manifest.Revisions = now.Manifest.Revisions
		worse.Rows[3].Values[trace.Primal] *= 2
		if got := compare("p/a", []*trace.File{ref.Reference(200)}, []*trace.File{worse})[0]; got.OK ||
			!strings.Contains(got.Message, "solver a 1, now 2") {
			t.Errorf("comparison of other rows = %+v, want a message with both revisions", got)
		}
	}
}
