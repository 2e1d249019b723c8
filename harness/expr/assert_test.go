package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
)

const egs = `curves({as: "eg"})`

// TestAssertions checks whether each assertion holds, fails or is undecided. It also checks the text that reports the
// compared values, or why the assertion is undecided.
func TestAssertions(t *testing.T) {
	for _, test := range []struct {
		assert  string
		outcome string
		says    string
	}{
		{`all(` + egs + `, fit(log10(.gap_percent), .passes, within(.gap_percent, 0.01, 50)).r2 >= 0.95)`, holds,
			"r2 = 1 (as=eg, C=1000), 1 (as=eg, C=100), 1 (as=eg, C=10) >= 0.95"},
		{`decreasing(map([1000, 100, 10], abs(fit(log(.primal - 1), .passes, within(.passes, 1, 9)).slope)))`,
			undecided, "wrong: .primal: a number has no fields"},
		{`decreasing(map([1000, 100, 10], {let c = curve({as: "eg", C: #}); -fit(log(c.primal - 1), c.passes, ` +
			`within(c.passes, 1, 9)).slope}))`, holds,
			"decreasing(map(…)): [1.6, 0.8, 0.4]"},
		{`7 <= reach(curve({as: "eg", C: 100}), "gap_percent", 0.1) <= 16`, holds,
			`reach(curve({as: "eg", C: 100}), "gap_percent", 0.1) = 10 >= 7; reach(curve({as: "eg", C: 100}), "gap_percent", ` +
				`0.1) = 10 <= 16`},
		{`T(curve({as: "eg", C: 10}), 1) <= 0.7 * T(curve({as: "sgd", C: 10}), 1)`, holds,
			`T(curve({as: "eg", C: 10}), 1) <= 0.7 * T(curve({as: "sgd", C: 10}), 1): 12 <= never`},
		{`T(curve({as: "eg", C: 10}), 1) <= T(curve({as: "slow", C: 10}), 1)`, holds, "12 <= ≥ 20"},
		{`cross(curve({as: "eg", C: 10}), curve({as: "sgd", C: 10}), "primal") <= 10`, holds,
			`cross(…) = 1 <= 10`},
		{`share(map(1..30, at(curve({as: "eg", C: 10}), "primal", #) < at(curve({as: "sgd", C: 10}), "primal", #))) >= 0.9`,
			holds, "share(…) = 1 >= 0.9"},
		{`all(1..30, at(curve({as: "eg", C: 10}), "primal", #) < at(curve({as: "sgd", C: 10}), "primal", #) - 0.1)`,
			fails,
			`at(curve({as: "eg", C: 10}), "primal", #) < at(curve({as: "sgd", C: 10}), "primal", #) - 0.1: 23 of 30 hold, ` +
				`worst 1 < 0.9498 (at 30, fails)`},
		{`all(10..40, at(curve({as: "eg", C: 10}), "primal", #) < at(curve({as: "sgd", C: 10}), "primal", #))`,
			undecided, "the run as=sgd, C=10, eta0=0.01 ended at 30 passes: done (30 passes)"},
		{`at(curve({as: "eg", C: 1000}), "gap_percent", 100) <= 1`, holds,
			`at(curve({as: "eg", C: 1000}), "gap_percent", 100) = 0 <= 1`},
		{`all(` + egs + `, nondecreasing(.dual, 1e-9) and min(.primal - .dual) >= 0)`, holds,
			"nondecreasing(.dual): [0, 0.7981"},
		{`final(curve({as: "eg", C: [10, 11]}), "validation_error") in [0.07, 1]`, fails,
			"final(…) = 0.07 (fails) in [0.07, 1]"},
		{`final(curve({as: "eg"}), "primal") < 2`, undecided, "3 curves have as = eg, but exactly one is needed"},
		{`final(curve({as: "eg"}), "primal") < 2`, undecided, `; write a label that differs, such as curve({C: 1`},
		{`final("eg" "primal") < 2`, undecided, `"primal" is not expected here; is a comma missing before it? (1:12)`},
		{`[1 "primal"] < 2`, undecided, `"primal" is not expected here; is a comma missing before it? (1:4)`},
		{`[1] "primal" < 2`, undecided, `"primal" is not expected here (1:5)`},
		{`(1) "primal" < 2`, undecided, `"primal" is not expected here (1:5)`},
		{`(map([2, 3], x => x * x))[1] == 9`, holds, "9 == 9"},
		{`[map([2, 3], x => x * x)][0][0] == 4`, holds, "4 == 4"},
		{`final(curve({as: "eg", C: 5}), "primal") < 2`, undecided,
			"no curve has C = 5, as = eg; there are (as=eg, C=1000)"},
		{`final(curve({az: "eg"}), "primal") < 2`, undecided, "no curve has az = eg"},
		{`all(series, final(#, "primal") < 3)`, undecided,
			"the run as=lbfgs, C=10 has no result: failed (line search)"},
		{`all(` + egs + `, final(#, "primal") < 1 or .C == 10)`, fails,
			"final(#, \"primal\") = 1 (as=eg, C=1000, fails)"},
		{`not any(` + egs + `, .C == 5)`, holds,
			".C = 1000 (as=eg, C=1000), 100 (as=eg, C=100), 10 (as=eg, C=10) == 5"},
		{`all(curves({as: "sgd"}), .eta0 == (.C == 10 ? 0.01 : 0.1))`, holds,
			"0.01 == 0.01 (as=sgd, C=10, eta0=0.01)"},
		{`count(curves({as: "sgd", chosen: [true, false]}), .eta0 > 0) == 2`, holds, "= 2 == 2"},
		{`all(printed("tab.csv"), close(final(curve({as: "eg", C: .C}), "validation_error"), .error, 0.004))`,
			fails,
			"0.1 and 0.1 (C=1000), 0.08 and 0.09 (C=100, fails)"},
		{`all(printed("x.csv"), .C > 1)`, undecided, "wrong: printed: no file x.csv"},
		{`mean(window(curve({as: "eg", C: 10}), "validation_error", 20, 50)) <= min(map(curves({as: "sgd"}), ` +
			`mean(window(#, "validation_error", 20, 30)))) + 0.003`, holds, "0.07002 <= 0.1461"},
		{`mean(window(curve({as: "sgd", C: 10}), "validation_error", 20, 50)) <= 1`, undecided,
			"ended at 30 passes"},
		{`argmin(map(` + egs + `, .C), map(` + egs + `, final(#, "validation_error"))) == 10`, holds,
			"argmin(…) = 10 == 10"},
		{`let path = filter(` + egs + `, .C <= 1000); spearman(map(path, -.C), map(path, T(#, 1))) >= 0.95`,
			holds, "spearman(map(path, -.C), map(path, T(#, 1))) = 1 >= 0.95"},
		{`slope(map(` + egs + `, T(#, 1)), map(` + egs + `, 1 / .C)) <= 1`, holds, "slope(…) = 0.301 <= 1"},
		{`powerfit([2, 4, 8.5], [1, 2, 4]).high <= 1.5`, holds, "high = 1.365 <= 1.5"},
		{`powerfit([2, 4, 8.5, -1], [1, 2, 4, 8], [true, true, true, false]).n == 3`, holds, "n = 3 == 3"},
		{`powerfit([3, 12], [1, 2]).high <= 3`, fails, "high = never (fails) <= 3"},
		{`powerfit([3, 0], [1, 2]).slope <= 3`, undecided, "element 1 is 0, but a power law needs positive numbers"},
		{`powerfit([3, 4], [2, 2]).slope <= 3`, undecided, "a line needs two different x"},
		{`powerfit([3], [2, 2]).slope <= 3`, undecided, "wrong: powerfit: the lists have 1 and 2 elements"},
		{`len(completed(` + egs + `, 3)) == 3`, holds, "= 3 == 3"},
		{`all(completed(curves({as: ["eg", "slow"]}), 2), .as == "eg")`, holds,
			`.as = eg (as=eg, C=1000), eg (as=eg, C=100), eg (as=eg, C=10) == "eg"`},
		{`all(completed(curves({as: ["eg", "slow"]}), 4), .C > 1)`, undecided,
			"3 of 4 runs are complete, but 4 are needed; the others failed or were stopped by their budget"},
		{`len(completed(curves({as: "slow"}), 0)) == 0`, holds, "= 0 == 0"},
		{`len(completed(series, 1)) > 1`, undecided, "the run as=lbfgs, C=10 has no result"},
		{`len(completed([1, 2], 1)) > 1`, undecided, "wrong: completed: element 0 of a list of curves is a number"},
		{`len(completed(` + egs + `, "all")) > 1`, undecided,
			"wrong: completed: got a text; accepted: a number"},
		{`slope(map(series, T(#, 1)), [1]) <= 1`, undecided, "the run as=lbfgs"},
		{`fit([1, 2], [1, 2], [true, false]).r2 > 0`, undecided, "a line needs two points, but there is only 1"},
		{`all(filter(series, .C == 5), .C > 1)`, undecided, "the run as=lbfgs"},
		{`all(filter(` + egs + `, .C == 5), .C > 1)`, undecided, "the list is empty"},
		{`len(experiment("eg/other")) > 0`, undecided, "the claim needs the results of eg/other"},
		{`curve({as: "eg", C: 10}).nosuch > 1`, undecided, `no column "nosuch"; its labels are as, C, lambda, ` +
			`seed, scale, status, chosen, eta0, and its columns are passes, primal, dual, opt`},
		{`.primal > 1`, undecided, `"." is not expected here (1:1)`},
		{`meen([1]) > 1`, undecided, `unknown function "meen", did you mean "mean"?; accepted: T, abs, all,`},
		{`sortBy(series, .C) == 1`, undecided, `unknown function "sortBy"`},
		{`fit([1]) > 1`, undecided, `fit has 1 argument; accepted: fit(y, x, mask?)`},
		{`foo > 1`, undecided, `unknown name "foo"; accepted: inf, series (1:1)`},
		{`series.primal() > 1`, undecided, "there are no methods"},
		{`let one = 3; let upper = one; upper == 3`, holds, "upper = 3 == 3"},
		{`final(curve({as: "eg", C: 10}), "gap")`, undecided, `an assertion is true or false, ` +
			`not a number; write a comparison: final(curve({as: "eg", C: 10}), "gap") < 0.01`},
		{`let a = 1; T("eg", a)`, undecided, `write a comparison: T("eg", a) < 0.01 (1:12)`},
		{`1 + 1`, undecided, "an assertion is true or false, not a number; accepted: a comparison (1:3)"},
		{`let all = 3; all == 3`, undecided, `"all" is the name of a function; choose another name, such as all1`},
		{`let max = 3; max == 3`, undecided, `"max" is the name of a function; choose another name, such as max1`},
		{`one([1], # == 1)`, undecided, `unknown function "one"`},
		{`now() > 1`, undecided, `unknown function "now"`},
		{`all(` + egs + `, .primal > 1)`, undecided, "cannot compare a list > a number; accepted: two numbers"},
		{`final(1, "primal") > 1`, undecided, "final: the first argument is a number; accepted: a curve"},
		{`final(curve({as: "eg", C: 10}), 3) > 1`, undecided, "accepted: its name in quotes"},
		{`[1, 2] + [1] == 1`, undecided, "+ needs lists of equal length; got 2 and 1 elements"},
		{`mean([1, "a"]) == 1`, undecided, "element 1 of a list of numbers: got a text; accepted: a number"},
		{`"a" + 1 == 1`, undecided, "left operand of +: got a text"},
		{`1 + 1`, undecided, "an assertion is true or false, not a number; accepted: a comparison"},
		{`log(-1) > 0`, undecided, "a value is missing or undefined"},
	} {
		t.Run(test.assert, func(t *testing.T) {
			if got := judge(evidence(), test.assert); got.outcome != test.outcome || !strings.Contains(got.says, test.says) ||
				strings.Contains(got.says, "%!") {
				t.Errorf("outcome = %s: %s\nwant %s: %s", got.outcome, got.says, test.outcome, test.says)
			}
		})
	}
}

// TestTextsHaveNoOrder checks that an expression that compares a text in quotes by its order is refused wherever the
// comparison stands, and that == and != accept texts.
func TestTextsHaveNoOrder(t *testing.T) {
	places := []string{"%s", "not (%s)", "1 < 2 and %s", "%s or 2 < 1", "all(series, %s)", "any([1, 2], # > 0 and %s)",
		"count(series, %s) >= 0", "share(map([1, 2], %s)) >= 0", "2 > 1 ? %s : 1 < 2", "2 > 1 ? 1 < 2 : %s",
		"let a = 1; a > 0 and %s", "len(filter(series, %s)) >= 0"}
	for _, op := range []string{"<", "<=", ">", ">=", "==", "!="} {
		for _, sides := range []string{`7 %s "7"`, `"7" %s 7`, `"a" %s "b"`} {
			for _, place := range places {
				assert := fmt.Sprintf(place, fmt.Sprintf(sides, op))
				_, err := expr.NewEvaluation(evidence()).Assert(assert)
				refused := err != nil && strings.Contains(err.Error(), " is a text, which has no order; accepted: a number")
				if want := strings.ContainsAny(op, "<>"); refused != want {
					t.Errorf("%s: refused %v, want %v; the error is %v", assert, refused, want, err)
				}
			}
		}
	}
}
