package claims_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// mixed returns a Context with a run on the paper's own data, a run on stand-in data, a run that its budget ended, and
// a run that was interrupted.
func mixed() claims.Context {
	var files []*trace.File
	for name, end := range map[string]*trace.End{"own": {Status: trace.Done}, "stand": {Status: trace.Done},
		"cut": {Status: trace.Budget, Why: "60 s"}, "lost": nil} {
		files = append(files, &trace.File{End: end, Manifest: trace.Manifest{Labels: map[string]any{"as": name}},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 3, trace.Primal: 1.5, trace.Seconds: 2}}}})
		files[len(files)-1].Manifest.Data.Synthetic = name == "stand"
	}
	return claims.Context{Experiment: "eg/test", Scale: "quick", Run: "gaplab run eg/test",
		Evidence: expr.Evidence{Set: trace.NewSet(files)}}
}

// TestFirstReason checks which reason a verdict gives if there are several, and what it says beside the reason: the
// measured values, whether a run lacks, and an error.
func TestFirstReason(t *testing.T) {
	const own, stand, cut, lost = `final("own", "passes") == 3`, `final("stand", "passes") == 3`,
		`final("cut", "passes") < 5`, `final("lost", "passes") < 5`
	const data, ended = "the claim is about the paper's own data", "the run as=cut ended at its limit"
	for _, c := range []struct {
		claim    lang.Claim
		want     claims.Outcome
		why      string
		measured string
		lacking  bool
		wrong    string
	}{
		{lang.Claim{Assert: own, Data: "R"}, claims.Reproduced, "", "3 == 3", false, ""},
		{lang.Claim{Assert: own + " and " + stand, Data: "Y"}, claims.Reproduced, "", "3 == 3; ", false, ""},
		{lang.Claim{Assert: own + " and " + stand, Data: "R"}, claims.NotTestable, data, "", false, ""},
		{lang.Claim{Assert: own + " and " + stand, Data: "R", Measure: "foo"}, claims.NotTestable, data, "", false, ""},
		{lang.Claim{Assert: stand + " and " + cut, Data: "R"}, claims.NotTestable, data, "", false, ""},
		{lang.Claim{Assert: stand + " and " + lost, Data: "R"}, claims.NotTestable, data, "", false, ""},
		{lang.Claim{Assert: stand + " and foo < 1", Data: "R"}, claims.NotTestable, "the expression is wrong", "", false,
			"claims.0.assert"},
		{lang.Claim{Assert: stand, Data: "R", Kind: "M", Tested: "TestX"}, claims.Reproduced, "", "3 == 3", false, ""},
		{lang.Claim{Assert: stand, Data: "R", Kind: "E"}, claims.NotTestable, data, "", false, ""},
		{lang.Claim{Assert: cut}, claims.NotTestable, ended, "≥ 3 (undecided) < 5", false, ""},
		{lang.Claim{Assert: cut, Measure: `final("own", "primal")`}, claims.NotTestable, ended, "1.5", false, ""},
		{lang.Claim{Assert: cut, Measure: "foo"}, claims.NotTestable, "the expression is wrong", "", false,
			"claims.0.measure"},
		{lang.Claim{Assert: lost}, claims.NotMeasured, "has no result: interrupted", "", true, ""},
		{lang.Claim{Assert: own, Measure: `final("lost", "passes")`}, claims.NotMeasured,
			"measure it with `gaplab run eg/test`", "", true, ""},
		{lang.Claim{Assert: `final("own", "cpu_seconds") < 5`}, claims.NotMeasured, "only wall-clock time", "", false, ""},
		{lang.Claim{Assert: `mean([]) < 5`, Measure: "1"}, claims.NotTestable, "cannot compute mean", "", false, ""},
		{lang.Claim{Assert: own, Measure: "mean([])"}, claims.NotTestable, "cannot compute mean", "", false, ""},
		{lang.Claim{Assert: "1 < 2", Scales: []string{"smoke", "paper"}}, claims.NotTestable,
			"scale quick cannot decide the claim, but scale smoke or paper can", "", false, ""},
		{lang.Claim{Assert: "foo", Scales: []string{"paper"}, Because: " n is small.\n"}, claims.NotTestable,
			"paper can: n is small", "", false, ""},
		{lang.Claim{Assert: "1 < 2", Scales: []string{"smoke", "quick"}}, claims.Reproduced, "", "1 = 1 < 2", false, ""},
	} {
		list, err := claims.Evaluate(mixed(), []lang.Claim{c.claim})
		v := list[0]
		if v.Verdict != c.want || !strings.Contains(v.Why, c.why) || (c.why == "") != (v.Why == "") ||
			v.Lacking != c.lacking || !strings.Contains(v.Measured, c.measured) ||
			c.measured == "" && v.Measured != "" && !strings.Contains(c.wrong, "measure") ||
			(err != nil) != (c.wrong != "") || !strings.Contains(fmt.Sprint(err), c.wrong) {
			t.Errorf("%+v: %+v, %v; want %s (%s), measured %q, lacking %v, error %q", c.claim, v, err, c.want, c.why, c.measured,
				c.lacking, c.wrong)
		}
	}
	broken := mixed()
	broken.Set.Err = errors.New("a primal is below a dual")
	for scales, want := range map[string]claims.Outcome{"paper": claims.NotTestable, "quick": claims.NotReproduced} {
		if v := one(t, broken, lang.Claim{Assert: "foo < 1", Scales: []string{scales}}); v.Verdict != want {
			t.Errorf("rows that contradict each other, a claim at scale %s: %s (%s), want %s", scales, v.Verdict, v.Why, want)
		}
	}
}
