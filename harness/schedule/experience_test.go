package schedule

import (
	"encoding/json"
	"maps"
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

// TestExperienceOfOtherRuns checks which earlier runs are like a run: those of the same problem and solver; for the
// time of a whole run, those that differ only in seed, fold, repetition and n, and in λ if C is given. The size of a
// file counts all rows of a run.
func TestExperienceOfOtherRuns(t *testing.T) {
	base := map[string]any{"problem": "p", "as": "a", "seed": 1., "n": 60., "lambda": 0.5, "C": 2., "eta": 3.}
	with := func(pairs ...any) map[string]any {
		out := maps.Clone(base)
		for i := 0; i < len(pairs); i += 2 {
			if out[pairs[i].(string)] = pairs[i+1]; pairs[i+1] == nil {
				delete(out, pairs[i].(string))
			}
		}
		return out
	}
	known := &trace.File{Manifest: trace.Manifest{Plan: "old", Labels: base},
		Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 4}}},
		End:  &trace.End{Status: trace.Done, Seconds: 7, CPUSeconds: 9, RecordSeconds: 3}}
	byLambda := *known
	byLambda.Manifest.Labels, byLambda.Manifest.Plan = with("problem", "l", "C", nil), "lambda"
	thinned := *known
	thinned.Manifest.Plan, thinned.Manifest.Thinned = "thinned", 1000
	took := newExperience([]*trace.File{known, &byLambda, &thinned})
	for _, c := range []struct {
		labels map[string]any
		want   float64 // for 10 passes: 12 s of a whole run, or 3 s per pass
	}{
		{base, 12}, {with("seed", 2.), 12}, {with("fold", 1.), 12}, {with(trace.Repetition, 2.), 12}, {with("n", 40.), 12},
		{with("lambda", 0.1), 12}, {with("n", nil, "lambda", nil), 12},
		{with("eta", 4.), 30}, {with("C", 9.), 30}, {with("as", "b"), 0}, {with("problem", "q"), 0},
		{with("problem", "l", "C", nil), 12}, {with("problem", "l", "C", nil, "lambda", 0.1), 30},
	} {
		got, ok := took.time(&job{Run: lang.Run{Labels: c.labels, Stop: lang.Stop{Passes: 10}}, plan: "new"})
		if got != c.want || ok != (c.want > 0) {
			t.Errorf("%v: predicted time %v s, known %v; want %v s", c.labels, got, ok, c.want)
		}
	}
	row, err := json.Marshal(known.Rows[0])
	if err != nil {
		t.Fatal(err)
	}
	if a, b := took.bytes["old"], took.bytes["thinned"]; a < int64(len(row)) || b < 999*int64(len(row)) ||
		b > a+1100*int64(len(row)) {
		t.Errorf("sizes %d and, with 1000 rows of %d bytes, %d", a, len(row), b)
	}
}
