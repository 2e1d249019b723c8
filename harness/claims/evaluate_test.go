package claims_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// decay is a run whose primal and dual approach 1 at a rate, and whose error approaches a value; one record a pass.
func decay(as string, c, rate, errorRate float64, passes int, end trace.End) *trace.File {
	f := &trace.File{End: &end}
	f.Manifest = trace.Manifest{
		Format: trace.Format, Experiment: "eg/test", Scale: "quick", N: 100,
		Labels: map[string]any{"as": as, "C": c, "lambda": c / 100, "seed": 1.0},
	}
	for t := range passes + 1 {
		x := float64(t)
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{
			"passes": x, "primal": 1 + math.Exp(-rate*x), "dual": 1 - math.Exp(-rate*x),
			"validation_error": errorRate + 0.5*math.Exp(-rate*x),
		}})
	}
	return f
}

func converged() trace.End { return trace.End{Status: trace.Done, Rule: "gap", Why: "gap 1e-6"} }

func evidence() claims.Context {
	out := trace.End{Status: trace.Done, Rule: "passes", Why: "30 passes"}
	loser := decay("sgd", 10, 0.05, 0.3, 1, out)
	loser.End.Labels = map[string]any{"chosen": false}
	winner := decay("sgd", 10, 0.1, 0.1, 30, out)
	winner.End.Labels = map[string]any{"chosen": true}
	winner.Manifest.Labels["eta0"], loser.Manifest.Labels["eta0"] = 0.01, 0.1
	for _, f := range []*trace.File{winner, loser} { // SGD has no dual
		for _, r := range f.Rows {
			delete(r.Values, "dual")
		}
	}
	failed := decay("lbfgs", 10, 0.2, 0.1, 0, trace.End{Status: trace.Failed, Why: "line search"})
	failed.Rows = nil
	return claims.Context{
		Experiment: "eg/test",
		Scale:      "quick",
		Set: trace.NewSet([]*trace.File{
			decay("eg", 1000, 1.6, 0.10, 40, converged()),
			decay("eg", 100, 0.8, 0.08, 40, converged()),
			decay("eg", 10, 0.4, 0.07, 60, converged()),
			winner, loser,
			decay("slow", 10, 0.01, 0.1, 20, trace.End{Status: trace.Budget, Why: "60 s"}),
			failed,
		}),
		Printed: func(name string) ([]byte, error) {
			if name != "tab.csv" {
				return nil, fmt.Errorf("no file %s", name)
			}
			return []byte("C,error\n1000,0.1\n100,0.09\n"), nil
		},
	}
}

const egs = `curves({as: "eg"})`

// Goldens: an expression, its verdict, what was measured (or why it is not testable).
func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		assert  string
		verdict claims.Outcome
		says    string
	}{
		{`all(` + egs + `, fit(log10(.gap_percent), .passes, within(.gap_percent, 0.01, 50)).r2 >= 0.95)`, claims.Reproduced,
			"r2 = 1 (as=eg, C=1000), 1 (as=eg, C=100), 1 (as=eg, C=10) >= 0.95"},
		{`decreasing(map([1000, 100, 10], abs(fit(log(.primal - 1), .passes, within(.passes, 1, 9)).slope)))`,
			claims.NotTestable, "wrong: .primal: a number has no fields"},
		{`decreasing(map([1000, 100, 10], {let c = curve({as: "eg", C: #}); -fit(log(c.primal - 1), c.passes, ` +
			`within(c.passes, 1, 9)).slope}))`, claims.Reproduced,
			"decreasing(map(…)): [1.6, 0.8, 0.4]"},
		{`7 <= reach(curve({as: "eg", C: 100}), "gap_percent", 0.1) <= 16`, claims.Reproduced,
			`reach(curve({as: "eg", C: 100}), "gap_percent", 0.1) = 10 >= 7; reach(curve({as: "eg", C: 100}), "gap_percent", ` +
				`0.1) = 10 <= 16`},
		{`T(curve({as: "eg", C: 10}), 1) <= 0.7 * T(curve({as: "sgd", C: 10}), 1)`, claims.Reproduced,
			`T(curve({as: "eg", C: 10}), 1) <= 0.7 * T(curve({as: "sgd", C: 10}), 1): 12 <= never`},
		{`T(curve({as: "eg", C: 10}), 1) <= T(curve({as: "slow", C: 10}), 1)`, claims.NotTestable,
			"the run as=slow, C=10 ended early: budget (60 s)"},
		{`cross(curve({as: "eg", C: 10}), curve({as: "sgd", C: 10}), "primal") <= 10`, claims.Reproduced,
			`cross(…) = 1 <= 10`},
		{`share(map(1..30, at(curve({as: "eg", C: 10}), "primal", #) < at(curve({as: "sgd", C: 10}), "primal", #))) >= 0.9`,
			claims.Reproduced, "share(…) = 1 >= 0.9"},
		{`all(1..30, at(curve({as: "eg", C: 10}), "primal", #) < at(curve({as: "sgd", C: 10}), "primal", #) - 0.1)`,
			claims.NotReproduced,
			`at(curve({as: "eg", C: 10}), "primal", #) < at(curve({as: "sgd", C: 10}), "primal", #) - 0.1: 23 of 30 hold, ` +
				`worst 1 < 0.9498 (at 30, fails)`},
		{`all(10..40, at(curve({as: "eg", C: 10}), "primal", #) < at(curve({as: "sgd", C: 10}), "primal", #))`,
			claims.NotTestable, "the run as=sgd, C=10, eta0=0.01 ended at 30 passes: done (30 passes)"},
		{`at(curve({as: "eg", C: 1000}), "gap_percent", 100) <= 1`, claims.Reproduced,
			`at(curve({as: "eg", C: 1000}), "gap_percent", 100) = 0 <= 1`},
		{`all(` + egs + `, nondecreasing(.dual, 1e-9) and min(.primal - .dual) >= 0)`, claims.Reproduced,
			"nondecreasing(.dual): [0, 0.7981"},
		{`final(curve({as: "eg", C: [10, 11]}), "validation_error") in [0.07, 1]`, claims.NotReproduced,
			"final(…) = 0.07 (fails) in [0.07, 1]"},
		{`final(curve({as: "eg"}), "primal") < 2`, claims.NotTestable, "3 curves have as = eg, one is needed"},
		{`final(curve({as: "eg", C: 5}), "primal") < 2`, claims.NotTestable,
			"no curve has C = 5, as = eg; there are (as=eg, C=1000)"},
		{`final(curve({az: "eg"}), "primal") < 2`, claims.NotTestable, "no curve has az = eg"},
		{`all(series, final(#, "primal") < 3)`, claims.NotTestable,
			"the run as=lbfgs, C=10 has no result: failed (line search)"},
		{`all(` + egs + `, final(#, "primal") < 1 or .C == 10)`, claims.NotReproduced,
			"final(#, \"primal\") = 1 (as=eg, C=1000, fails)"},
		{`not any(` + egs + `, .C == 5)`, claims.Reproduced,
			".C = 1000 (as=eg, C=1000), 100 (as=eg, C=100), 10 (as=eg, C=10) == 5"},
		{`all(curves({as: "sgd"}), .eta0 == (.C == 10 ? 0.01 : 0.1))`, claims.Reproduced,
			"0.01 == 0.01 (as=sgd, C=10, eta0=0.01)"},
		{`count(curves({as: "sgd", chosen: [true, false]}), .eta0 > 0) == 2`, claims.Reproduced, "= 2 == 2"},
		{`all(printed("tab.csv"), close(final(curve({as: "eg", C: .C}), "validation_error"), .error, 0.004))`,
			claims.NotReproduced,
			"0.1 and 0.1 (C=1000), 0.08 and 0.09 (C=100, fails)"},
		{`all(printed("x.csv"), .C > 1)`, claims.NotTestable, "wrong: printed: no file x.csv"},
		{`mean(window(curve({as: "eg", C: 10}), "validation_error", 20, 50)) <= min(map(curves({as: "sgd"}), ` +
			`mean(window(#, "validation_error", 20, 30)))) + 0.003`, claims.Reproduced, "0.07002 <= 0.1461"},
		{`mean(window(curve({as: "sgd", C: 10}), "validation_error", 20, 50)) <= 1`, claims.NotTestable,
			"ended at 30 passes"},
		{`argmin(map(` + egs + `, .C), map(` + egs + `, final(#, "validation_error"))) == 10`, claims.Reproduced,
			"argmin(…) = 10 == 10"},
		{`let path = filter(` + egs + `, .C <= 1000); spearman(map(path, -.C), map(path, T(#, 1))) >= 0.95`,
			claims.Reproduced, "spearman(map(path, -.C), map(path, T(#, 1))) = 1 >= 0.95"},
		{`slope(map(` + egs + `, T(#, 1)), map(` + egs + `, 1 / .C)) <= 1`, claims.Reproduced, "slope(…) = 0.301 <= 1"},
		{`powerfit([2, 4, 8.5], [1, 2, 4]).high <= 1.5`, claims.Reproduced, "high = 1.365 <= 1.5"},
		{`powerfit([2, 4, 8.5, -1], [1, 2, 4, 8], [true, true, true, false]).n == 3`, claims.Reproduced, "n = 3 == 3"},
		{`powerfit([3, 12], [1, 2]).high <= 3`, claims.NotReproduced, "high = never (fails) <= 3"},
		{`powerfit([3, 0], [1, 2]).slope <= 3`, claims.NotTestable, "element 1 is 0: a power law needs positive numbers"},
		{`powerfit([3, 4], [2, 2]).slope <= 3`, claims.NotTestable, "a line needs two different x"},
		{`powerfit([3], [2, 2]).slope <= 3`, claims.NotTestable, "wrong: powerfit: lists of 1 and 2 elements"},
		{`len(completed(` + egs + `, 3)) == 3`, claims.Reproduced, "= 3 == 3"},
		{`all(completed(curves({as: ["eg", "slow"]}), 2), .as == "eg")`, claims.Reproduced,
			`.as = eg (as=eg, C=1000), eg (as=eg, C=100), eg (as=eg, C=10) == "eg"`},
		{`all(completed(curves({as: ["eg", "slow"]}), 4), .C > 1)`, claims.NotTestable,
			"3 of 4 runs are complete, the others were stopped by their budget or failed; 4 are needed"},
		{`len(completed(curves({as: "slow"}), 0)) == 0`, claims.Reproduced, "= 0 == 0"},
		{`len(completed(series, 1)) > 1`, claims.NotTestable, "the run as=lbfgs, C=10 has no result"},
		{`len(completed([1, 2], 1)) > 1`, claims.NotTestable, "wrong: completed: element 0 of a list of curves is a number"},
		{`len(completed(` + egs + `, "all")) > 1`, claims.NotTestable,
			"wrong: completed: a text stands where a number belongs"},
		{`slope(map(series, T(#, 1)), [1]) <= 1`, claims.NotTestable, "the run as=lbfgs"},
		{`fit([1, 2], [1, 2], [true, false]).r2 > 0`, claims.NotTestable, "a line needs two points, there are 1"},
		{`all(filter(series, .C == 5), .C > 1)`, claims.NotTestable, "the run as=lbfgs"},
		{`all(filter(` + egs + `, .C == 5), .C > 1)`, claims.NotTestable, "the list is empty"},
		{`len(experiment("eg/other")) > 0`, claims.NotTestable, "it needs the results of eg/other"},
		{`curve({as: "eg", C: 10}).nosuch > 1`, claims.NotTestable, `no column "nosuch"; its labels are [as C lambda seed ` +
			`scale status chosen eta0], its columns [passes primal dual opt`},
		{`.primal > 1`, claims.NotTestable, "unexpected token Operator(\".\") (1:1)"},
		{`median([1]) > 1`, claims.NotTestable, `unknown function "median"; there are T, abs, all,`},
		{`sortBy(series, .C) == 1`, claims.NotTestable, `unknown function "sortBy"`},
		{`fit([1]) > 1`, claims.NotTestable, `fit has 1 arguments; write fit(y, x, mask?)`},
		{`foo > 1`, claims.NotTestable, `unknown name "foo"; there are inf, series (1:1)`},
		{`series.primal() > 1`, claims.NotTestable, "there are no methods"},
		{`let one = 3; let upper = one; upper == 3`, claims.Reproduced, "upper = 3 == 3"},
		{`let max = 3; max == 3`, claims.NotTestable, "cannot redeclare function max"},
		{`one([1], # == 1)`, claims.NotTestable, `unknown function "one"`},
		{`now() > 1`, claims.NotTestable, `unknown function "now"`},
		{`all(` + egs + `, .primal > 1)`, claims.NotTestable, "a list > a number: no such comparison"},
		{`final(1, "primal") > 1`, claims.NotTestable, "final: the first argument is a number; a curve belongs there"},
		{`final(curve({as: "eg", C: 10}), 3) > 1`, claims.NotTestable, "write its name in quotes"},
		{`[1, 2] + [1] == 1`, claims.NotTestable, "+ between lists of 2 and 1 elements"},
		{`mean([1, "a"]) == 1`, claims.NotTestable, "element 1 of a list of numbers: a text stands where a number belongs"},
		{`"a" + 1 == 1`, claims.NotTestable, "left of +: a text"},
		{`1 + 1`, claims.NotTestable, "an assertion is true or false, this one is a number"},
		{`log(-1) > 0`, claims.NotTestable, "a value that no row has is compared"},
	} {
		t.Run(test.assert, func(t *testing.T) {
			verdicts, err := claims.Evaluate(evidence(), []lang.Claim{{ID: "c1", Assert: test.assert}})
			v := verdicts[0]
			text := v.Measured + v.Why
			if v.Verdict != test.verdict || !strings.Contains(text, test.says) {
				t.Errorf("%s: %s\nwant %s: %s", v.Verdict, text, test.verdict, test.says)
			}
			if wrong := strings.HasPrefix(v.Why, "the expression is wrong"); wrong != (err != nil) {
				t.Errorf("why %q, error %v", v.Why, err)
			}
			if err != nil && !strings.Contains(err.Error(), "claim eg/test/c1") {
				t.Errorf("the error does not name the claim: %v", err)
			}
		})
	}
}

func TestWarningsOfEvidence(t *testing.T) {
	v := one(t, evidence(), lang.Claim{Assert: `T(curve({as: "sgd", C: 10}), 1) > 5`})
	if len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "did not fall to 1 within 30 passes") {
		t.Errorf("warnings %q", v.Warnings)
	}
	doubtful := evidence()
	doubtful.Set = trace.NewSet([]*trace.File{decay("eg", 10, 0.4, 0.07, 5, converged())})
	v = one(t, doubtful, lang.Claim{Assert: `final(curve({C: 10}), "gap_percent") < 100`})
	if len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "the optimum is only known to lie in") {
		t.Errorf("warnings %q", v.Warnings)
	}
}

func one(t *testing.T, ctx claims.Context, claim lang.Claim) claims.Verdict {
	t.Helper()
	verdicts, err := claims.Evaluate(ctx, []lang.Claim{claim})
	if err != nil {
		t.Fatal(err)
	}
	return verdicts[0]
}

func TestUndecidable(t *testing.T) {
	holds := `final(curve({as: "eg", C: 10}), "primal") < 2`
	synthetic := evidence()
	synthetic.Synthetic = true
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
			"scale quick cannot decide it, scale paper can: the effect grows with n"},
		{"theorem", synthetic, lang.Claim{Assert: holds, Kind: "M", Data: "R", Scales: []string{"paper"}}, claims.Reproduced,
			""},
		{"stand-in for the paper's data", synthetic, lang.Claim{Assert: holds, Data: "R"}, claims.NotTestable,
			"stand-in data"},
		{"stand-in serves", synthetic, lang.Claim{Assert: holds, Data: "S"}, claims.Reproduced, ""},
		{"no results", empty, lang.Claim{Assert: holds}, claims.NotTestable, "there are no results"},
		{"test only", evidence(), lang.Claim{Kind: "M", Tested: "TestTheta"}, claims.NotTestable,
			"the test TestTheta checks it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if v := one(t, test.ctx, test.claim); v.Verdict != test.want || !strings.Contains(v.Why, test.why) {
				t.Errorf("%s: %s", v.Verdict, v.Why)
			}
		})
	}
}

// Rows that break weak duality reproduce nothing.
func TestBrokenDuality(t *testing.T) {
	ctx := evidence()
	ctx.Set.Err = errors.New("a primal lies below a dual")
	if v := one(t, ctx, lang.Claim{Assert: "1 < 2"}); v.Verdict != claims.NotReproduced ||
		!strings.Contains(v.Why, "below a dual") {
		t.Errorf("%s: %s", v.Verdict, v.Why)
	}
}

// What a run that did not come to its end can still tell.
func TestPartialRuns(t *testing.T) {
	for _, test := range []struct {
		end     *trace.End
		assert  string
		verdict claims.Outcome
		says    string
	}{
		{nil, `at(curve({C: 1}), "primal", 9) < 2`, claims.Reproduced, "= 1."},
		{nil, `at(curve({C: 1}), "primal", 11) < 2`, claims.NotTestable, "ended at 10 passes: interrupted"},
		{nil, `final(curve({C: 1}), "primal") < 2`, claims.NotTestable, "ended early: interrupted"},
		{nil, `all(series, nondecreasing(.dual))`, claims.NotTestable, "was interrupted"},
		{&trace.End{Status: trace.Diverged, Why: "primal +Inf"}, `final(curve({C: 1}), "primal") < 2`, claims.NotTestable,
			"diverged (primal +Inf)"},
		{&trace.End{Status: trace.Budget, Why: "60 s"}, `all(series, nondecreasing(.dual))`, claims.Reproduced, ""},
		{&trace.End{Status: trace.Unsupported, Why: "hinge"}, `final(curve({C: 1}), "primal") < 2`, claims.NotTestable,
			"left out: unsupported (hinge)"},
	} {
		f := decay("eg", 1, 0.4, 0.1, 10, trace.End{})
		f.End = test.end
		v := one(t, claims.Context{Set: trace.NewSet([]*trace.File{f})}, lang.Claim{Assert: test.assert})
		if v.Verdict != test.verdict || !strings.Contains(v.Measured+v.Why, test.says) {
			t.Errorf("%+v, %s: %s: %s", test.end, test.assert, v.Verdict, v.Measured+v.Why)
		}
	}
}

func TestMeasure(t *testing.T) {
	claim := lang.Claim{Assert: `len(` + egs + `) == 3`, Measure: `fit([1, 3, 5.5], [0, 1, 2])`}
	want := "slope 2.25, intercept 0.9167, r2 0.9959, n 3, low 0.416, high 4.084"
	if v := one(t, evidence(), claim); v.Measured != want {
		t.Errorf("measured %q, want %q", v.Measured, want)
	}
}

func TestOtherExperiment(t *testing.T) {
	ctx := evidence()
	ctx.Other = func(id string) (*trace.Set, error) {
		if id != "eg/other" {
			return nil, errors.New("not run yet")
		}
		return trace.NewSet([]*trace.File{decay("cold", 10, 0.1, 0.1, 50, converged())}), nil
	}
	if v := one(t, ctx, lang.Claim{
		Assert: `final(curve({as: "cold"}, experiment("eg/other")), "passes") == 50`}); v.Verdict != claims.Reproduced {
		t.Errorf("%s: %s", v.Verdict, v.Why)
	}
	if v := one(t, ctx, lang.Claim{Assert: `len(experiment("eg/none")) == 1`}); v.Verdict != claims.NotTestable ||
		!strings.Contains(v.Why, "eg/none: not run yet") {
		t.Errorf("%s: %s", v.Verdict, v.Why)
	}
}

// Every documented example compiles, and no function is documented twice.
func TestReferenceExamples(t *testing.T) {
	seen := map[string]bool{}
	for _, doc := range claims.Reference() {
		if seen[doc.Name] || doc.Says == "" || !strings.HasPrefix(doc.Signature, doc.Name+"(") ||
			!strings.Contains(doc.Example, doc.Name+"(") {
			t.Errorf("%+v", doc)
		}
		seen[doc.Name] = true
		if err := claims.CheckExpr("assert", doc.Example); err != nil {
			t.Errorf("%s: %v", doc.Name, err)
		}
		if !strings.Contains(doc.Example, "curve") && !strings.Contains(doc.Example, "series") &&
			!strings.Contains(doc.Example, `("`) {
			if v := one(t, evidence(), lang.Claim{Assert: doc.Example}); v.Verdict != claims.Reproduced {
				t.Errorf("%s: %s %s", doc.Example, v.Verdict, v.Why)
			}
		}
	}
}

// The expressions of the package comment compile.
func TestPackageComment(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	_, language, _ := strings.Cut(string(text), "# The language")
	for line := range strings.Lines(language) {
		if expression, ok := strings.CutPrefix(line, "//\t"); ok {
			tested++
			if err := claims.CheckExpr("assert", expression); err != nil {
				t.Error(err)
			}
		}
	}
	if tested != 3 {
		t.Errorf("%d expressions found", tested)
	}
}

func evaluated(assert string) claims.Verdict {
	verdicts, _ := claims.Evaluate(evidence(), []lang.Claim{{ID: "c1", Assert: assert}})
	return verdicts[0]
}
