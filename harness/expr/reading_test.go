package expr

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

// list draws a list of n small integers. The range is small so that many elements are equal.
func list(t *rapid.T, name string, n int) []float64 {
	small := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-5, 5).Draw(t, "v")) }) // many ties
	return rapid.SliceOfN(small, n, n).Draw(t, name)
}

// curveOf returns a finished curve with the given columns.
func curveOf(name string, passes, primal []float64) *trace.Curve {
	return &trace.Curve{
		Labels:  map[string]any{"as": name},
		Columns: map[string][]float64{"passes": passes, "primal": primal},
		Status:  trace.Done, Rule: "passes",
	}
}

// drawCurve draws a curve with up to eight rows.
func drawCurve(t *rapid.T, name string) *trace.Curve {
	n := rapid.IntRange(1, 8).Draw(t, name+" n")
	passes := make([]float64, n)
	x := rapid.IntRange(0, 2).Draw(t, name+" start")
	for i := range passes {
		passes[i] = float64(x)
		x += rapid.IntRange(1, 3).Draw(t, name+" step")
	}
	return curveOf(name, passes, list(t, name, n))
}

// TestCrossAndReachByBruteForce compares the functions cross and reach with results found by testing their definitions
// at every row.
func TestCrossAndReachByBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawCurve(t, "a"), drawCurve(t, "b")
		pa, va := a.Columns["passes"], a.Columns["primal"]
		pb := b.Columns["passes"]
		common := func(x float64) bool { return x >= pb[0] && x <= pb[len(pb)-1] }
		want := math.Inf(1)
		for i := range pa {
			below := common(pa[i])
			for j := i; j < len(pa); j++ {
				if common(pa[j]) && va[j] >= b.At("primal", pa[j]) {
					below = false
				}
			}
			if below {
				want = pa[i]
				break
			}
		}
		if got := crossing(a, b, "primal"); got != want {
			t.Fatalf("cross = %v, want %v\na %v %v\nb %v", got, want, pa, va, b.Columns)
		}
		level := float64(rapid.IntRange(-5, 5).Draw(t, "level"))
		want = math.Inf(1)
		for i := range pa {
			if va[i] <= level {
				want = math.Min(want, pa[i])
			}
		}
		got, err := readReach(newReader(Evidence{Set: &trace.Set{}}), []any{a, "primal", level})
		if err != nil || got != want {
			t.Fatalf("reach = %v, %v, want %v", got, err, want)
		}
	})
}

// TestOrder checks the functions of expressions that compare numbers.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		name string
		args []any
		want bool
	}{
		{"increasing", []any{[]any{1, 2, 3.5}}, true},
		{"increasing", []any{[]any{1, 1}}, false},
		{"decreasing", []any{[]float64{3, math.NaN(), 2}}, true},
		{"decreasing", []any{[]any{3, 3}}, false},
		{"nondecreasing", []any{[]any{1, 1}}, true},
		{"nondecreasing", []any{[]any{1, 0.999}}, false},
		{"nondecreasing", []any{[]any{1, 0.999}, 0.01}, true},
		{"nondecreasing", []any{[]any{-1, -1.001}, 0.01}, true},
		{"close", []any{1, 1.5, 0.5}, true},
		{"close", []any{1, 1.5, 0.4}, false},
		{"within", []any{2, 1, 2}, true},
		{"within", []any{2.1, 1, 2}, false},
	} {
		for _, f := range allFunctions() {
			if f.Name != test.name {
				continue
			}
			if got, err := f.call(nil, test.args); err != nil || got != test.want {
				t.Errorf("%s(%v) = %v, %v, want %v", test.name, test.args, got, err, test.want)
			}
		}
	}
}
