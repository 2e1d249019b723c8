package claims_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Two runs on 200 examples: a is right on 160 of them, b on 150, both on 145. So the difference is 0.05, and its
// standard error that of a mean of 15 ones, 5 minus ones and zeros, √((20/200 − 0.05²)/200) = 0.0221.
func TestPaired(t *testing.T) {
	right := func(is func(i int) bool) trace.Examples {
		var e trace.Examples
		for i := range 200 {
			v := 0.0
			if is(i) {
				v = 1
			}
			e.Num, e.Den = append(e.Num, v), append(e.Den, 1)
		}
		return e
	}
	run := func(as string, e *trace.Examples) *trace.File {
		f := decay(as, 1, 1, 0.1, 3, converged())
		if e != nil {
			f.End.Examples = map[string]trace.Examples{"validation_error": *e}
		}
		return f
	}
	a, b := right(func(i int) bool { return i < 160 }), right(func(i int) bool { return i < 145 || i >= 195 })
	other := b
	other.Of, a.Of, b.Of = "other", "these", "these"
	ctx := claims.Context{Experiment: "eg/test", Scale: "quick",
		Set: trace.NewSet([]*trace.File{run("a", &a), run("b", &b), run("none", nil), run("other", &other)})}
	const both = `paired(curve({as: "a"}), curve({as: "b"}), "validation_error")`
	for _, test := range []struct {
		assert  string
		verdict claims.Outcome
		says    string
	}{
		{`within(` + both + `.difference, 0.0499, 0.0501)`, claims.Reproduced, ""},
		{`within(` + both + `.se, 0.0214, 0.0228)`, claims.Reproduced, ""},
		{`within(` + both + `.p, 0.003, 0.03)`, claims.Reproduced, ""},
		{`within(paired(curve({as: "b"}), curve({as: "a"}), "validation_error").p, 0.97, 1)`, claims.Reproduced, ""},
		{`within(spread(curve({as: "a"}), "validation_error"), 0.4, 0.402)`, claims.Reproduced, ""}, // √(0.8·0.2·200/199)
		{`paired(curves({as: ["a", "b"]}), curves({as: ["b", "a"]}), "validation_error").difference == 0`, claims.Reproduced,
			""},
		{`paired(curves({as: ["a", "b"]}), curves({as: ["b", "a"]}), "validation_error").n == 400`, claims.Reproduced, ""},
		{`paired(curve({as: "a"}), curve({as: "other"}), "validation_error").p < 1`, claims.NotTestable,
			"other validation examples"},
		{`paired(curve({as: "a"}), curve({as: "none"}), "validation_error").p < 1`, claims.NotTestable,
			"has not kept validation_error"},
		{`paired(curve({as: "a"}), curves({as: ["a", "b"]}), "validation_error").p < 1`, claims.NotTestable, "200 and 400"},
	} {
		verdicts, _ := claims.Evaluate(ctx, []lang.Claim{{ID: "c1", Assert: test.assert}})
		if v := verdicts[0]; v.Verdict != test.verdict || !strings.Contains(v.Measured+v.Why, test.says) {
			t.Errorf("%s: %v %s %s: want %v %s", test.assert, v.Verdict, v.Measured, v.Why, test.verdict, test.says)
		}
	}
}
