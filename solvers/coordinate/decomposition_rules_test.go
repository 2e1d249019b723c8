package coordinate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestDecompositionCheck checks which label losses Decomposition accepts. Only the last example has the losses of the
// case.
func TestDecompositionCheck(t *testing.T) {
	x, y := overlapping(9, 10, 3)
	good := twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 0.1)
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		truth, other float64
		short        bool // the slice of costs has only one element
		zeroOne      float64
		accepted     bool
	}{
		{0, 1, false, 0, true}, {0, 0, false, 0, true}, {0, 1e300, false, 0, true}, {0, 0, false, 2.5, true},
		{0, 0, true, 0, true}, {0.1, 1, false, 0, false}, {-0.1, 1, false, 0, false}, {nan, 1, false, 0, false},
		{0, -1e-9, false, 0, false}, {0, inf, false, 0, false}, {0, -inf, false, 0, false}, {0, nan, false, 0, false},
		{0, 0, false, inf, false},
	} {
		k := 0
		p := good.Map(func(e *models.Example) {
			if k++; k < len(x) {
				return
			}
			e.Cost = make([]float64, 2)
			e.Cost[e.Truth[0]], e.Cost[1-e.Truth[0]] = c.truth, c.other
			if c.short {
				e.Cost = e.Cost[:1]
			}
			if e.ZeroOne = c.zeroOne; c.zeroOne > 0 {
				e.Cost = nil
			}
		}).(*models.Risk)
		err := NewDecomposition().Check(p)
		if c.accepted != (err == nil) || err != nil && !errors.Is(err, solvers.ErrUnsupported) {
			t.Errorf("%+v: Check = %v, want an error: %v", c, err, !c.accepted)
		}
		if err != nil && !strings.Contains(err.Error(), "example 9 has") {
			t.Errorf("%+v: Check = %q, want the index of the example, 9", c, err)
		}
	}
}

// TestBinaryCosts checks the label losses of the true part and of the other part, also for parts beyond the length of
// Cost.
func TestBinaryCosts(t *testing.T) {
	for _, c := range []struct {
		y            int
		cost         []float64
		zeroOne      float64
		truth, other float64
	}{
		{0, []float64{1, 2}, 0, 1, 2}, {1, []float64{1, 2}, 0, 2, 1}, {0, []float64{1}, 0, 1, 0}, {1, []float64{1}, 0, 0, 1},
		{0, nil, 0, 0, 0}, {1, nil, 0, 0, 0}, {0, nil, 3, 0, 3}, {1, nil, 3, 0, 3},
	} {
		truth, other := binaryCosts(&models.Example{Truth: models.Vertex{c.y}, Cost: c.cost, ZeroOne: c.zeroOne})
		if truth != c.truth || other != c.other {
			t.Errorf("%+v: binaryCosts = %v and %v", c, truth, other)
		}
	}
}

// randomState sets the dual variables of a state to random values: 0, 1/n, or between. Some are equal.
func randomState(t *testing.T, rng *rand.Rand, d *decompositionState) {
	t.Helper()
	for i := range d.a {
		d.set(i, d.box*[]float64{0, 1, 0.5, rng.Float64()}[rng.IntN(4)])
	}
	d.refresh()
}

// TestLargestViolations checks that worst and worstBut return the first variable with the largest violation, −1 if
// there is none, and no variable that cannot move in the direction of its gradient.
func TestLargestViolations(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 5))
	x, y := overlapping(11, 9, 3)
	d := newDecompositionState(twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 0.1), NewDecomposition())
	largest := func(but int) (at int, by float64) {
		at = -1
		for i, g := range d.gradient {
			if v := math.Abs(g); i != but && v > by && (g > 0 && d.a[i] < d.box || g < 0 && d.a[i] > 0) {
				at, by = i, v
			}
		}
		return at, by
	}
	none := 0
	for range 2000 {
		randomState(t, rng, d)
		for i := range d.gradient {
			d.gradient[i] = float64(rng.IntN(5)-2) * []float64{0, 0.5, 1}[rng.IntN(3)] // many ties
		}
		i, by := d.worst()
		if at, most := largest(-1); i != at || by != most {
			t.Fatalf("G = %v, a = %v: worst = %d and %v, want %d and %v", d.gradient, d.a, i, by, at, most)
		}
		if j := d.worstBut(i); i >= 0 {
			if at, _ := largest(i); j != at {
				t.Fatalf("G = %v, a = %v: worstBut(%d) = %d, want %d", d.gradient, d.a, i, j, at)
			}
		} else {
			none++
		}
		for i := range d.gradient {
			d.gradient[i] = math.Copysign(1, d.a[i]-d.box) // all variables but those at 1/n would have to decrease
			if d.a[i] > 0 {
				d.gradient[i] = math.Copysign(0, d.gradient[i])
			}
		}
		if i, by := d.worst(); i != -1 || by != 0 {
			t.Fatalf("G = %v, a = %v: worst = %d and %v, want −1 and 0", d.gradient, d.a, i, by)
		}
	}
	if none > 1000 {
		t.Errorf("%d of 2000 states have no violation, want most to have one", none)
	}
}

// TestSecondOrderRule compares secondOrder with the rule in its comment, also if the best a_i is at an end of the box
// or if variables are not 0: the gain of a change of a_t is the largest increase of D, where a_i follows only if it is
// inside the box.
func TestSecondOrderRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 6))
	inside, ends, none := 0, 0, 0
	for _, lambda := range []float64{0.01, 0.3, 5} {
		x, y := overlapping(12, 25, 3)
		p := twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, lambda)
		d := newDecompositionState(p, &Decomposition{Cache: 1, Pair: "second-order"})
		for range 200 {
			randomState(t, rng, d)
			for range rng.IntN(60) { // some states are near the optimum
				if i, _ := d.worst(); i < 0 || !d.step(i) {
					break
				}
			}
			i := rng.IntN(len(d.a))
			column := slices.Clone(d.column(i))
			alone := min(d.box, max(0, d.a[i]+d.gradient[i]*lambda/column[i]))
			moves := alone > 0 && alone < d.box
			want, most := -1, 0.0
			for j := range d.a {
				slope := d.gradient[j] - (alone-d.a[i])*column[j]/lambda // of a_j after the change of a_i
				if j == i || slope > 0 && d.a[j] >= d.box || slope < 0 && d.a[j] <= 0 {
					continue
				}
				bend := d.column(j)[j] / lambda
				if moves {
					bend -= column[j] * column[j] / column[i] / lambda
				}
				if gain := slope * slope / (2 * bend); gain > most*(1+1e-9) {
					want, most = j, gain
				}
			}
			if got := d.secondOrder(i, alone, column); got != want {
				t.Fatalf("λ = %v, first variable %d: second variable %d, want %d with the gain %v", lambda, i, got, want, most)
			}
			switch {
			case want < 0:
				none++
			case moves:
				inside++
			default:
				ends++
			}
		}
	}
	if inside < 20 || ends < 20 {
		t.Errorf("%d states with a_i inside the box, %d with a_i at an end, %d without a choice: want at least 20 of the "+
			"first two", inside, ends, none)
	}
}

// TestDecompositionYieldsOften checks that at most 1000 steps lie between two yields, even if n/10 is larger. A step of
// a problem whose rows have no features moves two variables from 0 to 1/n.
func TestDecompositionYieldsOften(t *testing.T) {
	x := make([][]float64, 10500)
	for i := range x {
		x[i] = []float64{0}
	}
	p := twoClasses(t, multiclass.Binary{LossScale: 1}, x, make([]int, len(x)), 1)
	yields := 0
	for it := range testbed.Iterates(t, (&Decomposition{Tol: 1e-3, Pair: "violating"}).Train(p, solvers.Env{})) {
		if steps := testbed.Stat(it, "steps"); steps != 1000*float64(yields) {
			t.Errorf("yield %d is after %v steps, want %d", yields, steps, 1000*yields)
		}
		if bounded := testbed.Stat(it, "bounded"); bounded != 2000*float64(yields) {
			t.Errorf("yield %d: bounded = %v, want %d", yields, bounded, 2000*yields)
		}
		if yields++; yields == 2 {
			break
		}
	}
}

// TestDecompositionUnit checks that violations are in units of the largest label loss, whichever example has it, and
// that the statistic violation is 0, not NaN, if all label losses are 0.
func TestDecompositionUnit(t *testing.T) {
	x, y := overlapping(9, 10, 3)
	p := twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 0.1)
	if v := testbed.Stat(newDecompositionState(differentLosses(p), NewDecomposition()).iterate(), "violation"); v != 1 {
		t.Errorf("violation = %v at the start, want 1, that of the largest label loss", v)
	}
	none := p.Map(func(e *models.Example) { e.Cost = nil }).(*models.Risk)
	if at := testbed.EndOf(t, NewDecomposition(), none); at.Stats["violation"] != 0 || at.Stats["steps"] != 0 {
		t.Errorf("violation = %v and steps = %v without losses, want 0 and 0", at.Stats["violation"], at.Stats["steps"])
	}
}
