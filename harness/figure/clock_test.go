package figure_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// timed returns a run whose wall-clock time is twice its CPU time. If cpu is false, the run has only wall-clock time.
func timed(as string, cpu bool) *trace.File {
	f := run(labels{"as": as, "C": 10.}, 1)
	for i := range f.Rows {
		f.Rows[i].Values[trace.Seconds] = 2 * float64(i)
		if cpu {
			f.Rows[i].Values[trace.CPUSeconds] = float64(i)
		}
	}
	return f
}

// TestClockOfAnAxis checks that the label of a time axis names the clock: CPU, or wall clock if one of the drawn runs
// has no CPU time.
func TestClockOfAnAxis(t *testing.T) {
	for _, c := range []struct {
		other  bool
		label  string
		want   string
		last   float64
		remark bool
	}{
		{true, "", "Solver time, CPU (s)", 2, false},
		{true, "Time (s)", "Time (s), CPU", 2, false},
		{false, "", "Solver time, wall clock (s)", 4, true},
		{false, "Time (s)", "Time (s), wall clock", 4, true},
	} {
		f := lang.FigureSpec{Panel: lang.Panel{X: trace.CPUSeconds, XLabel: c.label, Y: []string{trace.Primal}}}
		out := resolve(t, f, timed("a", true), timed("b", c.other))
		p := out.Panels[0]
		if p.X.Label != c.want || p.Y.Label != "Primal objective" || len(p.Lines) != 2 || p.Lines[0].X[2] != c.last {
			t.Errorf("case %+v: x label = %q, y label = %q, lines = %v", c, p.X.Label, p.Y.Label, p.Lines)
		}
		if said := strings.Contains(strings.Join(out.Warnings, ";"), "wall-clock"); said != c.remark {
			t.Errorf("case %+v: warnings = %q, want one about wall-clock time: %v", c, out.Warnings, c.remark)
		}
	}
	f := lang.FigureSpec{Panel: lang.Panel{X: trace.CPUSeconds, Y: []string{trace.Primal}, Where: `as == "a"`}}
	if out := resolve(t, f, timed("a", true), timed("b", false)); out.Panels[0].X.Label != "Solver time, CPU (s)" {
		t.Errorf("x label = %q, want the CPU clock, because the run without CPU time is not shown", out.Panels[0].X.Label)
	}
}
