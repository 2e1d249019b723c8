package coordinate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models/multiclass"
)

// TestPairQP checks the solution of pairQP: no point of a grid over the box has a larger value of the objective, and
// the returned gain is the increase of the objective.
func TestPairQP(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	kinds := map[string]int{}
	for trial := range 4000 {
		q := pairQP{box: []float64{1, 1e-4}[trial%2]}
		var z [2][3]float64
		for k := range z {
			q.now[k] = q.box * []float64{0, 1, rng.Float64()}[rng.IntN(3)]
			q.slope[k] = rng.NormFloat64()
			for c := range z[k] {
				z[k][c] = rng.NormFloat64() / math.Sqrt(q.box)
			}
		}
		switch trial % 5 { // equal, opposite or zero rows: the function is linear along some line
		case 0:
			z[1] = z[0]
		case 1:
			for c := range z[1] {
				z[1][c] = -z[0][c]
			}
		case 2:
			z[trial%2] = [3]float64{}
		}
		for c := range z[0] {
			q.curve[0] += z[0][c] * z[0][c]
			q.curve[1] += z[1][c] * z[1][c]
			q.cross += z[0][c] * z[1][c]
		}
		value := func(a [2]float64) float64 {
			d := [2]float64{a[0] - q.now[0], a[1] - q.now[1]}
			return q.slope[0]*d[0] + q.slope[1]*d[1] - (q.curve[0]*d[0]*d[0]+2*q.cross*d[0]*d[1]+q.curve[1]*d[1]*d[1])/2
		}
		next, gain := q.solve()
		if next[0] < 0 || next[0] > q.box || next[1] < 0 || next[1] > q.box {
			t.Fatalf("%+v: the solution %v is outside the box", q, next)
		}
		if math.Abs(gain-value(next)) > 1e-9*(1+gain) {
			t.Fatalf("%+v: gain of the solution %v = %v, want %v", q, next, gain, value(next))
		}
		const grid = 40
		for r := range grid + 1 {
			for c := range grid + 1 {
				a := [2]float64{q.box * float64(r) / grid, q.box * float64(c) / grid}
				if value(a) > gain+1e-9*(1+gain) {
					t.Fatalf("%+v: gain of the solution %v = %v, want the maximum: the gain of %v is %v", q, next, gain, a, value(a))
				}
			}
		}
		switch bounds := btoi(next[0] == 0 || next[0] == q.box) + btoi(next[1] == 0 || next[1] == q.box); bounds {
		case 0:
			kinds["inside"]++
		case 1:
			kinds["on an edge"]++
		case 2:
			kinds["in a corner"]++
		}
	}
	for _, kind := range []string{"inside", "on an edge", "in a corner"} {
		if kinds[kind] < 100 {
			t.Errorf("%d solutions are %s, want at least 100", kinds[kind], kind)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestColumnCache checks that the cache removes the least recently used column, leaves all other columns in place, and
// never exceeds its size.
func TestColumnCache(t *testing.T) {
	const n = 12
	for _, most := range []int{2, 3, 7, n} {
		c := newColumnCache(n, float64(most)*8*n/1e6+1e-9)
		if c.most != most {
			t.Errorf("largest number of columns = %d, want %d", c.most, most)
		}
		rng := rand.New(rand.NewPCG(2, uint64(most)))
		var recent []int // the columns that must be in the cache, the most recently used last
		missed := 0
		for range 2000 {
			i := rng.IntN(n)
			at := slices.Index(recent, i)
			entries, known := c.get(i)
			if known != (at >= 0) {
				t.Fatalf("column %d: in the cache = %v, but the last columns used are %v", i, known, recent)
			}
			if known {
				recent = slices.Delete(recent, at, at+1)
			} else {
				missed++
				for k := range entries {
					entries[k] = float64(i)
				}
			}
			if recent = append(recent, i); len(recent) > most {
				recent = recent[1:]
			}
			if len(entries) != n || entries[0] != float64(i) || entries[n-1] != float64(i) {
				t.Fatalf("column %d: entries = %v, want %d entries of value %d", i, entries, n, i)
			}
		}
		if c.computed != missed || len(c.kept) > most {
			t.Errorf("computed = %d and %d columns kept, want %d and at most %d", c.computed, len(c.kept), missed, most)
		}
	}
	for _, c := range []struct {
		n, want   int
		megabytes float64
	}{{1, 1, 0}, {100, 2, 0}, {100, 100, 1000}, {1000, 125, 1}, {10, 10, math.Inf(1)}} {
		if got := newColumnCache(c.n, c.megabytes).most; got != c.want {
			t.Errorf("%d rows, %v MB: largest number of columns = %d, want %d", c.n, c.megabytes, got, c.want)
		}
	}
}

// TestViolationBits checks that violationBits returns 0 if the variable cannot move in the direction of its gradient g,
// and the bits of |g| otherwise.
func TestViolationBits(t *testing.T) {
	for _, c := range []struct {
		g    float64
		free uint8
		want float64
	}{
		{2, canRise, 2}, {2, canFall, 0}, {2, canRise | canFall, 2}, {-3, canRise, 0}, {-3, canFall, 3},
		{-3, canRise | canFall, 3},
		{0, canRise | canFall, 0}, {math.Copysign(0, -1), canRise | canFall, 0}, {1e-300, canRise, 1e-300}, {2, 0, 0},
		{-2, 0, 0},
	} {
		if got := math.Float64frombits(violationBits(c.g, c.free)); got != c.want {
			t.Errorf("slope %v, free %b: violation = %v, want %v", c.g, c.free, got, c.want)
		}
	}
}

// TestSecondOrderGainsMost checks that secondOrder returns the variable with the largest gain, if the box is so large
// that no bound is active.
func TestSecondOrderGainsMost(t *testing.T) {
	x, y := overlapping(5, 40, 3)
	p := twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 0.1)
	d := newDecompositionState(p, &Decomposition{Cache: 1, Pair: "second-order"})
	d.box = 1e6
	chosen := map[int]bool{}
	for range 8 {
		i, _ := d.worst()
		column := slices.Clone(d.column(i))
		gain := func(j int) float64 {
			qp := pairQP{slope: [2]float64{d.gradient[i], d.gradient[j]}, now: [2]float64{d.a[i], d.a[j]}, box: math.Inf(1),
				curve: [2]float64{column[i] / p.Lambda, d.column(j)[j] / p.Lambda}, cross: column[j] / p.Lambda}
			_, gain := qp.solve()
			return gain
		}
		most := 0.0
		for j := range d.a {
			if j != i && d.a[j] == 0 && d.gradient[j]-d.gradient[i]*column[j]/column[i] > 0 {
				most = max(most, gain(j))
			}
		}
		j := d.secondOrder(i, d.a[i]+d.gradient[i]*p.Lambda/column[i], column)
		if j < 0 {
			break
		}
		chosen[j] = true
		if got := gain(j); d.a[j] == 0 && math.Abs(got-most) > 1e-9*most {
			t.Errorf("first variable %d: gain with the chosen variable %d = %v, want the largest, %v", i, j, got, most)
		}
		d.step(i)
	}
	if len(chosen) < 3 {
		t.Errorf("%d different variables were chosen, want at least 3", len(chosen))
	}
}
