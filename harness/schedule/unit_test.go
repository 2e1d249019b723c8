package schedule

import (
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
)

// TestUnit checks that a unit has all of its runs, in their order, and the most threads that one of their solvers uses.
func TestUnit(t *testing.T) {
	var jobs []*job
	for i, workers := range []int{0, 3, 2} {
		jobs = append(jobs, &job{Run: lang.Run{Labels: map[string]any{"as": string(rune('a' + i)), "C": 10.},
			Solver: lang.Solver{Workers: workers}}, plan: "plan" + string(rune('a'+i)), key: "key" + string(rune('a'+i)),
			data: "data" + string(rune('a'+i))})
	}
	u := unit(5, jobs...)
	if u.Seconds != 5 || u.Workers != 3 || len(u.Runs) != 3 || u.Trials || u.Shared || unit(0, jobs[0]).Workers != 1 {
		t.Errorf("unit %+v, want 5 s, three threads and three runs", u)
	}
	for i, r := range u.Runs {
		at := string(rune('a' + i))
		if r != (ShardRun{Plan: "plan" + at, Key: "key" + at, Data: "data" + at, Name: at + " C=10"}) {
			t.Errorf("run %d of the unit is %+v", i, r)
		}
	}
}
