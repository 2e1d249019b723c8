package stats

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// list draws a list of n small integers. The range is small so that many elements are equal.
func list(t *rapid.T, name string, n int) []float64 {
	small := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-5, 5).Draw(t, "v")) }) // many ties
	return rapid.SliceOfN(small, n, n).Draw(t, name)
}

// TestFitLineIsLeastSquares checks that no line near the fitted line has a smaller sum of squares, and that the library
// gonum fits the same line.
func TestFitLineIsLeastSquares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		x, y := list(t, "x", n), list(t, "y", n)
		l, err := FitLine(y, x)
		if slices.Min(x) == slices.Max(x) {
			if err == nil {
				t.Fatal("FitLine accepts points with equal x")
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
		best := squares(l.Intercept, l.Slope)
		for _, d := range []float64{-0.01, 0.01} {
			if squares(l.Intercept+d, l.Slope) < best || squares(l.Intercept, l.Slope+d) < best {
				t.Fatalf("a line near %+v has a smaller sum of squares", l)
			}
		}
		a, b := stat.LinearRegression(x, y, nil, false)
		r2 := stat.RSquared(x, y, nil, a, b)
		if math.Abs(a-l.Intercept) > 1e-9 || math.Abs(b-l.Slope) > 1e-9 || !math.IsNaN(r2) && !math.IsInf(r2, 0) &&
			math.Abs(r2-l.R2) > 1e-9 {
			t.Fatalf("line = %+v, want intercept %v, slope %v, r2 %v as from gonum", l, a, b, r2)
		}
		if !(l.Low <= l.Slope && l.Slope <= l.High) {
			t.Fatalf("the confidence interval [%v, %v] does not contain the slope %v", l.Low, l.High, l.Slope)
		}
	})
}

// TestFitInterval checks the confidence interval of a textbook example: for x = 1..5 and y = 2, 4, 5, 4, 5 the slope is
// 0.6, its standard error 0.2828, and the 0.975 quantile of t with 3 degrees of freedom 3.1824.
func TestFitInterval(t *testing.T) {
	l, err := FitLine([]float64{2, 4, 5, 4, 5}, []float64{1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(l.Slope-0.6) > 1e-12 || math.Abs(l.High-(0.6+3.182446*0.2828427)) > 1e-5 ||
		math.Abs(l.Low-(0.6-3.182446*0.2828427)) > 1e-5 {
		t.Errorf("line = %+v, want slope 0.6 ± 3.1824 · 0.2828", l)
	}
}

// TestRanksByCounting checks that the rank of an element is 1 + the number of smaller elements + half the number of
// other elements that are equal.
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
				t.Fatalf("rank of %v in %v = %v, want %v", x[i], x, got[i], want)
			}
		}
	})
}

// TestSpearmanWithoutTies checks the formula for lists without ties, 1 − 6 Σ d²/(n(n²−1)).
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
		if got := Spearman(x, y); math.Abs(got-want) > 1e-12 {
			t.Fatalf("Spearman(%v, %v) = %v, want %v", x, y, got, want)
		}
	})
}

// TestPairedBootstrapOfTies checks that a sample with difference zero does not count as positive.
func TestPairedBootstrapOfTies(t *testing.T) {
	var same []Counts
	for i := range 10 {
		v := float64(i % 2)
		same = append(same, Counts{v, 1, v, 1})
	}
	if d := PairedBootstrap(same); d.Value != 0 || d.SE != 0 || d.P != 1 {
		t.Errorf("bootstrap of equal runs = %+v, want difference 0 and P = 1", d)
	}
}

// TestSummariesByPairs compares the sum, the mean and the standard deviation with other formulas: the variance with
// divisor n − 1 is the sum of (x_i − x_j)² over all pairs i < j, divided by n(n − 1).
func TestSummariesByPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		x := list(t, "x", n)
		sum, squares := 0.0, 0.0
		for i := range x {
			sum += x[n-1-i]
			for _, v := range x[:i] {
				squares += (x[i] - v) * (x[i] - v)
			}
		}
		std := 0.0
		if n > 1 {
			std = math.Sqrt(squares / float64(n*(n-1)))
		}
		if Sum(x) != sum || math.Abs(Mean(x)-sum/float64(n)) > 1e-12 || math.Abs(Std(x)-std) > 1e-12 {
			t.Fatalf("%v: sum %v, mean %v, standard deviation %v; want %v, %v, %v", x, Sum(x), Mean(x), Std(x), sum,
				sum/float64(n), std)
		}
	})
}

// TestMedian checks lists of odd and of even length, in any order, and that the list is not changed.
func TestMedian(t *testing.T) {
	for _, c := range []struct {
		list []float64
		want float64
	}{{[]float64{4}, 4}, {[]float64{9, 1}, 5}, {[]float64{7, -1, 2}, 2}, {[]float64{3, 1, 8, 2}, 2.5}} {
		before := slices.Clone(c.list)
		if got := Median(c.list); got != c.want || !slices.Equal(c.list, before) {
			t.Errorf("Median(%v) = %v, want %v; the list is now %v", before, got, c.want, c.list)
		}
	}
}
