package expr_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// slow selects the run of evidence that its budget ended after 20 passes.
const slow = `curve({as: "slow", C: 10})`

// TestLimitedRunsAreBounds checks that the passes of a run which its budget ended are a lower bound: arithmetic keeps
// the bound, and a comparison holds or fails only if the bound decides it.
func TestLimitedRunsAreBounds(t *testing.T) {
	limit := "the run as=slow, C=10 ended at its limit: budget (60 s)"
	passes := `final(` + slow + `, "passes")`
	for assert, want := range map[string]judged{
		passes + ` >= 20`: {outcome: holds, says: "= ≥ 20 >= 20"},
		passes + ` > 20`: {outcome: undecided,
			says: limit + "; this does not decide ≥ 20 > 20"},
		passes + ` < 20`:                        {outcome: fails},
		passes + ` <= 100`:                      {outcome: undecided, says: limit},
		passes + ` == 19`:                       {outcome: fails},
		passes + ` == 21`:                       {outcome: undecided, says: limit},
		passes + ` != 19`:                       {outcome: holds},
		passes + ` in [19, 21]`:                 {outcome: undecided, says: limit},
		passes + ` in [18, 19]`:                 {outcome: fails},
		`2 * ` + passes + ` + 1 >= 41`:          {outcome: holds, says: "= ≥ 41 >= 41"},
		`1 - ` + passes + ` <= -19`:             {outcome: holds, says: "= ≤ -19 <= -19"},
		`1 / ` + passes + ` <= 0.05`:            {outcome: holds, says: "= ≤ 0.05 <= 0.05"},
		`1 / ` + passes + ` > 0.01`:             {outcome: undecided, says: limit},
		passes + ` / (` + passes + ` - 30) > 1`: {outcome: undecided, says: limit},
		passes + ` ^ 2 >= 400`:                  {outcome: holds},
		`sqrt(` + passes + `) >= 4`:             {outcome: holds},
		`abs(10 - ` + passes + `) >= 10`:        {outcome: holds},
		`min([30, ` + passes + `]) >= 20`:       {outcome: holds, says: "20 to 30 >= 20"},
		`max([30, ` + passes + `]) >= 30`:       {outcome: holds},
		`max(15, ` + passes + `) >= 20`:         {outcome: holds},
		`mean([10, ` + passes + `]) >= 15`:      {outcome: holds},
		`sum([10, ` + passes + `]) <= 31`:       {outcome: undecided, says: limit},
		`within(` + passes + `, 5, 19)`:         {outcome: fails},
		`within(` + passes + `, 5, 30)`:         {outcome: undecided, says: limit},
		`within(` + passes + `, 5, inf)`:        {outcome: holds},
		`increasing([10, ` + passes + `])`:      {outcome: holds},
		`increasing([20, ` + passes + `])`: {outcome: undecided,
			says: "does not decide the order of 20 and ≥ 20"},
		`increasing([` + passes + `, 15])`:                   {outcome: fails},
		`decreasing([` + passes + `, 15])`:                   {outcome: holds},
		`decreasing([` + passes + `, 15, 16])`:               {outcome: fails},
		`close(` + passes + `, 10, 5)`:                       {outcome: fails},
		`close(` + passes + `, 22, 5)`:                       {outcome: undecided, says: limit},
		`reach(` + slow + `, "primal", 1) > 19`:              {outcome: holds, says: "= ≥ 20 > 19"},
		`reach(` + slow + `, "primal", 1) == inf`:            {outcome: undecided, says: limit},
		`reach(` + slow + `, "primal", 1.9) == 11`:           {outcome: holds},
		`final(` + slow + `, "primal") < 5`:                  {outcome: undecided, says: "ended early: budget (60 s)"},
		`fit([1, 2], [1, ` + passes + `]).slope > 0`:         {outcome: undecided, says: limit},
		`argmin(["a", "b"], [1, ` + passes + `]) == "a"`:     {outcome: undecided, says: limit},
		`len(filter([1, 2], # < ` + passes + ` - 100)) == 0`: {outcome: undecided, says: limit},
		`std([1, ` + passes + `]) > 1`:                       {outcome: undecided, says: limit},
		`exponent([2, 4.1, 8, 15.9], [1, 2, 4, 8]) >= 0.9`:   {outcome: holds},
		`exponent([2, 4.1, 8, 15.9], [1, 2, 4, 8]) >= 1.1`:   {outcome: fails},
		`exponent([2, 4.1, 8, 15.9], [1, 2, 4, 8]) >= 1`: {outcome: undecided,
			says: "the power fitted to 4 points is 0.9937, with the 95 % interval 0.9512 to 1.036; this does not decide"},
		`exponent([2, 4.1], [1, 2]) >= -5`: {outcome: undecided,
			says: "the power fitted to 2 points is 1.036, with the 95 % interval any number; this does not decide any number " +
				">= -5"},
		`at(` + slow + `, "primal", ` + passes + `) > 0`: {outcome: undecided, says: limit},
	} {
		t.Run(assert, func(t *testing.T) {
			got := judge(evidence(), assert)
			if got.outcome != want.outcome || !strings.Contains(got.says, want.says) {
				t.Errorf("outcome = %s: %s\nwant %s: %s", got.outcome, got.says, want.outcome, want.says)
			}
		})
	}
}

// TestOtherComparisonsDecide checks that an undecided comparison leaves an assertion undecided only if the assertion
// depends on it.
func TestOtherComparisonsDecide(t *testing.T) {
	for assert, want := range map[string]string{
		`all([19, 20, 100], final(` + slow + `, "passes") >= #)`:                undecided,
		`all([19, 20, 100], final(` + slow + `, "passes") >= # and # != 19)`:    fails,
		`any([19, 20, 100], final(` + slow + `, "passes") >= #)`:                holds,
		`any([100, 200], final(` + slow + `, "passes") >= #)`:                   undecided,
		`none([100, 19], final(` + slow + `, "passes") >= #)`:                   fails,
		`none([100, 200], final(` + slow + `, "passes") >= #)`:                  undecided,
		`not (final(` + slow + `, "passes") >= 100)`:                            undecided,
		`not (final(` + slow + `, "passes") >= 100) and 1 == 2`:                 fails,
		`not (final(` + slow + `, "passes") >= 100) or 1 == 1`:                  holds,
		`final(` + slow + `, "passes") >= 100 or final("slow", "passes") > 200`: undecided,
	} {
		t.Run(assert, func(t *testing.T) {
			if got := judge(evidence(), assert); got.outcome != want {
				t.Errorf("outcome = %s: %s\nwant %s", got.outcome, got.says, want)
			}
		})
	}
	got := judge(evidence(), `all([19, 100], final(`+slow+`, "passes") >= # and # > 20)`)
	want := "≥ 20 >= 19 (at 19), ≥ 20 >= 100 (at 100, undecided)"
	if got.outcome != fails || !strings.Contains(got.says, want) {
		t.Errorf("the failed assertion reports %q; want %q in it", got.says, want)
	}
}

// TestBoundsContainEveryEnd checks arithmetic on bounds against the values of the same expressions for runs that went
// on: each lies within the bounds.
func TestBoundsContainEveryEnd(t *testing.T) {
	ends := []float64{20, 21, 33, 1e3, 1e9}
	limited := func(status trace.Status, passes float64) expr.Evidence {
		f := decay("slow", 10, 0.01, 0.1, 20, trace.End{Status: status, Why: "60 s"})
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": passes, "primal": 1}})
		return expr.Evidence{Set: trace.NewSet([]*trace.File{f})}
	}
	for _, form := range []string{"x + 3", "3 - x", "x * 2", "x * -2", "x / 7", "7 / x", "-7 / x", "x ^ 2", "x ^ -1",
		"2 ^ x", "abs(25 - x)", "abs(x - 5)", "log(x)", "ceil(x / 3)", "min(x, 30)", "max(x, 30)", "mean([x, 1, 2])",
		"x / (x + 1)", "x - x", "x * x", "(x - 25) * (x - 30)", "1 / (x - 30)", "sum([x, -x])", "max([x, 10 - x])",
		"sqrt(x) - log2(x)"} {
		source := strings.ReplaceAll(form, "x", `final("slow", "passes")`)
		source = strings.ReplaceAll(source, "ma"+`final("slow", "passes")`, "max")
		values, err := expr.NewEvaluation(limited(trace.Budget, 20)).Values(source)
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		b, ok := values[0].(expr.Bounded)
		if !ok {
			t.Errorf("%s = %v; want bounds", form, values[0])
			continue
		}
		for _, end := range ends {
			exact, err := expr.NewEvaluation(limited(trace.Done, end)).Values(source)
			if err != nil {
				t.Fatal(err)
			}
			if x := exact[0].(float64); !math.IsNaN(x) && !(b.Low <= x && x <= b.High) {
				t.Errorf("%s = %g for x = %g, outside of the bounds %v", form, x, end, b)
			}
		}
	}
}

// TestValuesKeepBounds checks that values for a page and for a table say which bound is known.
func TestValuesKeepBounds(t *testing.T) {
	values, err := expr.NewEvaluation(evidence()).Values(`[1, final("slow", "passes"), 100 / final("slow", "passes")]`)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(values...); got != "1 ≥ 20 ≤ 5" {
		t.Errorf("the values are %s; want 1 ≥ 20 ≤ 5", got)
	}
	set := evidence().Set
	for expression, want := range map[string]string{"final.passes / 2": "≥ 10", "10 / final.passes": "≤ 0.5", "C": "10",
		"final.primal": "any number", "final.passes / final.primal": "any number"} {
		for _, c := range set.Curves {
			if c.Labels["as"] != "slow" {
				continue
			}
			b, exact, err := expr.AtLimit(expression, c, set)
			text := b.String()
			if exact {
				text = fmt.Sprint(b.Low)
			}
			if err != nil || text != want {
				t.Errorf("AtLimit(%s) = %s, %v; want %s", expression, text, err, want)
			}
		}
	}
}
