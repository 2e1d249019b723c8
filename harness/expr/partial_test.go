package expr_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestWarningsOfEvidence checks the warnings about a level that a curve did not reach, and about an optimum that is
// uncertain.
func TestWarningsOfEvidence(t *testing.T) {
	v := judge(evidence(), `T(curve({as: "sgd", C: 10}), 1) > 5`)
	if len(v.warnings) != 1 || !strings.Contains(v.warnings[0], "did not fall to 1 within 30 passes") {
		t.Errorf("warnings = %q, want one about a level that was not reached", v.warnings)
	}
	doubtful := evidence()
	doubtful.Set = trace.NewSet([]*trace.File{decay("eg", 10, 0.4, 0.07, 5, converged())})
	v = judge(doubtful, `final(curve({C: 10}), "gap_percent") < 100`)
	if len(v.warnings) != 1 || !strings.Contains(v.warnings[0], "the optimum is only known to lie in") {
		t.Errorf("warnings = %q, want one about the uncertain optimum", v.warnings)
	}
}

// TestPartialRuns checks which assertions can be decided although a run was interrupted, diverged, was stopped by its
// budget, or has a solver that does not support the problem.
func TestPartialRuns(t *testing.T) {
	for _, test := range []struct {
		end     *trace.End
		assert  string
		outcome string
		says    string
	}{
		{nil, `at(curve({C: 1}), "primal", 9) < 2`, undecided, "has no result: interrupted"},
		{nil, `all(series, nondecreasing(.dual))`, undecided, "has no result: interrupted"},
		{&trace.End{Status: trace.Failed, Why: "line search"}, `any(series, .C == 1)`, undecided,
			"has no result: failed (line search)"},
		{&trace.End{Status: trace.Budget, Why: "60 s"}, `at(curve({C: 1}), "primal", 9) < 2`, holds, "= 1."},
		{&trace.End{Status: trace.Budget, Why: "60 s"}, `at(curve({C: 1}), "primal", 11) < 2`, undecided,
			"ended at 10 passes: budget (60 s)"},
		{&trace.End{Status: trace.Diverged, Why: "primal +Inf"}, `final(curve({C: 1}), "primal") < 2`, undecided,
			"diverged (primal +Inf)"},
		{&trace.End{Status: trace.Budget, Why: "60 s"}, `all(series, nondecreasing(.dual))`, holds, ""},
		{&trace.End{Status: trace.Unsupported, Why: "hinge"}, `final(curve({C: 1}), "primal") < 2`, undecided,
			"the run as=eg, C=1 is left out: unsupported (hinge)"},
	} {
		f := decay("eg", 1, 0.4, 0.1, 10, trace.End{})
		f.End = test.end
		v := judge(expr.Evidence{Set: trace.NewSet([]*trace.File{f})}, test.assert)
		if v.outcome != test.outcome || !strings.Contains(v.says, test.says) || strings.Contains(v.says, "%!") {
			t.Errorf("end %+v, %s: outcome = %s: %s, want %s: %s", test.end, test.assert, v.outcome, v.says, test.outcome,
				test.says)
		}
	}
}

// TestMeasure checks how Measure formats the fields of a fit.
func TestMeasure(t *testing.T) {
	got, err := expr.NewEvaluation(evidence()).Measure(`fit([1, 3, 5.5], [0, 1, 2])`)
	want := "slope 2.25, intercept 0.9167, r2 0.9959, n 3, low 0.416, high 4.084"
	if err != nil || got != want {
		t.Errorf("Measure = %q, %v, want %q", got, err, want)
	}
}

// TestQuantities checks that Measure and Ranges write the values of a map after their names, in the order of the
// source, and that Values returns them in this order.
func TestQuantities(t *testing.T) {
	const source = `let x = 11; {"passes to 0.1 %": x, "error, %": [2.5, 3], a: "text"}`
	const want = "passes to 0.1 %: 11; error, %: [2.5, 3]; a: text"
	e := expr.NewEvaluation(evidence())
	if got, err := e.Measure(source); err != nil || got != want {
		t.Errorf("Measure = %q, %v, want %q", got, err, want)
	}
	if got, err := e.Ranges(source); err != nil || got != want {
		t.Errorf("Ranges = %q, %v, want %q", got, err, want)
	}
	got, err := e.Values(source)
	if want := []any{11.0, 2.5, 3.0, "text"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Values = %v, %v, want %v", got, err, want)
	}
}

// TestOtherExperiment checks that an assertion can read the curves of another experiment, and that it is undecided if
// that experiment has no curves.
func TestOtherExperiment(t *testing.T) {
	ctx := evidence()
	ctx.Other = func(id string) (*trace.Set, error) {
		if id != "eg/other" {
			return nil, errors.New("not run yet")
		}
		return trace.NewSet([]*trace.File{decay("cold", 10, 0.1, 0.1, 50, converged())}), nil
	}
	if v := judge(ctx, `final(curve({as: "cold"}, experiment("eg/other")), "passes") == 50`); v.outcome != holds {
		t.Errorf("curve of another experiment: outcome = %s: %s, want %s", v.outcome, v.says, holds)
	}
	if v := judge(ctx, `len(experiment("eg/none")) == 1`); v.outcome != undecided ||
		!strings.Contains(v.says, "eg/none: not run yet") {
		t.Errorf("experiment without results: outcome = %s: %s, want %s", v.outcome, v.says, undecided)
	}
}

// TestMissingRuns checks the outcome of assertions that read a planned run without a trace, of the same experiment or
// of another one.
func TestMissingRuns(t *testing.T) {
	set := func() *trace.Set {
		s := trace.NewSet([]*trace.File{decay("eg", 1, 0.4, 0.1, 10, converged())})
		s.Missing = []*trace.Curve{trace.NewMissing(map[string]any{"as": "sgd", "C": 1}, trace.Missing, "no file")}
		return s
	}
	for _, test := range []struct {
		assert, outcome string
	}{
		{`final(curve({as: "eg"}), "primal") < 2`, holds},
		{`final(curve({as: "eg", C: 1}), "primal") < 2`, holds},
		{`final(curve({C: 10}, curves({as: "eg"})), "primal") < 2`, undecided},
		{`any(series, .C == 1)`, undecided},
		{`len(curves({as: "sgd"})) == 1`, undecided},
		{`len(curves({n: 100})) == 1`, undecided}, // the missing run may have n = 100
		{`len(completed(curves({as: ["eg", "sgd"]}), 1)) == 1`, undecided},
		{`len(experiment("other")) == 1`, undecided},
	} {
		on := expr.Evidence{Set: set(), Other: func(string) (*trace.Set, error) { return set(), nil }}
		_, err := expr.NewEvaluation(on).Assert(test.assert)
		if v := judge(on, test.assert); v.outcome != test.outcome {
			t.Errorf("%s: outcome = %s: %s, want %s", test.assert, v.outcome, v.says, test.outcome)
		}
		if lost := test.outcome == undecided && !strings.Contains(test.assert, "C: 10"); expr.Lost(err) != lost {
			t.Errorf("%s: error %v, want lost = %t", test.assert, err, lost)
		}
		if strings.HasPrefix(test.assert, "len(experiment") &&
			!strings.Contains(fmt.Sprint(err), "the claim needs the results of other: the run ") {
			t.Errorf("%s: error %v, want the experiment and the run", test.assert, err)
		}
	}
}
