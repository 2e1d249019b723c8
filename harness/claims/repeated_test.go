package claims_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// race returns a Context with the runs fast and slow. Repetition k of them took the times fast[k] and slow[k].
func race(fast, slow []float64) claims.Context {
	var files []*trace.File
	for name, seconds := range map[string][]float64{"fast": fast, "slow": slow} {
		for k, s := range seconds {
			files = append(files, &trace.File{End: &trace.End{Status: trace.Done},
				Manifest: trace.Manifest{Experiment: "eg/test",
					Labels: map[string]any{"as": name, trace.Repetition: float64(k + 1)},
					Origin: trace.Origin{CPU: "cpu"}},
				Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1, trace.Seconds: s, trace.CPUSeconds: s}}}})
		}
	}
	return claims.Context{Experiment: "eg/test", Scale: "paper", Run: "gaplab run eg/test --scale paper",
		Evidence: expr.Evidence{Set: trace.NewSet(files)}}
}

// TestTies checks claims about repeated runs: a claim is decided if it holds in all repetitions, or in none; otherwise
// it is a tie. Values are measured with their range.
func TestTies(t *testing.T) {
	twice := lang.Claim{Assert: `final("slow", "cpu_seconds") >= 2 * final("fast", "cpu_seconds")`,
		Measure: `[final("slow", "cpu_seconds") / final("fast", "cpu_seconds"), 7]`}
	for _, c := range []struct {
		fast, slow []float64
		want       claims.Outcome
		measured   string
	}{
		{[]float64{1, 1, 1}, []float64{3, 2, 4}, claims.Reproduced, "[3 (2 to 4), 7]"},
		{[]float64{1, 1, 1}, []float64{1, 1.5, 1.9}, claims.NotReproduced, "[1.5 (1 to 1.9), 7]"},
		{[]float64{1, 1, 1}, []float64{3, 1.5, 4}, claims.Tie, "[3 (1.5 to 4), 7]"},
		{[]float64{1, 1, 1}, []float64{3, 1.5, 1}, claims.Tie, "[1.5 (1 to 3), 7]"},
		{[]float64{1, 2, 3}, []float64{2, 4, 6}, claims.Reproduced, "[2, 7]"}, // turns of equal ratio
		{[]float64{1}, []float64{3}, claims.Reproduced, "[3, 7]"},
	} {
		v := one(t, race(c.fast, c.slow), twice)
		if v.Verdict != c.want || v.Measured != c.measured {
			t.Errorf("%v against %v: %s (%s), measured %s; want %s, %s", c.fast, c.slow, v.Verdict, v.Why, v.Measured, c.want,
				c.measured)
		}
		count, medians := 0, "fails"
		for k, s := range c.slow {
			if s >= 2*c.fast[k] {
				count++
			}
		}
		if slices.Sorted(slices.Values(c.slow))[len(c.slow)/2] >= 2*slices.Sorted(slices.Values(c.fast))[len(c.fast)/2] {
			medians = "holds"
		}
		want := ""
		if c.want == claims.Tie {
			want = fmt.Sprintf("the times do not decide it: it holds in %d of %d repetitions, and %s for the medians", count,
				len(c.slow), medians)
		}
		if v.Why != want {
			t.Errorf("%v against %v: reason %q, want %q", c.fast, c.slow, v.Why, want)
		}
	}
	// the repetitions can agree with each other, and not with the medians
	for assert, want := range map[string]string{
		`final("slow", "seconds") != final("fast", "seconds")`: "holds in 3 of 3 repetitions, and fails for the medians",
		`final("slow", "seconds") == final("fast", "seconds")`: "holds in 0 of 3 repetitions, and holds for the medians",
	} {
		v := one(t, race([]float64{1, 2, 3}, []float64{2, 3, 1}), lang.Claim{Assert: assert})
		if v.Verdict != claims.Tie || !strings.HasSuffix(v.Why, want) {
			t.Errorf("%s: %s (%s), want %s, because it %s", assert, v.Verdict, v.Why, claims.Tie, want)
		}
	}
	// the function repetitions reads the times of all of them, in whichever repetition the claim is judged
	spread := lang.Claim{Assert: `let t = map(repetitions(curve("slow")), final(#, "cpu_seconds"));
		max(t) == 4 * min(t) and len(t) == 3`}
	if v := one(t, race([]float64{1, 1, 1}, []float64{2, 4, 1}), spread); v.Verdict != claims.Reproduced {
		t.Errorf("spread: %s (%s), want %s", v.Verdict, v.Why, claims.Reproduced)
	}
	// repetitions do not matter for a claim that reads no times
	ctx := race([]float64{1, 2}, []float64{2, 1})
	if v := one(t, ctx, lang.Claim{Assert: `final("slow", "passes") == 1`}); v.Verdict != claims.Reproduced {
		t.Errorf("claim without times: %s (%s), want %s", v.Verdict, v.Why, claims.Reproduced)
	}
}

// TestSittings checks that times are compared only if they were measured on one machine in one sitting. If not, the
// verdict has no measured values, and the reason ends with the command that makes all runs together.
func TestSittings(t *testing.T) {
	compared := lang.Claim{Assert: `final("slow", "seconds") > final("fast", "seconds")`}
	for _, c := range []struct {
		name   string
		change func(*trace.Manifest)
		claim  lang.Claim
		want   claims.Outcome
		slow   string // experiment of the slow run, if it is not the claim's own
		ids    string // experiments in the command
	}{
		{"same", func(*trace.Manifest) {}, compared, claims.Reproduced, "", ""},
		{"another machine", func(m *trace.Manifest) { m.CPU = "other" }, compared, claims.NotTestable, "", "eg/test"},
		{"another sitting", func(m *trace.Manifest) { m.Sitting = "b" }, compared, claims.NotTestable, "", "eg/test"},
		{"times of one run", func(m *trace.Manifest) { m.CPU = "other" }, lang.Claim{Assert: `final("slow", "seconds") > 1`},
			claims.Reproduced, "", ""},
		{"no times", func(m *trace.Manifest) { m.CPU = "other" },
			lang.Claim{Assert: `final("slow", "passes") == final("fast", "passes")`}, claims.Reproduced, "", ""},
		{"another experiment", func(m *trace.Manifest) { m.Sitting = "b" }, compared, claims.NotTestable, "eg/other",
			"eg/test eg/other"},
	} {
		ctx := race([]float64{1, 1}, []float64{2, 2})
		for _, curve := range ctx.Set.Curves {
			if curve.Labels["as"] == "slow" {
				c.change(&curve.Repeats[1].File.Manifest)
				curve.File.Manifest.Experiment = cmp.Or(c.slow, "eg/test")
			}
		}
		v := one(t, ctx, c.claim)
		if v.Verdict != c.want || c.want == claims.NotTestable && !strings.Contains(v.Why, "not measured on one machine") {
			t.Errorf("%s: %s (%s), want %s", c.name, v.Verdict, v.Why, c.want)
		}
		if c.want == claims.NotTestable && (v.Measured != "" ||
			!strings.HasSuffix(v.Why, "; make them together with `gaplab run "+c.ids+" --scale paper --force`")) {
			t.Errorf("%s: measured %q (%s), want no values, and the command", c.name, v.Measured, v.Why)
		}
	}
}
