package expr

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestReasonsOfOtherExperiments checks what an assertion lacks if another experiment has no results, damaged ones, rows
// that contradict each other, or a missing run, and which of these new runs would repair.
func TestReasonsOfOtherExperiments(t *testing.T) {
	set := func() *trace.Set {
		return &trace.Set{Curves: []*trace.Curve{curveOf("eg", []float64{0, 1}, []float64{3, 2})}}
	}
	missing := func(partial bool) *trace.Set {
		s := set()
		s.Missing = []*trace.Curve{trace.NewMissing(map[string]any{"as": "sgd"}, trace.Missing, "no file")}
		s.Partial = partial
		return s
	}
	contrary := set()
	contrary.Err = errors.New("a primal is below a dual")
	for name, c := range map[string]struct {
		other       func(string) (*trace.Set, error)
		lacks, lost bool
		says        string
	}{
		"results":     {func(string) (*trace.Set, error) { return set(), nil }, false, false, ""},
		"no function": {nil, true, false, "the claim needs the results of x"},
		"no results": {func(string) (*trace.Set, error) { return nil, errors.New("none") }, true, false,
			"results of x: none"},
		"damaged": {func(id string) (*trace.Set, error) { return nil, fmt.Errorf("%s: %w", id, trace.ErrDamaged) },
			true, true, "results of x: x: "},
		"contrary": {func(string) (*trace.Set, error) { return contrary, nil }, true, false, "the rows of x contradict each"},
		"missing":  {func(string) (*trace.Set, error) { return missing(false), nil }, true, true, "results of x: the run"},
	} {
		e := NewEvaluation(Evidence{Set: set(), Other: c.other})
		holds, err := e.Assert(`len(experiment("x")) == 1`)
		if Lacks(err) != c.lacks || Lost(err) != c.lost || holds == c.lacks || !c.lacks && err != nil ||
			err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v; want it to lack %v, lost %v, %q", name, holds, err, c.lacks, c.lost, c.says)
		}
	}
	e := NewEvaluation(Evidence{Set: missing(true)})
	if holds, err := e.Assert(`len(series) == 1`); !holds || err != nil || len(e.Warnings()) != 1 ||
		!strings.Contains(e.Warnings()[0], "is left out") {
		t.Errorf("with accepted missing runs: %v, %v, warnings %q", holds, err, e.Warnings())
	}
}

// TestCrossOfConvergedRuns compares cross with its definition for runs that converged, whose last values stay valid,
// and for runs that were cut off.
func TestCrossOfConvergedRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawCurve(t, "a"), drawCurve(t, "b")
		for _, c := range []*trace.Curve{a, b} {
			c.Rule = rapid.SampledFrom([]string{"gap", "passes"}).Draw(t, "rule")
		}
		pa, pb := a.Columns["passes"], b.Columns["passes"]
		last := func(list []float64) float64 { return list[len(list)-1] }
		below := func(x float64) (known, is bool) {
			if x < pb[0] || x > last(pb) && b.Cut() {
				return false, false
			}
			return true, a.At("primal", x) < b.At("primal", x)
		}
		stays := true // whether a stays below b after its last row
		for _, x := range pb {
			if _, is := below(x); x > last(pa) && !a.Cut() && !is {
				stays = false
			}
		}
		want := math.Inf(1)
		for i := len(pa) - 1; i >= 0 && stays; i-- {
			known, is := below(pa[i])
			if known && is {
				want = pa[i]
			} else if known || pa[i] < pb[0] {
				break
			}
		}
		if got := crossing(a, b, "primal"); got != want {
			t.Fatalf("cross = %v, want %v\na %v cut %v\nb %v cut %v", got, want, a.Columns, a.Cut(), b.Columns, b.Cut())
		}
	})
}

// TestLabelsAtTheEnd checks that a planned run may have any value of the labels that are known only at the end of a
// run, and no value of other labels that it lacks. A run with a trace has only its own labels.
func TestLabelsAtTheEnd(t *testing.T) {
	for name, late := range map[string]bool{"n": true, "C": true, "lambda": true, "stage": true, "status": true,
		"scale": true, "chosen": true, "as": false, "seed": false, "eta": false, "fold": false} {
		for _, file := range []*trace.File{nil, {}} {
			c := &trace.Curve{Labels: map[string]any{}, File: file}
			wanted := conditions(map[string]any{name: []any{5.0, true}})
			if got := matches(c, wanted); got != (late && file == nil) {
				t.Errorf("a run with trace %v, without the label %s, matches: %v", file != nil, name, got)
			}
			for value, want := range map[any]bool{5.0: true, true: true, 6.0: false, "5": false} {
				c.Labels[name] = value
				if got := matches(c, wanted); got != want {
					t.Errorf("a run with trace %v and %s=%v matches: %v, want %v", file != nil, name, value, got, want)
				}
			}
		}
	}
}

// TestSelections checks which curves a selector finds: those that agree in all of its labels, of the given list, and
// only those that lost no comparison unless the selector asks for them.
func TestSelections(t *testing.T) {
	var curves []*trace.Curve
	for i, labels := range []map[string]any{{"as": "a", "C": 1.0}, {"as": "a", "C": 2.0}, {"as": "b", "C": 1.0},
		{"as": "b", "C": 2.0, "chosen": false}, {"as": "c", "C": 2.0, "chosen": true}, {"as": "c", "C": 3.0}} {
		c := curveOf("", []float64{float64(i)}, []float64{1})
		c.Labels, c.File = labels, &trace.File{}
		curves = append(curves, c)
	}
	e := NewEvaluation(Evidence{Set: &trace.Set{Curves: curves}})
	for source, want := range map[string]string{
		`curves()`: "[0, 1, 2, 4, 5]", `series`: "[0, 1, 2, 4, 5]", `curves({})`: "[0, 1, 2, 4, 5]",
		`curves("a")`: "[0, 1]", `curves({as: "a", C: 2})`: "[1]", `curves({as: ["a", "b"], C: [2, 1]})`: "[0, 1, 2]",
		`curves({C: 2})`: "[1, 4]", `curves({C: 2, chosen: [true, false]})`: "[3, 4]", `curves({chosen: false})`: "[3]",
		`curves({C: 1}, curves("a"))`: "[0]", `curves({}, curves({C: 1}))`: "[0, 2]", `[curve("a", curves({C: 1}))]`: "[0]",
		`[curve({C: 3})]`: "[5]", `curves({as: "z"})`: "no curve has as = z", `curve({C: 1})`: "2 curves have C = 1",
		`curves({as: "c"}, curves("a"))`: "no curve has as = c; there are (as=a, C=1), (as=a, C=2)",
		`curves(5)`:                      "got a number", `curves({}, 5)`: "accepted: a list of curves",
	} {
		got, err := e.Measure("map(" + source + `, max(.passes))`)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}
