package claims_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// clocked returns the evidence of one run that took 2 s of wall-clock time and, if it has such a clock, 1 s of CPU
// time.
func clocked(cpu bool) claims.Context {
	values := map[string]float64{trace.Passes: 1, trace.Primal: 1.5, trace.Seconds: 2, "qp_seconds": 1}
	if cpu {
		values[trace.CPUSeconds], values["qp_cpu_seconds"] = 1, 0.25
	}
	f := &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": "one"}},
		Rows: []trace.Row{{Values: values}}, End: &trace.End{Status: trace.Done}}
	return claims.Context{Experiment: "eg/test", Scale: "paper", Run: "gaplab run eg/test --scale paper",
		Evidence: expr.Evidence{Set: trace.NewSet([]*trace.File{f})}}
}

// TestClaimsAboutCPUTime checks that a claim about CPU time is not measured on runs with wall-clock time only, but that
// a claim whose measure alone needs CPU time is decided.
func TestClaimsAboutCPUTime(t *testing.T) {
	for _, c := range []struct {
		claim    lang.Claim
		cpu      bool
		want     claims.Outcome
		measured string
	}{
		{lang.Claim{Assert: `final(series[0], "cpu_seconds") < 1.5`}, true, claims.Reproduced, ""},
		{lang.Claim{Assert: `final(series[0], "cpu_seconds") < 1.5`}, false, claims.NotMeasured, ""},
		{lang.Claim{Assert: `final(series[0], "cpu_seconds") < 3`}, false, claims.NotMeasured, ""},
		{lang.Claim{Assert: `max(series[0].qp_cpu_seconds) < 0.5`}, true, claims.Reproduced, ""},
		{lang.Claim{Assert: `max(series[0].qp_cpu_seconds) < 0.5`}, false, claims.NotMeasured, ""},
		{lang.Claim{Assert: `final(series[0], "seconds") < 3`}, false, claims.Reproduced, ""},
		{lang.Claim{Assert: `final(series[0], "primal") < 2`, Measure: `final(series[0], "cpu_seconds")`}, true,
			claims.Reproduced, "1"},
		{lang.Claim{Assert: `final(series[0], "primal") < 2`, Measure: `final(series[0], "cpu_seconds")`}, false,
			claims.Reproduced, "2"},
	} {
		v := one(t, clocked(c.cpu), c.claim)
		if v.Verdict != c.want || c.measured != "" && v.Measured != c.measured {
			t.Errorf("%s with CPU time %v: %s (%s), measured %s; want %s, %s", c.claim.Assert, c.cpu, v.Verdict, v.Why,
				v.Measured,
				c.want, c.measured)
		}
		if c.want == claims.NotMeasured && !strings.Contains(v.Why, "`gaplab run eg/test --scale paper` measures it") {
			t.Errorf("the reason names no command: %s", v.Why)
		}
		if c.measured == "2" && (len(v.Warnings) != 1 || !strings.HasPrefix(v.Warnings[0], "measured by the wall clock")) {
			t.Errorf("it does not say by which clock: %q", v.Warnings)
		}
	}
	// a column that no clock of the run is called by is a fault of the expression
	if vs, err := claims.Evaluate(clocked(false), []lang.Claim{{ID: "c1",
		Assert: `final(series[0], "foo_cpu_seconds") < 1`}}); err == nil || vs[0].Verdict != claims.NotTestable {
		t.Errorf("%v, %v", vs, err)
	}
}
