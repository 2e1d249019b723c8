package claims_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// evidence returns a Context with one run of two rows, whose primal ends at 1.5.
func evidence() claims.Context {
	f := &trace.File{End: &trace.End{Status: trace.Done, Rule: "gap", Why: "gap 1e-6"}}
	f.Manifest = trace.Manifest{Format: trace.Format, Experiment: "eg/test", Scale: "quick", Size: trace.Size{N: 100},
		Labels: map[string]any{"as": "eg", "C": 10.0, "lambda": 0.1, "seed": 1.0}}
	for i, primal := range []float64{2, 1.5} {
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": float64(i), "primal": primal}})
	}
	return claims.Context{Experiment: "eg/test", Scale: "quick",
		Evidence: expr.Evidence{Set: trace.NewSet([]*trace.File{f})}}
}

// one evaluates a single claim.
func one(t *testing.T, ctx claims.Context, claim lang.Claim) claims.Verdict {
	t.Helper()
	verdicts, err := claims.Evaluate(ctx, []lang.Claim{claim})
	if err != nil {
		t.Fatal(err)
	}
	return verdicts[0]
}

// TestUndecidable checks which claims are not testable because of the scale, generated data in place of the paper's,
// missing results or a missing assertion.
func TestUndecidable(t *testing.T) {
	holds := `final(curve({as: "eg", C: 10}), "primal") < 2`
	synthetic := evidence()
	synthetic.Set.Curves[0].File.Manifest.Data.Synthetic = true
	beside := evidence()
	beside.Set.Curves = append(beside.Set.Curves, synthetic.Set.Curves[0])
	beside.Set.Curves[0].Labels["C"] = 1.0
	empty := evidence()
	empty.Set = &trace.Set{}
	for _, test := range []struct {
		name  string
		ctx   claims.Context
		claim lang.Claim
		want  claims.Outcome
		why   string
	}{
		{"its scale", evidence(), lang.Claim{Assert: holds, Scales: []string{"quick"}}, claims.Reproduced, ""},
		{"another scale", evidence(),
			lang.Claim{Assert: holds, Scales: []string{"paper"}, Because: "the effect grows with n."}, claims.NotTestable,
			"scale quick cannot decide the claim, but scale paper can: the effect grows with n"},
		{"theorem", synthetic, lang.Claim{Assert: holds, Kind: "M", Data: "R", Scales: []string{"paper"}}, claims.Reproduced,
			""},
		{"stand-in for the paper's data", synthetic, lang.Claim{Assert: holds, Data: "R"}, claims.NotTestable,
			"its assertion reads runs on stand-in data, such as "},
		{"stand-in data of a run that only the measure reads", beside,
			lang.Claim{Assert: `final(curve({C: 1}), "primal") < 2`, Measure: `final(curve({C: 10}), "primal")`, Data: "R"},
			claims.Reproduced, ""},
		{"stand-in data of one of the runs that the assertion reads", beside,
			lang.Claim{Assert: `all(series, final(#, "primal") < 2)`, Data: "R"}, claims.NotTestable, "stand-in data"},
		{"claim that allows stand-in data", synthetic, lang.Claim{Assert: holds, Data: "S"}, claims.Reproduced, ""},
		{"no results", empty, lang.Claim{Assert: holds}, claims.NotTestable, "there are no results"},
		{"test only", evidence(), lang.Claim{Kind: "M", Tested: "TestTheta"}, claims.NotTestable,
			"the test TestTheta checks it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if v := one(t, test.ctx, test.claim); v.Verdict != test.want || !strings.Contains(v.Why, test.why) {
				t.Errorf("verdict = %s (%s), want %s (%s)", v.Verdict, v.Why, test.want, test.why)
			}
		})
	}
}

// TestLimits checks claims about a run that its budget ended: its passes are a lower bound, which may decide a claim or
// not. A claim that is undecided has the values all the same.
func TestLimits(t *testing.T) {
	ctx := evidence()
	for _, c := range ctx.Set.Curves {
		c.Status, c.Why, c.Rule = trace.Budget, "60 s", ""
	}
	const limit = "the run as=eg, C=10 ended at its limit: budget (60 s); this does not decide ≥ 1 < 5"
	for _, test := range []struct {
		assert   string
		want     claims.Outcome
		measured string
		why      string
	}{
		{`final("eg", "passes") >= 1`, claims.Reproduced, "≥ 1", ""},
		{`final("eg", "passes") < 1`, claims.NotReproduced, "≥ 1", ""},
		{`final("eg", "passes") < 5`, claims.NotTestable, "≥ 1", limit},
		{`all([5, 1], final("eg", "passes") < #)`, claims.NotReproduced, "≥ 1", ""},
		{`any([5, 1], final("eg", "passes") < #)`, claims.NotTestable, "≥ 1", limit},
	} {
		v := one(t, ctx, lang.Claim{Assert: test.assert, Measure: `final("eg", "passes")`})
		if v.Verdict != test.want || v.Measured != test.measured || v.Why != test.why {
			t.Errorf("%s: %s, measured %s (%s); want %s, %s (%s)", test.assert, v.Verdict, v.Measured, v.Why, test.want,
				test.measured, test.why)
		}
	}
	if v := one(t, ctx, lang.Claim{Assert: `final("eg", "passes") < 5`}); v.Measured == "" || v.Lacking {
		t.Errorf("without a measure: measured %q, lacking %v; want the compared values", v.Measured, v.Lacking)
	}
}

// TestBrokenDuality checks that no claim is reproduced if the rows violate weak duality.
func TestBrokenDuality(t *testing.T) {
	ctx := evidence()
	ctx.Set.Err = errors.New("a primal is below a dual")
	if v := one(t, ctx, lang.Claim{Assert: "1 < 2"}); v.Verdict != claims.NotReproduced ||
		!strings.Contains(v.Why, "below a dual") {
		t.Errorf("verdict = %s (%s), want %s because of weak duality", v.Verdict, v.Why, claims.NotReproduced)
	}
}

// TestEvaluate checks the verdicts of expressions: the measured values, the reason, or the error that names the claim.
func TestEvaluate(t *testing.T) {
	for _, test := range []struct {
		claim lang.Claim
		want  claims.Verdict
		err   string
	}{
		{lang.Claim{Assert: `final(curve({C: 10}), "primal")  <  2`}, claims.Verdict{Verdict: claims.Reproduced,
			Measured: `final(curve({C: 10}), "primal") = 1.5 < 2`, Asserted: `final(curve({C: 10}), "primal") < 2`}, ""},
		{lang.Claim{Assert: `1 < 2`, Measure: `[1, 2.5]`}, claims.Verdict{Verdict: claims.Reproduced,
			Measured: `[1, 2.5]`, Asserted: `1 < 2`}, ""},
		{lang.Claim{Assert: `2 < 1`}, claims.Verdict{Verdict: claims.NotReproduced,
			Measured: `2 = 2 (fails) < 1`, Asserted: `2 < 1`}, ""},
		{lang.Claim{Assert: `final(curve({C: 5}), "primal") < 2`}, claims.Verdict{Verdict: claims.NotTestable,
			Asserted: `final(curve({C: 5}), "primal") < 2`, Why: "no curve has C = 5; there are (as=eg, C=10)"}, ""},
		{lang.Claim{Assert: `foo < 2`}, claims.Verdict{Verdict: claims.NotTestable, Asserted: `foo < 2`,
			Why: `the expression is wrong: unknown name "foo"; accepted: inf, series (1:1)` + "\n | foo < 2\n | ^"},
			`eg/test:7: claims.0.assert: unknown name "foo"`},
		{lang.Claim{Assert: `1 < 2`, Measure: `foo`}, claims.Verdict{Verdict: claims.NotTestable, Asserted: `1 < 2`,
			Measured: "1 = 1 < 2", Why: `the expression is wrong: unknown name "foo"; accepted: inf, series (1:1)` +
				"\n | foo\n | ^"}, `eg/test:7: claims.0.measure: unknown name "foo"`},
	} {
		test.claim.ID, test.claim.Line = "c1", 7
		test.want.Experiment, test.want.Claim = "eg/test", "c1"
		got, err := claims.Evaluate(evidence(), []lang.Claim{test.claim})
		if diff := cmp.Diff([]claims.Verdict{test.want}, got); diff != "" {
			t.Errorf("%s: verdict differs (-want +got):\n%s", test.claim.Assert, diff)
		}
		if (err == nil) != (test.err == "") || err != nil && !strings.HasPrefix(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", test.claim.Assert, err, test.err)
		}
	}
}

// TestMeasureDecidesNothing checks that a claim whose assertion is wrong, or reads something that does not exist, has
// the verdict, reason and error that it has without a measure, whatever its measure is.
func TestMeasureDecidesNothing(t *testing.T) {
	for _, assert := range []string{"foo < 2", `final(curve({C: 5}), "primal") < 2`, `final("eg", "dual") < 2`, "1 +",
		`final("eg", "cpu_seconds") < 1`, "mean([]) < 1"} {
		want, wantErr := claims.Evaluate(evidence(), []lang.Claim{{ID: "c1", Assert: assert}})
		if want[0].Verdict == claims.Reproduced || want[0].Verdict == claims.NotReproduced {
			t.Errorf("%s: %s, want an undecided claim", assert, want[0].Verdict)
		}
		for _, measure := range []string{"1", `final("eg", "primal")`, "bar", `final("eg", "cpu_seconds")`} {
			got, err := claims.Evaluate(evidence(), []lang.Claim{{ID: "c1", Assert: assert, Measure: measure}})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, measure %s: verdict differs from that without a measure (-want +got):\n%s", assert, measure, diff)
			}
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s, measure %s: error %v, want %v", assert, measure, err, wantErr)
			}
		}
	}
}

// TestErrors checks the places that the errors of several claims name: the file of the spec or, without a file, the
// experiment; the line and the number of each claim; and the key of its wrong expression.
func TestErrors(t *testing.T) {
	list := []lang.Claim{{Assert: "foo", Line: 3}, {Assert: "1 < 2", Line: 5}, {Assert: "1 < 2", Measure: "bar", Line: 8}}
	for file, name := range map[string]string{"": "eg/test", "specs/eg.yaml": "specs/eg.yaml"} {
		ctx := evidence()
		ctx.File = file
		verdicts, err := claims.Evaluate(ctx, list)
		for _, want := range []string{name + `:3: claims.0.assert: unknown name "foo"`,
			name + `:8: claims.2.measure: unknown name "bar"`} {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("file %q: error %v, want %s", file, err, want)
			}
		}
		if verdicts[1].Verdict != claims.Reproduced || strings.Contains(fmt.Sprint(err), "claims.1") {
			t.Errorf("file %q: the claim between two wrong ones: %+v, error %v; want %s", file, verdicts[1], err,
				claims.Reproduced)
		}
	}
}

// TestOlderRevisions checks the warnings about results of older revisions: each text once, and none for other results.
func TestOlderRevisions(t *testing.T) {
	ctx := evidence()
	for _, older := range []string{"solver eg 1", "model chain 2", "solver eg 1", ""} {
		other := evidence().Set.Curves[0]
		other.File.Older = older
		ctx.Set.Curves = append(ctx.Set.Curves, other)
	}
	want := []string{"made by older revisions: solver eg 1", "made by older revisions: model chain 2"}
	if diff := cmp.Diff(want, one(t, ctx, lang.Claim{Assert: "1 < 2"}).Warnings); diff != "" {
		t.Errorf("warnings differ (-want +got):\n%s", diff)
	}
}
