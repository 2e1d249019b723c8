package trace_test

import (
	"maps"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestThin checks that Thin keeps the first and last row of each stage and the rows that determine the optimum, that it
// neither changes nor reorders rows, and that a file thinned by it gives the same opt.
func TestThin(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var rows []trace.Row
		passes := 0.0
		for stage := range rapid.IntRange(1, 3).Draw(rt, "stages") {
			for range rapid.IntRange(1, 300).Draw(rt, "rows") {
				passes += rapid.Float64Range(0.01, 2).Draw(rt, "step")
				rows = append(rows, row("passes", passes, "stage", stage, "lambda", 1+stage, "primal",
					rapid.Float64Range(1, 2).Draw(rt, "primal"), "dual", rapid.Float64Range(0, 1).Draw(rt, "dual")))
			}
		}
		n := rapid.IntRange(2, 100).Draw(rt, "n")
		whole := run(map[string]any{"as": "path"}, rows...)
		thin := whole.Thin(n)
		if len(thin.Rows) > n+3*4 {
			rt.Fatalf("Thin(%d) kept %d of %d rows, want at most %d", n, len(thin.Rows), len(rows), n+3*4)
		}
		next := 0
		for _, r := range thin.Rows {
			for next < len(rows) && !maps.Equal(rows[next].Values, r.Values) {
				next++
			}
			if next == len(rows) {
				rt.Fatal("a thinned row is not in the original, or is out of order")
			}
		}
		if len(thin.Rows) < len(rows) && thin.Manifest.Thinned != len(rows) || thin.End.Rows != len(thin.Rows) {
			rt.Fatalf("Thinned = %d, End.Rows = %d; want %d, %d", thin.Manifest.Thinned, thin.End.Rows, len(rows),
				len(thin.Rows))
		}
		even := max(1, n/2) // some row of each interval of this many equal intervals of the rows is kept
		for k, at := 1, 0; k < even && len(thin.Rows) < len(rows); k++ {
			from, to := k*len(rows)/even, (k+1)*len(rows)/even
			for at < len(thin.Rows) && thin.Rows[at].Values["passes"] < rows[from].Values["passes"] {
				at++
			}
			if at == len(thin.Rows) || thin.Rows[at].Values["passes"] > rows[to-1].Values["passes"] {
				rt.Fatalf("Thin(%d) kept none of the rows %d to %d of %d", n, from, to, len(rows))
			}
		}
		before, after := trace.NewSet([]*trace.File{whole}), trace.NewSet([]*trace.File{thin})
		for i, c := range before.Curves {
			d := after.Curves[i]
			for _, column := range []string{trace.Opt, trace.OptLow, trace.Passes, trace.Primal} {
				if c.Final(column) != d.Final(column) {
					rt.Fatalf("final %s of the thinned run = %v, want %v", column, d.Final(column), c.Final(column))
				}
			}
			if c.Columns[trace.Passes][0] != d.Columns[trace.Passes][0] {
				rt.Fatal("the thinned stage has not kept its first row")
			}
		}
	})
}

// TestThinWithoutPasses checks that Thin keeps the first and the last row, and the best rows, of a run whose rows all
// have no passes, or none before the last.
func TestThinWithoutPasses(t *testing.T) {
	for _, last := range []float64{0, 1} {
		var rows []trace.Row
		for i := range 100 {
			rows = append(rows, row("passes", 0.0, "epoch", float64(i), "primal", math.Abs(float64(i)-31), "dual",
				-math.Abs(float64(i)-57)))
		}
		rows[99].Values["passes"] = last
		thin := run(map[string]any{"as": "a"}, rows...).Thin(4)
		epochs := map[float64]bool{}
		for _, r := range thin.Rows {
			epochs[r.Values["epoch"]] = true
		}
		if len(thin.Rows) > 12 || !epochs[0] || !epochs[99] || !epochs[31] || !epochs[57] {
			t.Errorf("last row at %v passes: kept the epochs %v, want at most 12, with 0, 31, 57 and 99", last, epochs)
		}
	}
}

// TestThinLooksTheSame checks that a curve after Thin differs from the original by at most 0.03 at any number of
// passes.
func TestThinLooksTheSame(t *testing.T) {
	var rows []trace.Row
	for i := range 5001 {
		x := float64(i) / 10
		rows = append(rows, row("passes", x, "primal", 1+math.Exp(-x/20), "dual", 1-math.Exp(-x/20)))
	}
	file := run(labels("eg", 1), rows...)
	a, b := trace.NewSet([]*trace.File{file}).Curves[0], trace.NewSet([]*trace.File{file.Thin(300)}).Curves[0]
	for x := 0.5; x <= 500; x += 0.5 {
		if d := math.Abs(a.At("primal", x) - b.At("primal", x)); d > 0.03 {
			t.Fatalf("at %v passes the thinned curve differs by %v, want at most 0.03", x, d)
		}
	}
}

// TestReferences checks what a reference records, and that neither it nor a thinned copy changes its run. A thinned run
// that is thinned again keeps the number of its rows, and a reference of it has no digest.
func TestReferences(t *testing.T) {
	var rows []trace.Row
	for i := range 40 {
		rows = append(rows, row("passes", float64(i), "primal", 100-float64(i), "dual", float64(i)))
	}
	f := run(labels("eg", 1), rows...)
	before := trace.Exact(f.Rows)
	ref := f.Reference(10)
	m := ref.Manifest
	if len(ref.Rows) >= 40 || m.Thinned != 40 || m.Exact != before || len(m.Kept) != len(ref.Rows) ||
		ref.End.Rows != len(ref.Rows) {
		t.Errorf("a reference has %d rows, %+v, and the end %+v", len(ref.Rows), m.Thinning, ref.End)
	}
	for i, k := range m.Kept {
		if d := trace.DiffRow(ref.Rows[i], f.Rows[k]); d != "" {
			t.Errorf("row %d of the reference is not row %d of the run: %s", i, k, d)
		}
	}
	again := ref.Thin(4)
	second := f.Thin(10).Reference(4)
	if again.Manifest.Thinned != 40 || len(again.Rows) >= len(ref.Rows) || again.End.Rows != len(again.Rows) ||
		ref.End.Rows != len(ref.Rows) || second.Manifest.Exact != "" || second.Manifest.Kept != nil ||
		second.Manifest.Thinned != 40 {
		t.Errorf("thinned again: %+v and %+v; want 40 rows of the run, and no digest", again.Manifest.Thinning,
			second.Manifest.Thinning)
	}
	for _, n := range []int{40, 41} {
		if whole := f.Reference(n); len(whole.Rows) != 40 || whole.Manifest.Thinned != 0 || whole.Manifest.Kept != nil ||
			whole.Manifest.Exact != before {
			t.Errorf("a reference with all rows has %d rows, %+v", len(whole.Rows), whole.Manifest.Thinning)
		}
	}
	if f.Manifest.Thinned != 0 || f.Manifest.Exact != "" || f.End.Rows != 40 || len(f.Rows) != 40 ||
		trace.Exact(f.Rows) != before {
		t.Errorf("the run has become %+v, end %+v", f.Manifest.Thinning, f.End)
	}
	f.End = nil
	if open := f.Thin(10); open.End != nil || open.Manifest.Thinned != 40 {
		t.Errorf("a run without an end, thinned: %+v", open)
	}
}
