package expr_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestWhere checks the value and the errors of filters on one curve.
func TestWhere(t *testing.T) {
	labels := map[string]any{"C": 10.0, "as": "eg", "seed": 1.0, "chosen": true, "dataset": "words", "dataset.seed": 3.0}
	for _, test := range []struct {
		where string
		want  bool
		err   string
	}{
		{`C >= 10 && as == "eg"`, true, ""},
		{`C in [1, 10]`, true, ""},
		{`as in ["sgd"] or seed == 2`, false, ""},
		{`not chosen`, false, ""},
		{`as startsWith "e"`, true, ""},
		{`1 < C <= 10`, true, ""},
		{`as != "sgd"`, true, ""},
		{`dataset.seed in [3, 4] and dataset == "words"`, true, ""},
		{`D == 1`, false, `unknown name "D"; accepted: C, as, chosen, dataset, dataset.seed, final, seed (1:1)`},
		{`C ==`, false, "the expression ends too early: something must follow (1:4)"},
		{`C > "x"`, false, `"x" is a text, which has no order`},
		{`C`, false, "C: got a number; accepted: a filter"},
		{`final.primal < 1`, true, ""},
		{`final.primal < 1 and final(curve({C: 10}), "primal") == final.primal`, true, ""},
		{`final(curve({C: 100}), "primal") < 1`, false, ""}, // no curve has C = 100
		{`final.dual < 1`, false, `no field "dual"`},
		{`most(C) > 1`, false, `unknown function "most"; accepted: T, abs,`},
	} {
		curves, err := expr.Filter(test.where, &trace.Set{Curves: []*trace.Curve{{Labels: labels, Status: trace.Done,
			Columns: map[string][]float64{"passes": {0, 1}, "primal": {1, 0.5}}}}})
		if got := len(curves) == 1; got != test.want || (err != nil) != (test.err != "") || err != nil &&
			!strings.Contains(err.Error(), test.err) {
			t.Errorf("Filter(%s) = %v, %v; want the curve to pass: %v; want error %q", test.where, curves, err, test.want,
				test.err)
		}
	}
}

// TestFilter checks which curves of a set pass a filter.
func TestFilter(t *testing.T) {
	set := evidence().Set
	for _, test := range []struct {
		where string
		want  string
	}{
		{"", "eg 1000, eg 100, eg 10, sgd 10, slow 10, lbfgs 10"},
		{"C > 10", "eg 1000, eg 100"},
		{"eta0 < 1", "sgd 10"},                 // the other curves lack the label eta0
		{"eta0 != 1 and C == 1000", "eg 1000"}, // != is true if the label is absent
		{"chosen == false", "sgd 10"},          // a run that lost a comparison passes, because the filter uses chosen
		{`status == "failed"`, "lbfgs 10"},     // every curve has the label "status"
		{`as == "sgd" and eta0 == 0.1`, ""},    // a run that lost a comparison does not pass
		{`as == "eg" || eta0 > 1`, "eg 1000, eg 100, eg 10"},
		{`as == "eg" and final.primal == min(map(curves({as: "eg"}), final(#, "primal")))`, "eg 1000"},
	} {
		curves, err := expr.Filter(test.where, set)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range curves {
			names = append(names, fmt.Sprint(c.Labels["as"], " ", c.Labels["C"]))
		}
		if diff := cmp.Diff(test.want, strings.Join(names, ", ")); diff != "" {
			t.Errorf("Filter(%q): curves differ (-want +got):\n%s", test.where, diff)
		}
	}
}

// TestAxisAndBound checks the values and the errors of Axis.
func TestAxisAndBound(t *testing.T) {
	c := &trace.Curve{
		Labels:  map[string]any{"C": 10.0, "as": "eg"},
		Columns: map[string][]float64{"C": {20, 10}, "passes": {0, 2}, "validation_error": {0.5, 0.07}},
	}
	among := &trace.Set{Curves: []*trace.Curve{c, {Labels: map[string]any{"C": 10.0, "as": "sgd"}, Status: trace.Done,
		Columns: map[string][]float64{"passes": {0, 4}}}}}
	for expression, want := range map[string]any{
		"100 * validation_error":       []float64{50, 7.000000000000001},
		"passes":                       []float64{0, 2},
		"C":                            10.0,
		"final.passes":                 2.0,
		"final.C":                      10.0,
		"log2(C) - log2(final.passes)": 2.321928094887362,
		"validation_error - final.validation_error":                []float64{0.43, 0},
		`final.passes / final(curve({as: "sgd", C: C}), "passes")`: 0.5,
		"slope([1, 2], [1, 2]) + len(curves())":                    3.0,
	} {
		got, err := expr.Axis(expression, c, among)
		if err != nil {
			t.Errorf("Axis(%s): error %v, want none", expression, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Axis(%s) differs (-want +got):\n%s", expression, diff)
		}
	}
	if _, err := expr.Axis(`final(curve({as: "lbfgs"}), "passes")`, c, among); !expr.Lacks(err) {
		t.Errorf("Axis that reads a missing curve: error %v, want one for which Lacks is true", err)
	}
	for expression, want := range map[string]string{
		"dual":            `unknown name "dual"; accepted: C, as, final, passes, validation_error`,
		"final.dual":      `no field "dual"; accepted: passes, C, validation_error`,
		"as":              "as: got a text; accepted: a list of numbers",
		"passes +":        "ends too early",
		"at(passes)":      `at has 1 argument; accepted: at(c, column, x)`,
		"map(passes, # )": "",
	} {
		if _, err := expr.Axis(expression, c, among); (err == nil) != (want == "") || err != nil &&
			!strings.Contains(err.Error(), want) {
			t.Errorf("Axis(%s): error %v, want %q", expression, err, want)
		}
	}
}

// TestBound checks the values of bounds. If a name has several meanings, the first of these must be used: label, final
// value, parameter of the solver.
func TestBound(t *testing.T) {
	c := &trace.Curve{
		Labels:  map[string]any{"C": 10.0, "as": "one-slack"},
		Columns: map[string][]float64{"C": {20, 20}, "passes": {0, 2}, "radius_sq_seen": {1, 4}, "late": {7, math.NaN()}},
		File:    &trace.File{},
	}
	c.File.Manifest.N = 50
	c.File.Manifest.Spec = map[string]any{
		"solver": map[string]any{"params": map[string]any{"eps": 0.1, "cache": 5, "late": 1.0, "step": "qp"}}}
	for expression, want := range map[string][]float64{
		"C / x":                  {10, 5},
		"radius_sq_seen * x":     {4, 8},
		"final.radius_sq_seen":   {4, 4},
		"final.C":                {20, 20},
		"late":                   {7, 7},
		"ceil(1 / eps) + cache":  {15, 15},
		"n * x":                  {50, 100},
		"max(0, 1.5 - x)":        {0.5, 0},
		"min(x, [5, 1])":         {1, 1},
		"x <= [1, 2] ? 1 : 2":    nil,
		"step":                   nil,
		"[1, 2, 3]":              nil,
		"max(x, [1, 2, 3])":      nil,
		"radius_seen":            nil,
		"as":                     nil,
		"max(0, -1) + min(2, 3)": {2, 2},
		"3":                      {3, 3},
	} {
		got, err := expr.Bound(expression, []float64{1, 2}, c, &trace.Set{})
		if (err != nil) != (want == nil) {
			t.Errorf("Bound(%s): error %v, want one: %v", expression, err, want == nil)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Bound(%s) differs (-want +got):\n%s", expression, diff)
		}
	}
	if got, err := expr.Bound("3", []float64{1, 2}, &trace.Curve{}, &trace.Set{}); err != nil ||
		!slices.Equal(got, []float64{3, 3}) {
		t.Errorf("Bound without labels and file = %v, %v, want 3 twice", got, err)
	}
}

// TestCourse checks that Course evaluates an expression for each row. If a column has no value in a row, Course must
// use its value in the last earlier row that has one.
func TestCourse(t *testing.T) {
	c := &trace.Curve{
		Labels:  map[string]any{"n": 10.0},
		Columns: map[string][]float64{"passes": {0, 1, 2}, "seconds": {0, 3, 8}, "late": {math.NaN(), 5, math.NaN()}},
	}
	for expression, want := range map[string][]float64{
		"final.seconds / n":          {0, 0.3, 0.8},
		"n":                          {10, 10, 10},
		"final.late":                 {math.NaN(), 5, 5},
		"final.seconds - final.late": {math.NaN(), -2, 3},
		"seconds":                    nil,
		"final.dual":                 nil,
	} {
		got, err := expr.Course(expression, c, &trace.Set{})
		if (err != nil) != (want == nil) {
			t.Errorf("Course(%s): error %v, want one: %v", expression, err, want == nil)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("Course(%s) differs (-want +got):\n%s", expression, diff)
		}
	}
}

// TestNames checks that Names returns the names in an expression, except functions.
func TestNames(t *testing.T) {
	got, err := expr.Names("max(0, ceil(loss_seen / C)) + final.passes * x")
	if want := []string{"C", "final", "loss_seen", "x"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Names = %v, %v, want %v", got, err, want)
	}
	if _, err := expr.Names("C +"); err == nil {
		t.Error("Names accepts an incomplete expression")
	}
}

// TestCheck checks that Check finds errors in expressions of each kind.
func TestCheck(t *testing.T) {
	for _, test := range []struct{ kind, expression, err string }{
		{"where", `C >= 10 && as == "eg"`, ""},
		{"where", `means(C) > 1`, "unknown function"},
		{"where", `C >=`, "the expression ends too early: something must follow (1:4)"},
		{"assert", `all(series, .gap < 1)`, ""},
		{"assert", `all(serie, .gap < 1)`, `unknown name "serie", did you mean "series"?; accepted: inf, series (1:5)`},
		{"assert", `at(series, "x") < 1`, "at has 2 arguments; accepted: at(c, column, x)"},
		{"assert", `fits([1], [2]) < 1`, `unknown function "fits"`},
		{"assert", "", "the expression is empty"},
		{"measure", `map(series, final(#, "gap"))`, ""},
		{"measure", `gap`, `unknown name "gap"`},
		{"axis", `100 * validation_error`, ""},
		{"axis", `100 *`, "ends too early"},
		{"bound", `max(0, ceil(log2(1 / x))) + 16 * R2 * C / x`, ""},
		{"bound", `max(1, 2, x)`, "max has 3 arguments; accepted: max(list) or max(a, b)"},
		{"bound", `cp-thm5`, ""},
		{"poem", `1`, "unknown kind of expression"},
	} {
		err := expr.Check(test.kind, test.expression)
		if (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("Check(%s, %q): error %v, want %q", test.kind, test.expression, err, test.err)
		}
	}
}

// FuzzAssert checks that no text makes the compiler or the evaluation panic.
func FuzzAssert(f *testing.F) {
	for _, doc := range expr.Reference() {
		f.Add(doc.Example)
	}
	f.Add(`let x = 1; x[0] > {a: 1}["b"] and not nil in [1][2:]`)
	c := evidence().Set.Curves[0]
	f.Fuzz(func(_ *testing.T, expression string) {
		if expr.Check("assert", expression) == nil {
			_ = judge(evidence(), expression)
		}
		_, _ = expr.Filter(expression, evidence().Set)
		_, _ = expr.Axis(expression, c, evidence().Set)
	})
}
