package trace_test

import (
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

func TestClocks(t *testing.T) {
	for column, want := range map[string][2]bool{"seconds": {true, false}, "cpu_seconds": {true, true},
		"qp_seconds": {true, false}, "qp_cpu_seconds": {true, true}, "passes": {}, "qp_steps": {}} {
		if got := [2]bool{trace.Clock(column), trace.CPUClock(column)}; got != want {
			t.Errorf("%s is a clock, of the CPU: %v; want %v", column, got, want)
		}
	}
	if got := trace.WallClock("qp_cpu_seconds"); got != "qp_seconds" {
		t.Errorf("the wall clock of qp_cpu_seconds is %s", got)
	}
}

// One run without CPU time sets all on the wall clock: times of two clocks cannot be compared.
func TestOnWall(t *testing.T) {
	with := run(labels("a", 1),
		trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 2, trace.CPUSeconds: 1}})
	without := run(labels("b", 1),
		trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 3, "qp_seconds": 2}})
	failed := run(labels("c", 1))
	if set, wall := trace.NewSet([]*trace.File{with, failed}).OnWall(); wall ||
		set.Curves[0].Final(trace.CPUSeconds) != 1 {
		t.Errorf("on the wall: %v, though all with rows have CPU time", wall)
	}
	whole := trace.NewSet([]*trace.File{with, without})
	set, wall := whole.OnWall()
	if a, b := set.Curves[0], set.Curves[1]; !wall || a.Final(trace.CPUSeconds) != 2 || b.Final(trace.CPUSeconds) != 3 ||
		b.Final("qp_cpu_seconds") != 2 {
		t.Errorf("on the wall: %v, %v and %v", wall, a.Columns, b.Columns)
	}
	if whole.Curves[0].Final(trace.CPUSeconds) != 1 || whole.Curves[1].Has(trace.CPUSeconds) {
		t.Error("the set itself has changed")
	}
}

// Times do not count as a difference between two runs.
func TestDiffIgnoresClocks(t *testing.T) {
	with := run(labels("a", 1),
		trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 2, trace.CPUSeconds: 1}})
	without := run(labels("a", 1), trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 3}})
	if d := trace.Diff(with, without); d != "" || trace.Exact(with.Rows) != trace.Exact(without.Rows) {
		t.Errorf("they differ: %s", d)
	}
}
