package expr_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestAssertionsByDefinition compares the outcomes of random assertions with a second implementation. Each is made of
// comparisons that are true, false or undecided. It is decided if the outcome is the same when each undecided
// comparison helps the assertion and when each harms it. A measure of the same expression has the same truth value.
func TestAssertionsByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 9))
	on := expr.Evidence{Set: trace.NewSet([]*trace.File{
		decay("slow", 10, 0.01, 0.1, 20, trace.End{Status: trace.Budget, Why: "60 s"})})}
	type value func(helps, negated bool) bool
	var grow func(depth int) (string, value)
	grow = func(depth int) (string, value) {
		if depth == 0 || rng.IntN(6) == 0 {
			switch rng.IntN(5) {
			case 0:
				return `final("slow", "passes") > 50`, func(helps, negated bool) bool { return helps != negated }
			case 1, 2:
				return "1 < 2", func(bool, bool) bool { return true }
			}
			return "increasing([2, 1])", func(bool, bool) bool { return false }
		}
		a, va := grow(depth - 1)
		b, vb := grow(depth - 1)
		list := [][]bool{{true}, {false}, {true, false}, {false, true}, {true, true, true}, {false, false}}[rng.IntN(6)]
		items := strings.NewReplacer("true", "1", "false", "0", " ", ", ").Replace(fmt.Sprint(list))
		element := func(v bool, rest value) value { // the condition on an element: # == 1 or rest
			return func(helps, negated bool) bool { return v || rest(helps, negated) }
		}
		test := fmt.Sprintf("%s, # == 1 or (%s)", items, a)
		switch rng.IntN(8) {
		case 0:
			return fmt.Sprintf("(%s) and (%s)", a, b), func(h, n bool) bool { return va(h, n) && vb(h, n) }
		case 1:
			return fmt.Sprintf("(%s) or (%s)", a, b), func(h, n bool) bool { return va(h, n) || vb(h, n) }
		case 2:
			return fmt.Sprintf("not (%s)", a), func(h, n bool) bool { return !va(h, !n) }
		case 3:
			return "all(" + test + ")", func(h, n bool) bool {
				return !slices.ContainsFunc(list, func(v bool) bool { return !element(v, va)(h, n) })
			}
		case 4:
			return "any(" + test + ")", func(h, n bool) bool {
				return slices.ContainsFunc(list, func(v bool) bool { return element(v, va)(h, n) })
			}
		case 5:
			return "none(" + test + ")", func(h, n bool) bool {
				return !slices.ContainsFunc(list, func(v bool) bool { return element(v, va)(h, !n) })
			}
		case 6:
			return fmt.Sprintf("(2 > 1 ? (%s) : (%s))", a, b), va
		}
		return fmt.Sprintf("(1 > 2 ? (%s) : (%s))", a, b), vb
	}
	count := map[string]int{}
	for range 400 {
		source, truth := grow(3)
		want := fails
		if truth(false, false) {
			want = holds
		} else if truth(true, false) {
			want = undecided
		}
		count[want]++
		if got := judge(on, source); got.outcome != want {
			t.Errorf("%s: outcome %s (%s), want %s", source, got.outcome, got.says, want)
		}
		if !strings.Contains(source, "slow") {
			if got, err := expr.NewEvaluation(on).Measure(source); err != nil || got != fmt.Sprint(want == holds) {
				t.Errorf("%s has the value %s, %v, and the assertion %s", source, got, err, want)
			}
		}
	}
	if count[holds] < 50 || count[fails] < 50 || count[undecided] < 20 {
		t.Errorf("outcomes %v, want many of each", count)
	}
}

// TestWorstOfMany checks the summary of a comparison that was made for many elements: how many hold, and the element
// that comes closest to the other outcome, or fails by most.
func TestWorstOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 10))
	for range 100 {
		n, limit := 9+rng.IntN(5), float64(1+rng.IntN(20))
		var texts []string
		holding, worst, worstMargin := 0, 0.0, math.Inf(1)
		operator := []string{"<", "<=", ">", ">="}[rng.IntN(4)]
		quantifier := []string{"all", "none"}[rng.IntN(2)]
		for range n {
			x := float64(rng.IntN(20))
			texts = append(texts, fmt.Sprint(x))
			is := map[string]bool{"<": x < limit, "<=": x <= limit, ">": x > limit, ">=": x >= limit}[operator]
			good := is == (quantifier == "all")
			margin := math.Abs(x-limit) / limit
			if good {
				holding++
			} else {
				margin = -margin
			}
			if margin < worstMargin {
				worst, worstMargin = x, margin
			}
		}
		source := fmt.Sprintf("%s([%s], # %s %g)", quantifier, strings.Join(texts, ", "), operator, limit)
		which, fault := "closest", ""
		if holding < n {
			which, fault = "worst", ", fails"
		}
		want := fmt.Sprintf("# = %d of %d hold, %s %g (at %[4]g%s) %s %g", holding, n, which, worst, fault, operator, limit)
		got := judge(on0(), source)
		if worstMargin == 0 && holding < n { // a comparison of equal numbers may hold or fail
			want = strings.Split(want, " (at")[0]
		}
		if !strings.HasPrefix(got.says, want) || (got.outcome == holds) != (holding == n) {
			t.Errorf("%s: %s, %q, want %q", source, got.outcome, got.says, want)
		}
	}
}

// on0 returns evidence without curves.
func on0() expr.Evidence { return expr.Evidence{Set: &trace.Set{}} }

// TestPairedRatios checks paired and spread on metrics that are ratios of two sums. Runs with the same examples are
// added up for each example; runs with other examples are appended.
func TestPairedRatios(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 11))
	var files []*trace.File
	num, den := map[string][]float64{}, map[string][]float64{}
	for _, name := range []string{"a1", "a2", "a3", "b1", "b2", "b3"} {
		e := trace.Examples{Of: map[bool]string{true: "y", false: "x"}[name[1] == '3']}
		for i := range 12 {
			e.Den = append(e.Den, float64(1+rng.IntN(4)))
			e.Num = append(e.Num, float64(rng.IntN(5)))
			if i == 5 {
				e.Den[i], e.Num[i] = 0, 0
			}
		}
		num[name], den[name] = e.Num, e.Den
		f := decay(name, 1, 1, 0.1, 3, converged())
		f.End.Examples = map[string]trace.Examples{"validation_error": e, "primal": {Of: e.Of, Num: e.Den, Den: e.Den}}
		files = append(files, f)
	}
	on := expr.Evidence{Set: trace.NewSet(files)}
	ratio := func(names ...string) float64 {
		n, d := 0.0, 0.0
		for _, name := range names {
			for i := range num[name] {
				n, d = n+num[name][i], d+den[name][i]
			}
		}
		return n / d
	}
	e := expr.NewEvaluation(on)
	for _, c := range []struct {
		a, b []string
		n    float64
	}{
		{[]string{"a1"}, []string{"b1"}, 12}, {[]string{"b1"}, []string{"a1"}, 12}, {[]string{"a1"}, []string{"b2"}, 12},
		{[]string{"a1", "a2"}, []string{"b1", "b2"}, 12}, {[]string{"a1", "a3"}, []string{"b2", "b3"}, 24},
		{[]string{"a1", "a2", "a3"}, []string{"b1", "b3", "b2"}, 24}, {[]string{"a1", "a2"}, []string{"b1"}, 12},
	} {
		list := func(names []string) string { return `map(["` + strings.Join(names, `", "`) + `"], curve(#))` }
		got, err := e.Values(fmt.Sprintf(`paired(%s, %s, "validation_error")`, list(c.a), list(c.b)))
		if err != nil {
			t.Fatal(err)
		}
		if want := ratio(c.a...) - ratio(c.b...); math.Abs(got[0].(float64)-want) > 1e-12 || got[3] != c.n {
			t.Errorf("paired %v and %v: difference %v on %v examples, want %v on %v", c.a, c.b, got[0], got[3], want, c.n)
		}
		if other, err := e.Values(fmt.Sprintf(`paired(%s, %s, "primal").difference`, list(c.a), list(c.b))); err != nil ||
			other[0] != 0. {
			t.Errorf("paired %v and %v of a metric that is 1: %v, %v, want 0", c.a, c.b, other, err)
		}
	}
	var ratios []float64
	for i, d := range den["a2"] {
		if d > 0 {
			ratios = append(ratios, num["a2"][i]/d)
		}
	}
	mean, squares := 0.0, 0.0
	for _, x := range ratios {
		mean += x / float64(len(ratios))
	}
	for _, x := range ratios {
		squares += (x - mean) * (x - mean) / float64(len(ratios)-1)
	}
	if got, err := e.Values(`spread("a2", "validation_error")`); err != nil ||
		math.Abs(got[0].(float64)-math.Sqrt(squares)) > 1e-12 {
		t.Errorf("spread = %v, %v, want %v", got, err, math.Sqrt(squares))
	}
}

// TestCellsOfTables checks the cells of the tables that Tabulate returns.
func TestCellsOfTables(t *testing.T) {
	for source, want := range map[string]string{
		`curves({as: "sgd", chosen: [true, false]})`: "[[sgd 10 0.01 30  1.05   done] [sgd 10 0.1 1  1.951   done]]",
		`[curve("slow")]`:                      "[[slow 10  20  1.819 0.1813  budget]]",
		`[[1, "a"], [0.33333, true]]`:          "[[1 a] [0.3333 true]]",
		`[fit([1, 2, 3], [1, 2, 3])]`:          "[[1 0 1 3 1 1]]",
		`[curve("slow"), 1]`:                   "",
		`[[1, 2], 3]`:                          "",
		`[]`:                                   "",
		`map(filter([1, 2], # > 1), [#, #+1])`: "[[2 3]]",
	} {
		_, table, err := expr.NewEvaluation(evidence()).Tabulate(source)
		got := ""
		if table != nil {
			got = fmt.Sprint(table.Rows)
		}
		if err != nil || got != want {
			t.Errorf("%s: cells %s, %v, want %s", source, got, err, want)
		}
	}
}

// TestAccumulating checks which columns only grow while a run works.
func TestAccumulating(t *testing.T) {
	for name, want := range map[string]bool{"passes": true, "stage_passes": true, "epoch": true, "peak_bytes": true,
		"seconds": true, "cpu_seconds": true, "qp_seconds": true, "qp_cpu_seconds": true, "oracle_calls": true,
		"qp_steps": true, "steps": false, "primal": false, "gap": false, "validation_error": false, "working_set": false,
		"stage": false, "n": false} {
		if got := expr.Accumulates(name); got != want {
			t.Errorf("%s grows: %v, want %v", name, got, want)
		}
	}
}

// TestExpectedNames checks which names an expression of each kind may use before there are results.
func TestExpectedNames(t *testing.T) {
	curve := func(column, label string) *trace.Curve {
		return &trace.Curve{Columns: map[string][]float64{column: nil}, Labels: map[string]any{label: nil}}
	}
	e := expr.Of([]*trace.Curve{curve("gap", "C"), curve("dual", "eta")})
	e.Constants = []string{"cache"}
	for _, c := range []struct{ kind, source, absent string }{
		{"axis", "gap + dual + C + eta + cache + final.gap", ""}, {"axis", "x", "x"}, {"axis", "primal", "primal"},
		{"bound", "x * gap + C", ""}, {"bound", "lambda / x", "lambda"}, {"axis", "final.primal", "primal"},
		{"axis", `final(curve({as: "a"}), "gap")`, "as"}, {"axis", `final(curve({C: 1}), "gap")`, ""},
		{"assert", "gap < 1", "gap"}, {"assert", `final(series[0], "gap") < inf`, ""}, {"measure", "x", "x"},
		{"assert", `final(experiment("y")[0], "primal") < 1`, ""}, {"measure", `final(series[0], "primal")`, "primal"},
	} {
		err := e.Check(c.kind, c.source)
		absent, ok := err.(*expr.Absent)
		if (c.absent != "") != ok || ok && absent.Name != c.absent || !ok && err != nil {
			t.Errorf("%s %s: error %v, want one about %q", c.kind, c.source, err, c.absent)
		}
	}
	if e := expr.Of([]*trace.Curve{curve("gap", "C"), {}}); e != nil || e.Check("axis", "anything") != nil {
		t.Errorf("with a curve whose columns are unknown: %+v, want nil, which accepts everything", e)
	}
}

// TestAdvice checks the messages for forms of other languages, and that they have the position of the source.
func TestAdvice(t *testing.T) {
	for source, want := range map[string]string{
		`= 1 + 1`:                       `an expression does not begin with "="; write: 1 + 1`,
		`1 = 1`:                         `"=" is not an operator; write == to compare (1:3)`,
		`final(curve(as="eg"), "gap")`:  `labels are in braces: curve({as: "fast", C: 10})`,
		`final(curve(as: "eg"), "gap")`: `labels are in braces: curve({as: "fast", C: 10})`,
		`curves( C = 1)`:                `labels are in braces`,
		`len([x for x in [1]])`:         `"for" is not part of the language; write map(list, x => 2 * x)`,
		`map([1], x -> x)`:              `the name of an element stands before =>`,
		`map([1], lambda x: x)`:         `the name of an element stands before =>`,
		`"a" and 1 < 2`:                 `and needs truth values, such as comparisons; it got a number or another value`,
		`not 1`:                         `not needs truth values`, `1 < 2 || 3`: `|| needs truth values`,
		``: "the expression is empty", `1 +`: "the expression ends too early: something must follow",
		`let a = 1; let a = 2; a`: `"a" is a variable already; choose another name, such as a1`,
	} {
		if _, err := expr.NewEvaluation(evidence()).Measure(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", source, err, want)
		}
	}
}
