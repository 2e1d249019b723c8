package expr

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestComparisons compares each comparison with its definition on pairs of values of all types, also as elements of
// lists with "in". A label that a curve lacks is unequal to everything.
func TestComparisons(t *testing.T) {
	values := []any{nil, 1, 2, 1.0, 2.5, math.Inf(1), math.NaN(), "a", "b", "", true, false, []float64{1}, []any{"a"}}
	kind := func(v any) string {
		switch v.(type) {
		case int, float64:
			return "number"
		}
		return fmt.Sprintf("%T", v)
	}
	for _, a := range values {
		for _, b := range values {
			x, errX := number(a)
			y, errY := number(b)
			s, isText := a.(string)
			u, _ := b.(string)
			for operator, is := range map[string][3]bool{ // if the first is smaller, equal, larger
				"<": {true, false, false}, "<=": {true, true, false}, ">": {false, false, true}, ">=": {false, true, true},
				"==": {false, true, false}, "!=": {true, false, true}} {
				want := "wrong"
				switch {
				case a == nil || b == nil:
					want = fmt.Sprint(operator == "!=")
				case kind(a) != kind(b):
				case errX == nil && errY == nil && (math.IsNaN(x) || math.IsNaN(y)):
					want = "lacks"
				case errX == nil && errY == nil:
					want = fmt.Sprint(is[1+map[bool]int{x < y: -1, x > y: 1}[true]])
				case isText:
					want = fmt.Sprint(is[1+strings.Compare(s, u)])
				case kind(a) == "bool" && !strings.ContainsAny(operator, "<>"):
					want = fmt.Sprint((a == b) == (operator == "=="))
				}
				holds, err := compare(operator, a, b)
				got := fmt.Sprint(holds)
				if Lacks(err) {
					got = "lacks"
				} else if err != nil {
					got = "wrong"
				}
				if got != want {
					t.Errorf("%v %s %v: %s, want %s", a, operator, b, got, want)
				}
				if operator != "==" {
					continue
				}
				for place := range 3 { // among others that are different
					list := []any{"x", -7, "y"}
					list[place] = b
					if in, err := compare("in", a, list); err != nil || in != (want == "true") {
						t.Errorf("%v in %v: %v, %v, want %s", a, list, in, err, want)
					}
				}
			}
		}
	}
	for _, list := range []any{1.0, "a", nil, true} {
		if _, err := compare("in", "a", list); err == nil {
			t.Errorf("a in %v: no error", list)
		}
	}
}

// TestQuantifiers compares all, any and none on short lists with their definitions; nothing holds for an empty list.
func TestQuantifiers(t *testing.T) {
	calls := callsOn(newReader(Evidence{Set: &trace.Set{}}))
	for _, list := range [][]bool{{}, {true}, {false}, {true, true}, {true, false}, {false, true}, {false, false},
		{false, true, false}, {true, false, true}} {
		some, each := slices.Contains(list, true), !slices.Contains(list, false)
		for name, want := range map[string]bool{"$all": each, "$any": some, "$none": !some} {
			got, err := calls[name](list)
			if len(list) == 0 && !Lacks(err) || len(list) > 0 && (err != nil || got != want) {
				t.Errorf("%s%v = %v, %v, want %v", name, list, got, err, want)
			}
		}
	}
}

// TestFormats checks the text of values: numbers with four digits, lists without their middle, and deep lists.
func TestFormats(t *testing.T) {
	seq := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = float64(i + 1)
		}
		return list
	}
	deep := any([]float64{1, 2})
	for range 4 {
		deep = []any{deep}
	}
	for want, v := range map[string]any{
		"nothing": nil, "never": math.Inf(1), "-Inf": math.Inf(-1), "NaN": math.NaN(), "0": 0.0, "-3": -3, "999999": 999999.0,
		"1e+06": 1e6, "1.5": 1.5, "0.3333": 1.0 / 3, "1.235e+04": 12345.4, "a": "a", "true": true,
		"a selector": map[string]any{},
		"[]":         []any{}, "[1, 2, 3, 4, 5, 6, 7, 8]": seq(8), "[1, 2, 3, 4, 5, 6, …, 9 (9 values)]": seq(9),
		"[1, 2, 3, 4, 5, 6, …, 30 (30 values)]": seq(30), "[1, [a, never], true]": []any{1, []any{"a", math.Inf(1)}, true},
		"[[[[[… (2 values)]]]]]": deep, "[[[[1, 2]]]]": deep.([]any)[0],
		"slope 2, r2 0.5": fields{[]string{"slope", "r2"}, []any{2.0, 0.5}},
		"a: 1; b: [2, 3]": quantities{[]string{"a", "b"}, []any{1, []any{2, 3}}},
		"≥ 2.5":           Bounded{Low: 2.5, High: math.Inf(1)}, "≤ 3": Bounded{Low: math.Inf(-1), High: 3},
		"≤ 4": Bounded{High: 4}, "1 to 2": Bounded{Low: 1, High: 2}, "7": Bounded{Low: 7, High: 7},
		"any number":       Bounded{Low: math.Inf(-1), High: math.Inf(1)},
		"curve as=eg, C=2": &trace.Curve{Labels: map[string]any{"as": "eg", "C": 2.0, "seed": 1.0}},
	} {
		if got := format(v); got != want {
			t.Errorf("%#v is %q, want %q", v, got, want)
		}
	}
}

// TestPairsOfAFit checks which pairs of numbers a fit reads: those without a missing number that the mask allows. A fit
// of a power leaves its arguments as they are.
func TestPairsOfAFit(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	yes, no := true, false
	for _, c := range []struct {
		a, b []float64
		mask []bool
		want string
	}{
		{[]float64{1, 2, 3}, []float64{4, 5, 6}, nil, "[1 2 3] [4 5 6]"},
		{[]float64{1, nan, 3, 4}, []float64{4, 5, nan, 7}, nil, "[1 4] [4 7]"},
		{[]float64{1, 2, 3}, []float64{4, 5, 6}, []bool{no, yes, yes}, "[2 3] [5 6]"},
		{[]float64{nan, 2, 3}, []float64{4, 5, 6}, []bool{yes, yes, no}, "[2] [5]"},
		{[]float64{1, inf}, []float64{4, 5}, []bool{yes, no}, "[1] [4]"},
		{[]float64{nan, 1}, []float64{inf, 5}, nil, "[1] [5]"},
		{[]float64{1, 2}, []float64{4, -inf}, nil, "element 1 is infinite"},
		{[]float64{inf, 2}, []float64{4, 5}, nil, "element 0 is infinite"},
		{[]float64{1, 2}, []float64{4}, nil, "the lists have 2 and 1 elements"},
		{[]float64{1, 2}, []float64{4, 5}, []bool{yes}, "the mask has 1 elements"},
	} {
		args := []any{c.a, c.b}
		if c.mask != nil {
			args = append(args, c.mask)
		}
		a, b, err := pairs(args)
		if got := fmt.Sprint(a, " ", b, " ", err); !strings.Contains(got, c.want) {
			t.Errorf("pairs of %v: %s, want %s", args, got, c.want)
		}
	}
	y, x := []float64{3, 6, 12}, []float64{1, 2, 4}
	for _, name := range []string{"slope", "powerfit", "exponent", "spearman", "fit"} {
		if _, err := lookUp(name).call(nil, []any{y, x}); err != nil || y[2] != 12 || x[2] != 4 {
			t.Errorf("%s: error %v, and the arguments are now %v and %v", name, err, y, x)
		}
	}
	got, err := lookUp("slope").call(nil, []any{[]float64{2, 8, 18}, x[:0:0]})
	if err == nil {
		t.Errorf("slope of lists of unequal lengths = %v", got)
	}
	if got, err := lookUp("slope").call(nil, []any{[]float64{2, 8, 32}, x}); err != nil ||
		math.Abs(got.(float64)-2) > 1e-12 {
		t.Errorf("slope of 2x² = %v, %v, want 2", got, err)
	}
}

// TestListsAreNotChanged checks that no function on lists changes its arguments, which may be columns of a curve.
func TestListsAreNotChanged(t *testing.T) {
	for _, f := range slices.Concat(listFunctions(), orderFunctions(), mathematics(), fitFunctions()) {
		for n := f.least; n <= f.most; n++ {
			var args []any
			for k := range n {
				args = append(args, []any{[]float64{3, math.NaN(), 1, 2}, []float64{5, 6, 7, 4},
					[]bool{true, true, false, true}}[k])
			}
			before := fmt.Sprint(args)
			_, _ = f.call(newReader(Evidence{Set: &trace.Set{}}), args)
			if after := fmt.Sprint(args); after != before {
				t.Errorf("%s has changed its arguments from %s to %s", f.Name, before, after)
			}
		}
	}
}

// TestWindowsOfARun checks the values of at and window at the ends of their ranges, with rows that lack the column, for
// runs that converged and runs that were cut off.
func TestWindowsOfARun(t *testing.T) {
	for _, status := range []trace.Status{trace.Done, trace.Budget} {
		c := curveOf("eg", []float64{0, 1, 3, 4}, []float64{9, 7, 5, 3})
		c.Columns["late"] = []float64{math.NaN(), 2, math.NaN(), 1}
		c.Status, c.Rule = status, "gap"
		set := &trace.Set{Curves: []*trace.Curve{c}}
		for call, want := range map[string]string{
			`at("eg", "primal", 0)`: "9", `at("eg", "primal", 1)`: "7", `at("eg", "primal", 2.9)`: "7",
			`at("eg", "primal", 3)`: "5", `at("eg", "primal", 4)`: "3", `at("eg", "primal", [4, 0, 1.5])`: "[3, 9, 7]",
			`at("eg", "late", 0.5)`: "has no late at or before 0.5 passes", `at("eg", "primal", -1)`: "has no primal",
			`at("eg", "late", 3)`: "2", `window("eg", "primal", 1, 3)`: "[7, 5]", `window("eg", "primal", 1.1, 2.9)`: "[]",
			`window("eg", "primal", 0, 4)`: "[9, 7, 5, 3]", `window("eg", "late", 0, 4)`: "[2, 1]",
			`at("eg", "primal", 5)`:          map[bool]string{true: "3", false: "ended at 4 passes"}[status == trace.Done],
			`window("eg", "primal", 3, 5)`:   map[bool]string{true: "[5, 3]", false: "ended at 4 passes"}[status == trace.Done],
			`window("eg", "primal", 3, inf)`: map[bool]string{true: "[5, 3]", false: "ended early"}[status == trace.Done],
			`reach("eg", "primal", 7)`:       "1", `reach("eg", "late", 1)`: "4", `reach("eg", "primal", 3)`: "4",
			`reach("eg", "primal", 2)`: map[bool]string{true: "never", false: "≥ 4"}[status == trace.Done],
		} {
			got, err := NewEvaluation(Evidence{Set: set}).Measure(call)
			if err != nil {
				got = err.Error()
			}
			if got != want && (err == nil || !strings.Contains(got, want)) {
				t.Errorf("%s of a run that is %s: %s, want %s", call, status, got, want)
			}
		}
	}
}

// TestSecondUse checks that an Evaluation of several expressions gives each the value that it has alone, and that its
// warnings are of all of them, each once.
func TestSecondUse(t *testing.T) {
	cut := curveOf("eg", []float64{0, 1}, []float64{3, 2})
	cut.Status, cut.Why = trace.Stalled, "x"
	set := &trace.Set{Curves: []*trace.Curve{cut, curveOf("s", []float64{0, 1}, []float64{5, 4})}}
	sources := []string{`max(curve("eg").primal)`, `1 + 1`, `max(curve("s").primal)`, `nothing`, `map(series, .as)`}
	shared := NewEvaluation(Evidence{Set: set})
	for range 2 {
		for _, source := range sources {
			alone, errAlone := NewEvaluation(Evidence{Set: set}).Measure(source)
			got, err := shared.Measure(source)
			if got != alone || fmt.Sprint(err) != fmt.Sprint(errAlone) {
				t.Errorf("%s: %q, %v after others, and %q, %v alone", source, got, err, alone, errAlone)
			}
		}
	}
	if w := shared.Warnings(); len(w) != 1 || !strings.Contains(w[0], "the run as=eg ended early") {
		t.Errorf("warnings %q, want one", w)
	}
	first, err := shared.Assert("1 < 2 and 3 < 4")
	if !first || err != nil || shared.Measured() != "1 = 1 < 2; 3 = 3 < 4" {
		t.Errorf("measured %q, %v", shared.Measured(), err)
	}
	if !shared.ReadsCurves() || NewEvaluation(Evidence{Set: set}).ReadsCurves() {
		t.Error("ReadsCurves is true only after an expression that selects curves")
	}
}

// TestOnWallOfOthers checks that evidence with wall-clock times, and evidence of one repetition, is so in other
// experiments too, and that their errors are kept.
func TestOnWallOfOthers(t *testing.T) {
	set := func(wall float64) *trace.Set {
		f := &trace.File{End: &trace.End{Status: trace.Done}, Manifest: trace.Manifest{Labels: map[string]any{"as": "eg"}},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1, trace.Seconds: wall}}}}
		return trace.NewSet([]*trace.File{f})
	}
	lost := errors.New("no results")
	on := Evidence{Set: set(2), Other: func(id string) (*trace.Set, error) {
		if id == "lost" {
			return nil, lost
		}
		return set(3), nil
	}}
	wall := on.OnWall()
	const own, other = `final("eg", "cpu_seconds")`, `final(experiment("x")[0], "cpu_seconds")`
	for source, want := range map[string]string{own: "2", other: "3"} {
		if got, err := NewEvaluation(wall).Measure(source); err != nil || got != want {
			t.Errorf("%s on wall-clock time = %s, %v, want %s", source, got, err, want)
		}
		if _, err := NewEvaluation(on).Measure(source); !Unmeasured(err) || Lost(err) {
			t.Errorf("%s without CPU time: error %v", source, err)
		}
	}
	for name, e := range map[string]Evidence{"OnWall": wall, "OfRepetition": on.OfRepetition(0)} {
		if _, err := e.Other("lost"); !errors.Is(err, lost) {
			t.Errorf("%s: error of another experiment: %v", name, err)
		}
	}
}
