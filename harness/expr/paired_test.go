package expr_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestPaired compares the runs a and b on 200 examples. a has the value 1 on 160 of them, b on 150, and both on 145. So
// the difference is 1 on 15 examples, −1 on 5, and 0 on the others. The mean of the differences is 0.05, and its
// standard error is √((20/200 − 0.05²)/200) = 0.0221.
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
	ctx := expr.Evidence{
		Set: trace.NewSet([]*trace.File{run("a", &a), run("b", &b), run("none", nil), run("other", &other),
			run("a again", &a), run("b again", &b)})}
	const both = `paired(curve({as: "a"}), curve({as: "b"}), "validation_error")`
	for _, test := range []struct {
		assert  string
		outcome string
		says    string
	}{
		{`within(` + both + `.difference, 0.0499, 0.0501)`, holds, ""},
		{`within(` + both + `.se, 0.0214, 0.0228)`, holds, ""},
		{`within(` + both + `.p, 0.003, 0.03)`, holds, ""},
		{`within(paired(curve({as: "b"}), curve({as: "a"}), "validation_error").p, 0.97, 1)`, holds, ""},
		{`paired(curve({as: "a"}), curve({as: "a again"}), "validation_error").p == 1`, holds, ""}, // both runs are equal
		{`within(spread(curve({as: "a"}), "validation_error"), 0.4, 0.402)`, holds, ""},            // √(0.8·0.2·200/199)
		{`paired(curves({as: ["a", "b"]}), curves({as: ["b", "a"]}), "validation_error").difference == 0`, holds,
			""},
		// two runs on the same examples count as one run on them; two runs on different examples count as one run on all of
		// them
		{`paired(curves({as: ["a", "b"]}), curves({as: ["b", "a"]}), "validation_error").n == 200`, holds, ""},
		{`within(paired(curves({as: ["a", "a again"]}), curves({as: ["b", "b again"]}), "validation_error").se, 0.0214,
			0.0228)`, holds, ""},
		{`paired(curves({as: ["a", "other"]}), curves({as: ["b", "other"]}), "validation_error").n == 400`, holds, ""},
		{`within(paired(curves({as: ["a", "other"]}), curves({as: ["b", "other"]}), "validation_error").se, 0.0107,
			0.0114)`, holds, ""},
		{`paired(curve({as: "a"}), curve({as: "other"}), "validation_error").p < 1`, undecided,
			"differ; accepted: runs on the same examples"},
		{`paired(curve({as: "a"}), curve({as: "none"}), "validation_error").p < 1`, undecided,
			"has not recorded validation_error"},
		{`paired(curve({as: "a"}), curves({as: ["a", "other"]}), "validation_error").p < 1`, undecided, "200 and 400"},
	} {
		if v := judge(ctx, test.assert); v.outcome != test.outcome || !strings.Contains(v.says, test.says) {
			t.Errorf("%s: outcome = %v: %s, want %v: %s", test.assert, v.outcome, v.says, test.outcome, test.says)
		}
	}
}
