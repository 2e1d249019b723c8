package gate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// seeded returns the runs of n seeds. The gap of a run is exp(−rate · passes). The rate is random for each seed: its
// logarithm has the standard deviation 0.2, and its median is 0.1/slower.
func seeded(rng *rand.Rand, n int, slower float64) []*trace.File {
	var out []*trace.File
	for i := range n {
		f := run(200)
		f.Manifest.Plan = fmt.Sprint(i)
		f.Manifest.Labels = map[string]any{"as": "a", "seed": float64(i)}
		rate := 0.1 / slower * math.Exp(0.2*rng.NormFloat64())
		for _, r := range f.Rows {
			r.Values[trace.Gap] = math.Exp(-rate * r.Values[trace.Passes])
			delete(r.Values, trace.Primal)
		}
		f.End.Rule = "passes"
		for k, r := range f.Rows { // the run stops at gap 1e-4
			if r.Values[trace.Gap] <= 1e-4 {
				f.Rows, f.End.Rule = f.Rows[:k+1], "gap"
				break
			}
		}
		f.End.Rows = len(f.Rows)
		out = append(out, f)
	}
	return out
}

// alarms compares the runs now with the references ref by OverSeeds. moved is the number of comparisons that differ,
// all is the number of comparisons, and message is the last message.
func alarms(ref, now []*trace.File) (moved, all int, message string) {
	for _, c := range gate.OverSeeds(gate.Within())("p/a", ref, now) {
		if all++; !c.OK {
			moved++
			message = c.Message
		}
	}
	return moved, all, message
}

// TestOverSeeds checks that equal curves are compared seed by seed, and curves that differ are compared as a
// distribution. An increase of the work by 60 % must be reported with its factor. If there are few seeds, all curves
// must be compared seed by seed.
func TestOverSeeds(t *testing.T) {
	same := seeded(rand.New(rand.NewPCG(1, 1)), 10, 1)
	if moved, all, _ := alarms(same, same); moved != 0 || all != 10 {
		t.Errorf("the same runs: %d of %d comparisons differ, want 0 of 10", moved, all)
	}
	if moved, all, m := alarms(same, seeded(rand.New(rand.NewPCG(2, 1)), 10, 1)); moved != 0 || all != 1 {
		t.Errorf("other random numbers: %d of %d comparisons differ, want 0 of 1: %s", moved, all, m)
	}
	moved, all, m := alarms(same, seeded(rand.New(rand.NewPCG(3, 1)), 10, 1.6))
	var seeds int
	var gap, is, was, factor, tolerance, p float64
	if _, err := fmt.Sscanf(m, "over %d seeds the median of the passes to gap %g is %g, was %g: a factor of %g in work "+
		"(tolerance %g %%; p = %g)", &seeds, &gap, &is, &was, &factor, &tolerance, &p); err != nil || moved != 1 ||
		all != 1 || seeds != 10 || !(gap < 1e-3) || math.Abs(factor-is/was) > 0.01 || factor < 1.3 || factor > 2 ||
		tolerance != 5 || p > 0.01 {
		t.Errorf("60 %% more work: %d of %d comparisons differ, want 1 of 1 with the factor: %s", moved, all, m)
	}
	before, after := seeded(rand.New(rand.NewPCG(1, 1)), 10, 1), seeded(rand.New(rand.NewPCG(3, 1)), 10, 1.6)
	for i := range before {
		before[i].Manifest.Revisions = map[string]int{"solver eg": 1}
		after[i].Manifest.Revisions = map[string]int{"solver eg": 2}
	}
	got := gate.OverSeeds(gate.Within())("p/a", before, after)
	one := gate.Within()("p/a", before[:1], after[:1])[0]
	if len(got) != 1 || got[0].Experiment != "p/a" || got[0].Curve != "a" || got[0].Column != trace.Gap ||
		got[0].Work < 1.3 || got[0].Work > 2 || got[0].Stale == "" || got[0].Stale != one.Stale ||
		got[0].Reference != before[0] || got[0].Fresh != after[0] {
		t.Errorf("comparison of the group = %+v, want that of curve a without its seed", got)
	}
	never := seeded(rand.New(rand.NewPCG(4, 1)), 10, 100)
	want := regexp.MustCompile(`^fewer than half of 10 seeds reach gap [\d.e-]+; in the reference, the median of the ` +
		`passes to it is [\d.]+ \(p = [\d.e-]+\)$`)
	if moved, all, m := alarms(same, never); moved != 1 || all != 1 || !want.MatchString(m) {
		t.Errorf("no seed reaches the gap: %d of %d comparisons differ, want 1 of 1: %s", moved, all, m)
	}
	few, other := seeded(rand.New(rand.NewPCG(5, 1)), 4, 1), seeded(rand.New(rand.NewPCG(6, 1)), 4, 1)
	if moved, all, _ := alarms(few, other); moved == 0 || all != 4 {
		t.Errorf("four seeds: %d of %d comparisons differ, want some of 4", moved, all)
	}
}

// TestFalseAlarmsOverSeeds checks how many groups are reported as different: about 1 % of groups with the same
// distribution, and nearly all groups with 50 % more work.
func TestFalseAlarmsOverSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test compares hundreds of groups of runs")
	}
	const trials = 40
	rng := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		slower      float64
		least, most int
	}{{1, 0, 3}, {1.5, 36, trials}} {
		found := 0
		for range trials {
			moved, _, _ := alarms(seeded(rng, 10, 1), seeded(rng, 10, c.slower))
			found += moved
		}
		if found < c.least || found > c.most { // at a rate of 1 %, more than 3 of 40 alarms have probability 0.07 %
			t.Errorf("with %g times the work: %d alarms in %d trials, want %d to %d", c.slower, found, trials, c.least, c.most)
		}
	}
}

// TestSeedsThatDoNotCount checks that runs are compared seed by seed, and not as a distribution, if one of them did not
// finish, has no gap or is missing, on either side.
func TestSeedsThatDoNotCount(t *testing.T) {
	for _, status := range []trace.Status{trace.Done, trace.Budget, trace.Stalled, trace.Failed, trace.Diverged} {
		for side := range 2 {
			sides := [2][]*trace.File{seeded(rand.New(rand.NewPCG(1, 1)), 10, 1), seeded(rand.New(rand.NewPCG(3, 1)), 10, 1.6)}
			sides[side][4].End.Status = status
			want := 10
			if status == trace.Done {
				want = 1
			}
			if moved, all, m := alarms(sides[0], sides[1]); all != want || moved == 0 {
				t.Errorf("side %d has a run with the status %s: %d of %d comparisons differ, want some of %d: %s", side, status,
					moved, all, want, m)
			}
		}
	}
	for side := range 2 { // a seed is missing on one side
		sides := [2][]*trace.File{seeded(rand.New(rand.NewPCG(1, 1)), 10, 1), seeded(rand.New(rand.NewPCG(3, 1)), 10, 1.6)}
		sides[side] = append(sides[side][:4:4], sides[side][5:]...)
		if moved, all, m := alarms(sides[0], sides[1]); all != 10 || moved == 0 {
			t.Errorf("side %d lacks a seed: %d of %d comparisons differ, want some of 10: %s", side, moved, all, m)
		}
	}
	sides := [2][]*trace.File{seeded(rand.New(rand.NewPCG(1, 1)), 10, 1), seeded(rand.New(rand.NewPCG(3, 1)), 10, 1.6)}
	for _, r := range sides[0][4].Rows {
		delete(r.Values, trace.Gap)
	}
	if _, all, _ := alarms(sides[0], sides[1]); all != 10 {
		t.Errorf("a run has no gap: %d comparisons, want 10", all)
	}
}
