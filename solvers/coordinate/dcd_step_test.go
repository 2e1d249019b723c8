package coordinate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// dcdProblems are of two classes, with and without a bias, and of more, with overlaps.
func dcdProblems(t testing.TB, n int) map[string]*models.Risk {
	t.Helper()
	two, many := testbed.OverlappingClasses(n, 4, 2), testbed.OverlappingClasses(n, 5, 4)
	return map[string]*models.Risk{
		"two classes":            testbed.TaskOf(t, multiclass.Binary{LossScale: 1}, two).Risk(models.Hinge(), 0.1),
		"two classes, bias":      testbed.TaskOf(t, multiclass.Binary{LossScale: 3, Bias: 2}, two).Risk(models.Hinge(), 0.01),
		"two blocks of weights":  testbed.TaskOf(t, multiclass.Model{LossScale: 1}, two).Risk(models.Hinge(), 0.03),
		"four classes":           testbed.TaskOf(t, multiclass.Model{LossScale: 1}, many).Risk(models.Hinge(), 0.03),
		"four classes, small λ":  testbed.TaskOf(t, multiclass.Model{LossScale: 2}, many).Risk(models.Hinge(), 1e-3),
		"four classes, margin 2": testbed.TaskOf(t, multiclass.Model{LossScale: 1}, many).Risk(models.Loss{Margin: 2}, 0.1),
	}
}

// The projection has the properties that only the nearest point has: entries ≥ 0 of sum 1, and v less a common t where
// they are positive, at most t elsewhere.
func TestProjectOnTheSimplex(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		v := make([]float64, 2+rng.IntN(12))
		size := math.Pow(10, 6*rng.Float64()-3)
		for c := range v {
			v[c] = size * rng.NormFloat64()
			if rng.IntN(4) == 0 { // ties
				v[c] = v[rng.IntN(c+1)]
			}
		}
		p := slices.Clone(v)
		project(p)
		var sum float64
		low, high := math.Inf(1), math.Inf(-1)
		highest := math.Inf(-1)
		for c, x := range p {
			sum += x
			switch {
			case x < 0:
				t.Fatalf("%v: entry %d of the projection is %v", v, c, x)
			case x > 0:
				low, high = min(low, v[c]-x), max(high, v[c]-x)
			default:
				highest = max(highest, v[c])
			}
		}
		tol := 1e-12 * (1 + size)
		if math.Abs(sum-1) > tol || high-low > tol || highest > high+tol {
			t.Fatalf("%v: projection %v sums to %v; differences %v to %v, largest that is left out %v", v, p, sum, low, high,
				highest)
		}
	}
}

// A visit changes D by what the formula says, and no other distribution of the example does better.
func TestDCDVisitIsBest(t *testing.T) {
	for name, p := range dcdProblems(t, 12) {
		rng := rand.New(rand.NewPCG(2, 2))
		st := newDCDState(p, 1, true)
		n := float64(len(p.Examples))
		for visit := range 60 {
			i := rng.IntN(len(p.Examples))
			e, alpha := &p.Examples[i], st.Of(st.alpha, i)
			s, old, before := make([]float64, len(alpha)), slices.Clone(alpha), st.dual()
			e.Features.Score(s, st.w)
			p.Loss.Augment(s, e.Cost)
			st.visit(i)
			change := func(to []float64) (v float64) {
				d := make([]float64, len(to))
				for c := range to {
					d[c] = to[c] - old[c]
					v += s[c] * d[c]
				}
				return (v - e.Features.(models.Gram).NormSq(d)/(2*st.lambda*n)) / n
			}
			gain := change(alpha)
			if after := st.dual(); math.Abs(after-before-gain) > 1e-12*(1+math.Abs(after)) {
				t.Fatalf("%s, visit %d: D changes by %v; the formula gives %v", name, visit, after-before, gain)
			}
			other := make([]float64, len(alpha))
			for range 50 {
				for c := range other {
					other[c] = rng.NormFloat64()
				}
				project(other)
				near := rng.Float64()
				for c := range other {
					other[c] = near*other[c] + (1-near)*alpha[c]
				}
				if better := change(other); better > gain+1e-12 {
					t.Fatalf("%s, visit %d: D could rise by %v, at %v; the visit went to %v, by %v", name, visit, better, other,
						alpha, gain)
				}
			}
		}
	}
}

// Whatever the sweeps leave out, at the end no example violates the conditions of optimality, and sweeps did leave some
// out.
func TestDCDForgetsNoExample(t *testing.T) {
	for name, p := range dcdProblems(t, 60) {
		st := newDCDState(p, 1, true)
		short := 0
		for !st.optimal && st.visits < 4e6 {
			st.next()
			if st.active < len(st.set) {
				short++
			}
		}
		if short == 0 {
			t.Errorf("%s: no sweep left an example out", name)
		}
		if primal, dual := p.Primal(st.w), st.dual(); primal-dual > 1e-8*primal {
			t.Errorf("%s: ends after %d visits with primal %v, dual %v", name, st.visits, primal, dual)
		}
	}
}

// Features that are not isotropic are refused.
func TestDCDNeedsIsotropicFeatures(t *testing.T) {
	p := testbed.WithFeatures(dcdProblems(t, 5)["four classes"], testbed.NewNormOnly)
	if err := solvers.Missing(NewDCD(), p); err == nil {
		t.Error("features that do not say that they are isotropic are accepted")
	}
}

func TestDCDVisitsDoNotAllocate(t *testing.T) {
	for name, p := range dcdProblems(t, 20) {
		st := newDCDState(p, 1, true)
		if allocations := testing.AllocsPerRun(200, st.next); allocations > 0 {
			t.Errorf("%s: %v allocations a visit", name, allocations)
		}
	}
}
