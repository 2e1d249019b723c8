package expr

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

func list(t *rapid.T, name string, n int) []float64 {
	small := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-5, 5).Draw(t, "v")) }) // many ties
	return rapid.SliceOfN(small, n, n).Draw(t, name)
}

// The line of fit is the best of all lines near it, and agrees with gonum.
func TestFitIsLeastSquares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		x, y := list(t, "x", n), list(t, "y", n)
		l, err := fitLine(y, x)
		if slices.Min(x) == slices.Max(x) {
			if err == nil {
				t.Fatal("no error for one x")
			}
			return
		}
		squares := func(a, b float64) float64 {
			s := 0.0
			for i := range x {
				r := y[i] - a - b*x[i]
				s += r * r
			}
			return s
		}
		best := squares(l.intercept, l.slope)
		for _, d := range []float64{-0.01, 0.01} {
			if squares(l.intercept+d, l.slope) < best || squares(l.intercept, l.slope+d) < best {
				t.Fatalf("a line near %+v is better", l)
			}
		}
		a, b := stat.LinearRegression(x, y, nil, false)
		r2 := stat.RSquared(x, y, nil, a, b)
		if math.Abs(a-l.intercept) > 1e-9 || math.Abs(b-l.slope) > 1e-9 || !math.IsNaN(r2) && !math.IsInf(r2, 0) &&
			math.Abs(r2-l.r2) > 1e-9 {
			t.Fatalf("%+v, gonum %v, %v, r2 %v", l, a, b, r2)
		}
		if !(l.low <= l.slope && l.slope <= l.high) {
			t.Fatalf("the interval [%v, %v] misses %v", l.low, l.high, l.slope)
		}
	})
}

// A textbook interval: x = 1..5, y = 2, 4, 5, 4, 5 has slope 0.6, standard error 0.2828, t(3) = 3.1824.
func TestFitInterval(t *testing.T) {
	l, err := fitLine([]float64{2, 4, 5, 4, 5}, []float64{1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(l.slope-0.6) > 1e-12 || math.Abs(l.high-(0.6+3.182446*0.2828427)) > 1e-5 ||
		math.Abs(l.low-(0.6-3.182446*0.2828427)) > 1e-5 {
		t.Errorf("%+v", l)
	}
}

// Ranks by counting: 1 + the number of smaller elements + half the number of equal others.
func TestRanksByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := list(t, "x", rapid.IntRange(0, 9).Draw(t, "n"))
		got := ranks(x)
		for i := range x {
			want := 1.0
			for j := range x {
				switch {
				case x[j] < x[i]:
					want++
				case j != i && x[j] == x[i]:
					want += 0.5
				}
			}
			if got[i] != want {
				t.Fatalf("rank of %v in %v: %v, want %v", x[i], x, got[i], want)
			}
		}
	})
}

// Without ties Spearman's coefficient is 1 − 6 Σ d²/(n(n²−1)).
func TestSpearmanWithoutTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		order := make([]float64, n)
		for i := range order {
			order[i] = float64(i)
		}
		x, y := rapid.Permutation(order).Draw(t, "x"), rapid.Permutation(order).Draw(t, "y")
		d2 := 0.0
		for i := range x {
			d2 += (x[i] - y[i]) * (x[i] - y[i])
		}
		want := 1 - 6*d2/float64(n*(n*n-1))
		got, err := rankCorrelation(nil, []any{x, y})
		if err != nil || math.Abs(got.(float64)-want) > 1e-12 {
			t.Fatalf("%v, %v, want %v", got, err, want)
		}
	})
}

func curveOf(name string, passes, primal []float64) *trace.Curve {
	return &trace.Curve{
		Labels:  map[string]any{"as": name},
		Columns: map[string][]float64{"passes": passes, "primal": primal},
		Status:  trace.Done, Rule: "passes",
	}
}

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

// cross and reach against their definitions, tried at every record.
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
			t.Fatalf("cross %v, want %v\na %v %v\nb %v", got, want, pa, va, b.Columns)
		}
		level := float64(rapid.IntRange(-5, 5).Draw(t, "level"))
		want = math.Inf(1)
		for i := range pa {
			if va[i] <= level {
				want = math.Min(want, pa[i])
			}
		}
		e := NewEvaluation(Evidence{Set: &trace.Set{}})
		got, err := readReach(e, []any{a, "primal", level})
		if err != nil || got != want {
			t.Fatalf("reach %v %v, want %v", got, err, want)
		}
	})
}

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
		for _, f := range functions() {
			if f.Name != test.name {
				continue
			}
			if got, err := f.call(nil, test.args); err != nil || got != test.want {
				t.Errorf("%s(%v) = %v, %v", test.name, test.args, got, err)
			}
		}
	}
}
