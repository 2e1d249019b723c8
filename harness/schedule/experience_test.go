package schedule

import (
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestExperience checks from which earlier run the time of a run is predicted, by which formula, and whether the time
// counts as known.
func TestExperience(t *testing.T) {
	labels := func(as string, c, seed float64) map[string]any {
		return map[string]any{"as": as, "C": c, "seed": seed, "lambda": c / 7}
	}
	earlier := func(plan string, l map[string]any, passes, seconds, cpu float64, peak int64) *trace.File {
		return &trace.File{Manifest: trace.Manifest{Plan: plan, Labels: l},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 0}}, {Values: map[string]float64{trace.Passes: passes}}},
			End:  &trace.End{Status: trace.Done, Seconds: seconds, CPUSeconds: cpu, PeakBytes: peak}}
	}
	failed := earlier("failed", labels("b", 1, 1), 1, 1000, 1000, 1e9)
	failed.End.Status = trace.Failed
	unsupported := earlier("unsupported", labels("c", 1, 1), 0, 0, 0, 0)
	unsupported.End.Status, unsupported.Rows = trace.Unsupported, nil
	took := newExperience([]*trace.File{
		earlier("one", labels("a", 1, 1), 4, 8, 6, 100),    // 2 s per pass
		earlier("two", labels("a", 1, 2), 10, 20, 30, 300), // 3 s per pass, of CPU time
		earlier("three", labels("a", 2, 1), 10, 12, 11, 200),
		failed, unsupported,
	})
	for _, c := range []struct {
		about  string
		plan   string
		labels map[string]any
		stop   float64 // passes
		budget *lang.Budget
		want   float64
	}{
		{"the same run", "one", labels("a", 1, 1), 100, nil, 8},
		{"another seed: the longest run", "new", labels("a", 1, 3), 100, nil, 30},
		{"another C: the most seconds per pass", "new", labels("a", 5, 1), 100, nil, 300},
		{"a budget before the stop rule", "new", labels("a", 5, 1), 100, &lang.Budget{Passes: 7}, 21},
		{"a budget after the stop rule", "new", labels("a", 5, 1), 7, &lang.Budget{Passes: 100}, 21},
		{"only a budget", "new", labels("a", 5, 1), 0, &lang.Budget{Passes: 7}, 21},
		{"no limit on the passes", "new", labels("a", 5, 1), 0, nil, 0},
		{"another solver, whose only run failed", "new", labels("b", 1, 1), 100, nil, 0},
		{"an unsupported run, which ends at once", "unsupported", labels("c", 1, 1), 100, nil, 0},
		{"another seed of an unsupported run", "new", labels("c", 1, 2), 100, nil, 0},
	} {
		r := lang.Run{Labels: c.labels, Stop: lang.Stop{Passes: c.stop}, Budget: c.budget}
		got, known := took.time(&job{Run: r, plan: c.plan})
		if got != c.want || known != (c.want > 0 || c.plan == "unsupported") {
			t.Errorf("%s: predicted time = %v s, known: %v; want %v s", c.about, got, known, c.want)
		}
	}
	if took.memory != 300 {
		t.Errorf("memory = %d bytes, want 300, the largest of a run with a result", took.memory)
	}
}
