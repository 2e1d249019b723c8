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

// dcdProblems returns problems with two classes, with and without a bias, and problems with four overlapping classes.
func dcdProblems(t testing.TB, n int) map[string]*models.Risk {
	t.Helper()
	two, many := testbed.OverlappingClasses(n, 4, 2), testbed.OverlappingClasses(n, 5, 4)
	return map[string]*models.Risk{
		"two classes": testbed.TaskOf(t, multiclass.Binary{LossScale: 1}, two).Objective(models.Hinge(),
			0.1).(*models.Risk),
		"two classes, bias": testbed.TaskOf(t, multiclass.Binary{LossScale: 3, Bias: 2}, two).Objective(models.Hinge(),
			0.01).(*models.Risk),
		"two blocks of weights": testbed.TaskOf(t, multiclass.Model{LossScale: 1}, two).Objective(models.Hinge(),
			0.03).(*models.Risk),
		"four classes": testbed.TaskOf(t, multiclass.Model{LossScale: 1}, many).Objective(models.Hinge(),
			0.03).(*models.Risk),
		"four classes, small λ": testbed.TaskOf(t, multiclass.Model{LossScale: 2}, many).Objective(models.Hinge(),
			1e-3).(*models.Risk),
		"four classes, margin 2": testbed.TaskOf(t, multiclass.Model{LossScale: 1}, many).Objective(models.Loss{Margin: 2},
			0.1).(*models.Risk),
	}
}

// TestProjectOnTheSimplex checks the properties of a projection p of v that only the nearest point has: its entries are
// ≥ 0 and sum to 1, and there is a threshold t such that p_c = v_c − t for positive entries and v_c ≤ t for the
// others.
func TestProjectOnTheSimplex(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		v := make([]float64, 2+rng.IntN(12))
		size := math.Pow(10, 6*rng.Float64()-3)
		for c := range v {
			v[c] = size * rng.NormFloat64()
			if rng.IntN(4) == 0 { // test ties between entries
				v[c] = v[rng.IntN(c+1)]
			}
		}
		p := projection(v)
		var sum float64
		low, high := math.Inf(1), math.Inf(-1)
		highest := math.Inf(-1)
		for c, x := range p {
			sum += x
			switch {
			case x < 0:
				t.Fatalf("%v: entry %d of the projection = %v, want ≥ 0", v, c, x)
			case x > 0:
				low, high = min(low, v[c]-x), max(high, v[c]-x)
			default:
				highest = max(highest, v[c])
			}
		}
		tol := 1e-12 * (1 + size)
		if math.Abs(sum-1) > tol || high-low > tol || highest > high+tol {
			t.Fatalf("%v: the projection %v sums to %v, with thresholds t from %v to %v, and the largest v_c of its zeros is "+
				"%v: want the sum 1, one threshold, and v_c ≤ t", v, p, sum, low, high, highest)
		}
	}
}

// TestProjectionOfRounding checks that project also ends if some masses have the size of rounding errors. For these
// inputs, rounding errors put an entry above and below the threshold in turn.
func TestProjectionOfRounding(t *testing.T) {
	for _, v := range [][]float64{
		{5.280704189141524e-17, 7.414844693929165e-17, 1},
		{5.60643192994595e-17, 8.72334492380316e-17, 1, 5.2311072492351375e-17},
		{5.4784918774501436e-17, 6.604103973676582e-17, 1},
	} {
		p := projection(v)
		for c, mass := range p {
			if math.Abs(mass-math.Round(v[c])) > 1e-15 {
				t.Errorf("%v: projection = %v, want all mass on the entry 1", v, p)
				break
			}
		}
	}
}

// projection returns the point of the simplex that is nearest to v.
func projection(v []float64) []float64 {
	masses := make([]dcdMass, len(v))
	for c, x := range v {
		masses[c] = dcdMass{c, x}
	}
	project(masses)
	out := make([]float64, len(v))
	for c, a := range masses {
		out[c] = a.mass
	}
	return out
}

// distribution returns the distribution α_i of example i over its classes.
func distribution(point dcdPoint, p *models.Risk, i int) []float64 {
	switch point := point.(type) {
	case *dcdClasses:
		alpha := make([]float64, point.examples[i].parts)
		for _, a := range point.examples[i].alpha {
			alpha[a.class] = a.mass
		}
		return alpha
	case *dcdPairs:
		alpha := slices.Repeat([]float64{point.pairs[i].a}, 2)
		alpha[p.Examples[i].Truth[0]] = 1 - alpha[0]
		return alpha
	}
	panic("coordinate: unknown type of dcdPoint")
}

// TestDCDVisitIsBest checks that a visit changes the dual D as the formula for ΔD in DCD predicts, that no other
// distribution of the example gives a larger D, and that visit returns the right violation and lead (see dcdPoint).
// After half of the visits, λ changes.
func TestDCDVisitIsBest(t *testing.T) {
	for name, p := range dcdProblems(t, 12) {
		rng := rand.New(rand.NewPCG(2, 2))
		for _, point := range []dcdPoint{newDCDClasses(p), newDCDSession(p, solvers.Env{Seed: 1}, true).point} {
			p, n := p, float64(len(p.Examples))
			for visit := range 60 {
				if visit == 30 {
					p = p.At(3 * p.Lambda)
					point.scale(p.Lambda)
				}
				i := rng.IntN(len(p.Examples))
				e, old, before := &p.Examples[i], distribution(point, p, i), point.dual()
				s := make([]float64, len(old))
				e.Features.Score(s, point.weights())
				p.Loss.Augment(s, e.Cost)
				violation, lead := point.visit(i)
				if v, l := stand(s, old); math.Abs(v-violation) > 1e-12*(1+v) || violation == 0 && math.Abs(l-lead) > 1e-12 {
					t.Fatalf("%s, visit %d of %T: violation = %v and lead = %v, want %v and %v", name, visit, point, violation, lead,
						v, l)
				}
				change := func(to []float64) (v float64) {
					d := make([]float64, len(to))
					for c := range to {
						d[c] = to[c] - old[c]
						v += s[c] * d[c]
					}
					return (v - e.Features.(models.Gram).NormSq(d)/(2*p.Lambda*n)) / n
				}
				alpha := distribution(point, p, i)
				gain := change(alpha)
				if after := point.dual(); math.Abs(after-before-gain) > 1e-12*(1+math.Abs(after)) {
					t.Fatalf("%s, visit %d of %T: change of D = %v, want %v by the formula", name, visit, point, after-before, gain)
				}
				other := make([]float64, len(alpha))
				for range 50 {
					for c := range other {
						other[c] = rng.NormFloat64()
					}
					other = projection(other)
					near := rng.Float64()
					for c := range other {
						other[c] = near*other[c] + (1-near)*alpha[c]
					}
					if better := change(other); better > gain+1e-12 {
						t.Fatalf("%s, visit %d of %T: the visit increases D by %v at %v, want the maximum: %v increases D by %v", name,
							visit, point, gain, alpha, other, better)
					}
				}
			}
		}
	}
}

// stand returns the violation and the lead that dcdPoint.visit must return for an example with scores s and
// distribution alpha.
func stand(s, alpha []float64) (violation, lead float64) {
	top, low, own, second := math.Inf(-1), math.Inf(1), -1, math.Inf(-1)
	for c, v := range s {
		top = max(top, v)
		if alpha[c] > 0 {
			low = min(low, v)
		}
		if alpha[c] == 1 {
			own = c
		}
	}
	for c, v := range s {
		if c != own {
			second = max(second, v)
		}
	}
	if own < 0 {
		return top - low, math.Inf(-1)
	}
	return top - low, s[own] - second
}

// TestDCDForgetsNoExample checks that a run with shrinking ends at the optimum of all examples, although some sweeps
// leave out examples.
func TestDCDForgetsNoExample(t *testing.T) {
	for name, p := range dcdProblems(t, 60) {
		st := newDCDSession(p, solvers.Env{Seed: 1}, true)
		short := 0
		for !st.optimal && st.visits < 4e6 {
			st.next()
			if st.active() < len(st.set) {
				short++
			}
		}
		if short == 0 {
			t.Errorf("%s: no sweep left out an example: want a problem with shrinking", name)
		}
		if primal, dual := p.Primal(st.point.weights()), st.point.dual(); primal-dual > 1e-8*primal {
			t.Errorf("%s: primal = %v and dual = %v at the end, after %d visits: want a gap of 0", name, primal, dual, st.visits)
		}
	}
}

// TestSessionsAfterTheirEnd checks that a session that has reached the optimum at one λ, and has ended by itself if
// the method does so, finds the optimum at other λ.
func TestSessionsAfterTheirEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test solves to the end")
	}
	for name, p := range dcdProblems(t, 30) {
		for method, s := range map[string]solvers.Warm{"dcd": &DCD{}, "dcd, shrinking": &DCD{Shrinking: true}} {
			session, err := s.Start(p, solvers.Env{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			begin, epoch := 0, 0
			for _, lambda := range []float64{p.Lambda, 10 * p.Lambda, p.Lambda / 3, p.Lambda} {
				q, gap := p.At(lambda), math.Inf(1)
				for it, err := range session.Run(lambda) {
					if err != nil {
						t.Fatal(err)
					}
					primal := q.Primal(it.W)
					gap, epoch = (primal-it.Dual())/primal, it.Epoch
					if epoch > begin+5000 {
						break
					}
				}
				begin = epoch
				if !(gap < 1e-6) {
					t.Errorf("%s, %s, λ = %g: relative gap %g at the end, want at most 1e-6", method, name, lambda, gap)
				}
			}
		}
	}
}

func TestDCDVisitsDoNotAllocate(t *testing.T) {
	for name, p := range dcdProblems(t, 20) {
		st := newDCDSession(p, solvers.Env{Seed: 1}, true)
		if allocations := testing.AllocsPerRun(200, st.next); allocations > 0 {
			t.Errorf("%s: %v allocations per visit, want 0", name, allocations)
		}
	}
}

// leads is a dcdPoint for tests: visit(i) returns violation[i] and lead[i], and changes nothing.
type leads struct {
	dcdPoint
	violation, lead []float64
}

func (p leads) visit(i int) (violation, lead float64) { return p.violation[i], p.lead[i] }
func (leads) fetch(int, int)                          {}

// TestDCDShrinking checks that exactly these examples leave the sweeps: their violation is 0 up to rounding, and their
// lead is larger than dcdMargin times the largest violation of the previous sweep. Without shrinking, no example
// leaves.
func TestDCDShrinking(t *testing.T) {
	const worst = 0.5
	p := leads{violation: []float64{worst, 0, 0, 0, 0.1},
		lead: []float64{math.Inf(-1), 0.9 * dcdMargin * worst, 1.1 * dcdMargin * worst, math.Inf(-1), 9}}
	for _, shrinking := range []bool{true, false} {
		s := newDCDSweep(p, len(p.lead), 1, shrinking)
		for sweep, want := range []int{5, 5, 4, 4} {
			if !shrinking {
				want = 5
			}
			if s.size != want {
				t.Errorf("shrinking %v: sweep %d has %d examples, want %d", shrinking, sweep, s.size, want)
			}
			for range s.size {
				s.next()
			}
		}
		if left := !slices.Contains(s.set[:s.size], 2); left != shrinking {
			t.Errorf("shrinking %v: the example with the large lead is removed: %v, want %v", shrinking, left, shrinking)
		}
	}
}
