package schedule_test

import (
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestRepeat checks that repeated runs are made in turn and alone, that their rows are equal, that they name the
// process, and that they become one curve for each run.
func TestRepeat(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and repeated runs are made one after another")
	}
	text := toy.AtC + "solvers: [{name: ascent, rate: {grid: [0.5, 0.25]}}]\nstop: {passes: 5}\n"
	s := toy.Spec(t, text+"repeat: {times: 3}\n")
	if !schedule.Timed(s) || schedule.Timed(toy.Spec(t, text)) {
		t.Error("only repeated runs must have the machine to themselves")
	}
	dir := t.TempDir()
	var order []any
	named := func(o *schedule.Options) { o.Sitting = "today" }
	r := toy.Run(t, dir, s, toy.Workers(2), named, toy.OnEvent(func(e schedule.Event) {
		if e.Kind == schedule.Ended {
			order = append(order, e.Run.Labels[trace.Repetition])
		}
	}))
	if len(order) != 6 || len(r.Files) != 6 || len(r.Set.Curves) != 2 {
		t.Fatalf("%d runs made, %d kept, %d curves; want 6, 6, 2", len(order), len(r.Files), len(r.Set.Curves))
	}
	for i, repetition := range order {
		if want := float64(1 + i/2); repetition != want {
			t.Errorf("run %d is of repetition %v, want %v", i, repetition, want)
		}
	}
	for _, c := range r.Set.Curves {
		for _, other := range c.Repeats {
			if m := other.File.Manifest; m.Sitting != "today" || !m.Alone {
				t.Errorf("sitting %q, alone %v; want today, true", m.Sitting, m.Alone)
			}
			if a, b := trace.Exact(c.File.Rows), trace.Exact(other.File.Rows); a != b {
				t.Errorf("repetition %v has other rows than the first", other.Labels[trace.Repetition])
			}
		}
	}
	if again := toy.Run(t, dir, toy.Spec(t, text), toy.OnEvent(func(e schedule.Event) {
		if e.Kind == schedule.Ended {
			t.Errorf("the run %v was made again without repetitions", e.Run.Labels)
		}
	})); len(again.Set.Curves) != 2 {
		t.Errorf("%d curves without repetitions, want 2", len(again.Set.Curves))
	}
}
