package trace_test

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestClocks checks which columns are times and which of these are CPU times.
func TestClocks(t *testing.T) {
	for column, want := range map[string][2]bool{"seconds": {true, false}, "cpu_seconds": {true, true},
		"qp_seconds": {true, false}, "qp_cpu_seconds": {true, true}, "passes": {}, "qp_steps": {}} {
		if got := [2]bool{trace.Clock(column), trace.CPUClock(column)}; got != want {
			t.Errorf("Clock(%s), CPUClock(%[1]s) = %v, want %v", column, got, want)
		}
	}
	if got := trace.WallClock("qp_cpu_seconds"); got != "qp_seconds" {
		t.Errorf("WallClock(qp_cpu_seconds) = %s, want qp_seconds", got)
	}
}

// TestOnWall checks that OnWall replaces the CPU times of all runs if one run has none, since CPU times and wall-clock
// times cannot be compared.
func TestOnWall(t *testing.T) {
	with := run(labels("a", 1),
		trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 2, trace.CPUSeconds: 1}})
	without := run(labels("b", 1),
		trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 3, "qp_seconds": 2}})
	failed := run(labels("c", 1))
	if set, wall := trace.NewSet([]*trace.File{with, failed}).OnWall(); wall ||
		set.Curves[0].Final(trace.CPUSeconds) != 1 {
		t.Errorf("OnWall with CPU time in all curves with rows: wall = %v, want false", wall)
	}
	whole := trace.NewSet([]*trace.File{with, without})
	set, wall := whole.OnWall()
	if a, b := set.Curves[0], set.Curves[1]; !wall || a.Final(trace.CPUSeconds) != 2 || b.Final(trace.CPUSeconds) != 3 ||
		b.Final("qp_cpu_seconds") != 2 {
		t.Errorf("OnWall: wall = %v, columns %v and %v; want true, with wall-clock time as CPU time", wall,
			a.Columns, b.Columns)
	}
	if whole.Curves[0].Final(trace.CPUSeconds) != 1 || whole.Curves[1].Has(trace.CPUSeconds) {
		t.Error("OnWall has changed the original set")
	}
}

// TestDiffIgnoresClocks checks that Diff and Exact ignore columns of times.
func TestDiffIgnoresClocks(t *testing.T) {
	with := run(labels("a", 1),
		trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 2, trace.CPUSeconds: 1}})
	without := run(labels("a", 1), trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 3}})
	if d := trace.Diff(with, without); d != "" || trace.Exact(with.Rows) != trace.Exact(without.Rows) {
		t.Errorf("runs that differ only in times: Diff = %q, or Exact differs; want no difference", d)
	}
}

// TestAlways checks that the columns that any run may have leave out those that a run has only if they are asked for.
func TestAlways(t *testing.T) {
	for _, name := range []string{trace.Dual, trace.Gap, trace.GapPercent} {
		if slices.Contains(trace.Always(), name) {
			t.Errorf("columns of any run %q contain %s, which is evaluated only if it is asked for", trace.Always(), name)
		}
	}
	for _, name := range []string{trace.Passes, trace.Primal, trace.Seconds, trace.CPUSeconds} {
		if !slices.Contains(trace.Always(), name) {
			t.Errorf("columns of any run %q lack %s", trace.Always(), name)
		}
	}
}
