package schedule

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// TestBusyNote checks the numbers in the note about runs on a busy machine.
func TestBusyNote(t *testing.T) {
	x := &experiment{}
	for _, p := range []trace.Pace{{Slowdown: 1}, {Slowdown: trace.Quiet}} {
		x.count(p)
	}
	if got := x.busyness.note(); got != "" {
		t.Errorf("note %q without a run on a busy machine", got)
	}
	x.count(trace.Pace{Slowdown: 2})
	const one = "timed runs: 0 of 3 made again because the machine was busy, 1 measured on a machine that stayed busy"
	if got := x.busyness.note(); !strings.HasPrefix(got, one) {
		t.Errorf("note %q, want %q", got, one)
	}
	for _, p := range []trace.Pace{{Slowdown: 1, Remade: 1}, {Slowdown: 1.5, Remade: 2}, {Slowdown: 1.2, Remade: 2}} {
		x.count(p)
	}
	const want = "timed runs: 3 of 6 made again because the machine was busy, 3 measured on a machine that stayed busy"
	if got := x.busyness.note(); !strings.HasPrefix(got, want) {
		t.Errorf("note %q, want %q", got, want)
	}
}

// TestComparableTimes checks which results count if all times must be of one process, and which have CPU times.
func TestComparableTimes(t *testing.T) {
	file := func(sitting string, resumed int, end bool) *trace.File {
		f := &trace.File{Manifest: trace.Manifest{Conditions: trace.Conditions{Sitting: sitting}}}
		if end {
			f.End = &trace.End{Resumed: resumed}
		}
		return f
	}
	for _, c := range []struct {
		alone bool
		oneOf string
		f     *trace.File
		want  bool
	}{
		{false, "now", file("then", 1, true), true}, {true, "", file("then", 1, true), true},
		{true, "now", file("now", 0, true), true}, {true, "now", file("now", 0, false), true},
		{true, "now", file("now", 1, true), false}, {true, "now", file("then", 0, true), false},
		{true, "now", file("", 0, true), false},
	} {
		x := &experiment{alone: c.alone, options: Options{OneOf: c.oneOf}}
		if got := x.comparable(c.f); got != c.want {
			t.Errorf("alone %v, one of %q, sitting %q, end %+v: comparable %v", c.alone, c.oneOf, c.f.Manifest.Sitting, c.f.End,
				got)
		}
	}
	_, measures := machine.Thread()
	for _, alone := range []bool{false, true} {
		for _, values := range []map[string]float64{nil, {trace.Seconds: 1}, {trace.CPUSeconds: 0}} {
			f := &trace.File{}
			if values != nil {
				f.Rows = []trace.Row{{Values: values}}
			}
			_, has := values[trace.CPUSeconds]
			x := &experiment{alone: alone}
			if got := x.clocked(f); got != (!alone || !measures || values == nil || has) {
				t.Errorf("alone %v, row %v: has the CPU times that it needs: %v", alone, values, got)
			}
		}
	}
}
