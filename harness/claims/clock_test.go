package claims_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// clocked returns a Context with one run that took 2 s of wall-clock time and, if cpu is true, 1 s of CPU time.
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

// TestClaimsAboutCPUTime checks claims on runs that have only wall-clock time. A claim has two expressions, assert and
// measure. If assert needs CPU time, the claim is not measured. If only measure needs CPU time, the claim is decided,
// and measure uses wall-clock time.
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
			t.Errorf("%s with CPU time %v: verdict %s (%s), measured %s, want %s, %s", c.claim.Assert, c.cpu, v.Verdict, v.Why,
				v.Measured, c.want, c.measured)
		}
		if c.want == claims.NotMeasured && !strings.Contains(v.Why, "measure it with `gaplab run eg/test --scale paper`") {
			t.Errorf("reason = %s, want the command that measures it", v.Why)
		}
		if c.measured == "2" && (len(v.Warnings) != 1 || !strings.HasPrefix(v.Warnings[0], "measured in wall-clock time")) {
			t.Errorf("warnings = %q, want one that names the clock", v.Warnings)
		}
	}
	// An unknown column is an error in the expression, even if its name ends in cpu_seconds.
	if vs, err := claims.Evaluate(clocked(false), []lang.Claim{{ID: "c1",
		Assert: `final(series[0], "foo_cpu_seconds") < 1`}}); err == nil || vs[0].Verdict != claims.NotTestable {
		t.Errorf("claim with an unknown clock: verdicts %v, %v, want not testable and an error", vs, err)
	}
}
