package expr_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestNamedElements checks that x => names the element of a list as # does, and that errors have the positions of the
// source.
func TestNamedElements(t *testing.T) {
	for source, want := range map[string]string{
		`map([1, 2], x => 2 * x)`:                                              "[2, 4]",
		`(map([1, 2], (x => 2 * x)))`:                                          "=> names the elements",
		`(map([1, 2], x => (2 * x)))`:                                          "[2, 4]",
		`[1, 2] | map(x=>x + #)`:                                               "[2, 4]",
		`map([1, 2], x => len(filter([1, 2, 3], # > x)))`:                      "[2, 1]",
		`map([1, 2], a => sum(map([10, 20], b => a * b)))`:                     "[30, 60]",
		`filter(curves({as: "eg"}), c => c.C < .C + 1 and c.C > 10) | map(.C)`: "[1000, 100]",
		`map([1], x => let y = x + 1; y)`:                                      "[2]",
		`map(["=>"], x => x)`:                                                  "[=>]",
		`find([1, 2, 3], x => x >= 2)`:                                         "2",
		`map([1, 2], (x) => x)`:                                                "=> names the elements",
		`x => 1`:                                                               "=> names the elements",
		`max(x => 1, 2)`:                                                       "=> names the elements",
		`map(x => 1, [2])`:                                                     "=> names the elements",
		`map([1], x => map([2], x => x))`:                                      `"x" is a variable already; ch`,
		`map([1], max => 1)`:                                                   `"max" is the name of a`,
		`map([1], xx => 2 * yy)`:                                               `"yy"; accepted: inf, series (1:20)`,
		`map([1], xx => 2 *)`: "\")\" is not expected here (1:19)\n" +
			" | map([1], xx => 2 *)\n",
	} {
		got, err := expr.NewEvaluation(evidence()).Measure(source)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%s = %s\nwant %s", source, got, want)
		}
	}
	got := judge(evidence(), `all(curves({as: "eg"}), c => max(map([1], x => x * c.C)) <= 100)`)
	want := "max(map([1], x => x * c.C)) = 1000 (as=eg, C=1000, fails), 100 (as=eg, C=100), 10 (as=eg, C=10) <= 100"
	if got.outcome != fails || got.says != want {
		t.Errorf("outcome = %s: %s\nwant %s: %s", got.outcome, got.says, fails, want)
	}
}

// TestNamesOfCurves checks the functions that accept the name of a solver in place of a curve, and that a name without
// quotes is answered with the form that has quotes.
func TestNamesOfCurves(t *testing.T) {
	on := evidence()
	eg := on.Set.Curves[2] // C = 10
	on.Set = &trace.Set{Curves: append(on.Set.Curves[:0:0], eg, on.Set.Curves[3])}
	value := func(source string) string {
		got, err := expr.NewEvaluation(on).Measure(source)
		if err != nil {
			return err.Error()
		}
		return got
	}
	curve := `curve({as: "eg"})`
	for _, call := range []string{`final(EG, "primal")`, `at(EG, "primal", 10)`, `reach(EG, "gap_percent", 1)`, `T(EG, 1)`,
		`cross(EG, SGD, "primal")`, `cross(SGD, EG, "primal")`, `window(EG, "primal", 0, 3)`,
		`paired(EG, SGD, "primal").p`, `spread(EG, "primal")`} {
		quoted := strings.NewReplacer("EG", `"eg"`, "SGD", `"sgd"`).Replace(call)
		long := strings.NewReplacer("EG", curve, "SGD", `curve({as: "sgd"})`).Replace(call)
		if got, want := value(quoted), value(long); !strings.HasPrefix(got, strings.Split(want, " (1:")[0]) {
			t.Errorf("%s = %s\nwant %s", quoted, got, want)
		}
		bare := strings.NewReplacer("EG", "eg", "SGD", "sgd", `"`, "").Replace(call)
		want := ": a name of a solver or a column is written in quotes: " + strings.TrimSuffix(quoted, ".p")
		for place, err := range map[string]error{"claim": expr.Check("assert", bare), "cell": errorOf(value(bare)),
			"figure": axisError(bare, eg, on.Set), "filter": filterError(bare, on.Set)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s in a %s: error %v\nwant %s", bare, place, err, want)
			}
		}
	}
	for source, want := range map[string]string{
		`map(["eg", "sgd"], final(#, "passes"))`: "[60, 30]",
		`final("ge", "primal")`:                  "no curve has as = ge; there are (as=eg",
		`let eg = "sgd"; final(eg, "passes")`:    "30",
		`final(one-slack, gap)`: "one - slack: a name of a solver or a column is written in quotes: " +
			`final("one-slack"`,
		`final(eg + sgd, "primal")`: `unknown name "eg"`,
		`final(-eg, "primal")`:      `unknown name "eg"`,
		`final(1 - eg, "primal")`:   `unknown name "eg"`,
		`final(eg - 1, "primal")`:   `unknown name "eg"`,
		`eg`:                        `unknown name "eg"; the curve of this name is curve("eg")`,
		`max(primal)`: `unknown name "primal"; it is a column: write map(series, .primal) for its values in each ` +
			`curve, or "primal" in quotes in a function`,
	} {
		if got := value(source); !strings.HasPrefix(got, want) {
			t.Errorf("%s = %s\nwant %s", source, got, want)
		}
	}
	// In an axis, a name is a label or a column, as before; a label may contain the name of a column or of a curve.
	eg.Labels["which"], eg.Labels["rival"] = "passes", "sgd"
	if v, err := expr.Axis(`final(rival, which)`, eg, on.Set); err != nil || v != 30.0 {
		t.Errorf("Axis with labels as names = %v, %v; want 30", v, err)
	}
}

// TestLabelOrColumn checks what curve.name is if some curves have a label of this name, some a column, some both, and
// some neither: the label, else the column, else nothing. A name that no curve has is an error.
func TestLabelOrColumn(t *testing.T) {
	var files []*trace.File
	for _, as := range []string{"label", "column", "both", "neither"} {
		f := decay(as, 10, 0.4, 0.07, 3, converged())
		if as == "label" || as == "both" {
			f.Manifest.Labels["which"] = 7.
		}
		if as == "column" || as == "both" {
			for i, r := range f.Rows {
				r.Values["which"] = float64(i)
			}
		}
		files = append(files, f)
	}
	on := expr.Evidence{Set: trace.NewSet(files)}
	for as, want := range map[string]string{"label": "7", "column": "[0, 1, 2, 3]", "both": "7", "neither": "nothing"} {
		got, err := expr.NewEvaluation(on).Measure(`curve({as: "` + as + `"}).which`)
		if err != nil || got != want {
			t.Errorf("%s: %q, error %v; want %q", as, got, err, want)
		}
	}
	if got, err := expr.NewEvaluation(on).Measure(`curve({as: "both"}).witch`); err == nil ||
		!strings.Contains(err.Error(), `did you mean "which"?`) {
		t.Errorf("a name that no curve has: %q, error %v; want one with the nearest name", got, err)
	}
}

type errorOf string

func (e errorOf) Error() string { return string(e) }

func axisError(source string, c *trace.Curve, among *trace.Set) error {
	_, err := expr.Axis(source, c, among)
	return err
}

func filterError(source string, among *trace.Set) error {
	_, err := expr.Filter(source, among)
	return err
}
