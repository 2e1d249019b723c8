package simplicial

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/solvers"
)

// roundCheck compares the state of a run after a round with values that it computes again from the definitions in the
// comments of RSD, rsdSets and rsdCentre.
type roundCheck struct {
	t    *testing.T
	name string
	s    *rsdState
}

// close reports an error if two numbers differ by more than rounding errors.
func (c roundCheck) close(what string, got, want float64) {
	c.t.Helper()
	if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
		c.t.Errorf("%s, round %d: %s = %v, want %v", c.name, c.s.rounds, what, got, want)
	}
}

// same reports an error if two counts differ.
func (c roundCheck) same(what string, got, want int) {
	c.t.Helper()
	if got != want {
		c.t.Errorf("%s, round %d: %s = %d, want %d", c.name, c.s.rounds, what, got, want)
	}
}

// penalty returns the penalty at theta of the examples lo to hi − 1, as models.Generative computes it.
func (c roundCheck) penalty(theta []float64, lo, hi int) float64 {
	q := *c.s.p
	q.Examples = q.Examples[lo:hi]
	return q.Primal(theta) - q.Term(theta)
}

// along returns θ·μ + ω − |σ|²/(2η).
func (c roundCheck) along(theta, z []float64, omega float64) float64 {
	for j, x := range z {
		if j < len(theta) {
			omega += theta[j] * x
		} else {
			omega -= x * x / (2 * c.s.g.Eta)
		}
	}
	return omega
}

// mean adds the weighted mean of the points to z, and returns the mean of their ω.
func mean(points []*rsdPoint, z []float64) (omega float64) {
	for _, p := range points {
		floats.AddScaled(z, p.alpha, p.z)
		omega += p.alpha * p.omega
	}
	return omega
}

// TestRSDRounds computes the results of each round of each variant again: the present points, the dual and its
// optimality, the bounds, the first-order ascent, the objective at θˢ (or its estimate from the examples of the
// round), the centre and its changes, W, and the numbers of oracle calls.
func TestRSDRounds(t *testing.T) {
	cases := rsdCases(t)
	for _, k := range []int{0, 3, 4, 6} {
		for name, r := range rsdVariants() {
			if r.Begin == rsdPrior && cases[k].p.Prior == nil {
				continue
			}
			r.Inner = 2
			s := newRSDState(r, cases[k].p, solvers.Env{Seed: 1})
			c := roundCheck{t, cases[k].name + ", " + name, s}
			c.close("the first primal", s.primal, s.p.Primal(s.best))
			c.close("δ̄", s.centre.delta, r.Delta*math.Abs(s.primal))
			c.close("the first δ_m", s.centre.tolerance, r.Delta*math.Abs(s.primal))
			c.close("P at the first centre", s.centre.value, s.primal)
			for s.rounds < 14 && c.round() {
			}
			if s.rounds < 10 {
				t.Errorf("%s: the run ended after %d rounds, want at least 10", c.name, s.rounds)
			}
		}
	}
}

// round makes a round and checks it. It returns false if the run has ended.
func (c roundCheck) round() bool {
	c.t.Helper()
	s := c.s
	n, variant := len(s.p.Examples), s.r.WorkingSets
	before, calls, bound := *s, s.direction.calls, s.bound.value
	centre, best := slices.Clone(s.dual.centre), slices.Clone(s.best)
	var present [][]*rsdPoint
	for _, x := range s.sets.simplices {
		present = append(present, slices.Clone(x.points))
	}
	if !s.round() {
		return false
	}
	lo, hi := s.sets.bounds[s.sets.at], s.sets.bounds[s.sets.at+1]
	changes := s.centre.changes() - before.centre.changes()
	moved := changes > 0

	// the present points, and the sums of all of them
	sum, omega := make([]float64, len(s.master.z)), 0.0
	own, ownOmega := make([]float64, len(s.master.z)), 0.0
	for k, x := range s.sets.simplices {
		w := mean(x.points, sum)
		omega += w
		if len(x.points) > x.limit {
			c.t.Errorf("%s: %d points, want at most %d", c.name, len(x.points), x.limit)
		}
		if len(s.sets.simplices) == 1 || k == s.sets.at {
			ownOmega = mean(x.points, own)
		}
		for i, p := range x.points {
			for _, q := range x.points[:i] {
				if &p.z[0] == &q.z[0] || p.omega == q.omega && slices.Equal(p.z, q.z) {
					c.t.Errorf("%s, round %d: two points of a simplex are equal", c.name, s.rounds)
				}
			}
		}
	}
	c.close("the distance of z from the sum of the present points", floats.Distance(sum, s.master.z, 2), 0)
	c.close("ω", s.master.omega, omega)

	if !moved { // otherwise the multipliers belong to the new centre
		d := newRSDProximal(s.g, s.r.Gamma, centre, len(sum))
		c.close("the proximal dual", s.lastDual, d.at(sum, omega, s.master.lambda))
		precision := 1e-9 * (1 + math.Abs(s.lastDual))
		if !math.IsInf(before.ascent, 1) {
			precision = max(precision, rsdPrecision*before.ascent)
		}
		total := 0.0
		for k, points := range present {
			if variant == rsdCoordinate && k != s.sets.at {
				continue // this simplex was fixed
			}
			top, mean := math.Inf(-1), 0.0
			for _, p := range points {
				v := p.omega + floats.Dot(d.slope, p.z)
				top, mean = max(top, v), mean+p.alpha*v
			}
			total += top - mean
		}
		if total > precision {
			c.t.Errorf("%s, round %d: the master problem can still increase by %v, want at most %v", c.name, s.rounds, total,
				precision)
		}
		for i, m := range d.mass {
			if m > 1+1e-9 || m < 1-1e-9 && s.master.lambda[i] > 0 {
				c.t.Errorf("%s, round %d: mass %d is %v at λ = %v", c.name, s.rounds, i, m, s.master.lambda[i])
			}
		}
	}

	c.close("the bound", s.bound.value, newRSDBound(s.g, s.p.Dim(), len(sum)).at(s.bound.best.z, s.bound.best.omega))
	if s.bound.value < bound {
		c.t.Errorf("%s, round %d: the bound decreases", c.name, s.rounds)
	}

	// the centre test: which examples it uses, and what P is at θˢ
	share, tested, whole := 1.0, true, variant != rsdOnline
	centred := 0
	value := before.centre.value
	switch variant {
	case rsdOnline:
		share = float64(n) / float64(hi-lo)
		if s.sets.rounds == 1 {
			value = s.g.Term(centre) + share*c.penalty(centre, lo, hi)
			centred += hi - lo
		}
	case rsdCoordinate, rsdCombined:
		tested = s.sets.over && s.sets.visits%s.r.Sets == 0
		lo, hi = 0, n
		if tested {
			centred += n
		}
	}
	if tested {
		at := s.g.Term(s.shifted) + share*c.penalty(s.shifted, lo, hi)
		far := floats.Distance(s.shifted, centre, 2)
		c.close("the proximal primal", s.lastPn, at+s.r.Gamma/2*far*far)
		if falls := at <= value-s.centre.delta; falls != (s.centre.descents > before.centre.descents) || falls && !moved {
			c.t.Errorf("%s, round %d: P falls from %v to %v: the centre moves: %v, by rule (i): %v", c.name, s.rounds, value,
				at, moved, !falls)
		}
		if moved {
			value = at
			if whole && variant == rsdNone || variant == rsdOnline {
				centred += hi - lo
			}
		}
		switch {
		case !whole || at < before.primal-1e-12*math.Abs(at):
			c.close("the distance of W from θˢ", floats.Distance(s.best, s.shifted, 2), 0)
		case at > before.primal+1e-12*math.Abs(at):
			c.close("the distance of W from the W before", floats.Distance(s.best, best, 2), 0)
		}
	}
	if whole {
		c.close("the primal", s.primal, s.p.Primal(s.best))
	}
	c.close("P at the centre", s.centre.value, value)
	want := 0.0
	if moved {
		want = floats.Distance(centre, s.shifted, math.Inf(1))
		c.close("the distance of the centre from θˢ", floats.Distance(s.dual.centre, s.shifted, 2), 0)
	}
	c.close("the move of the centre", s.moved, want)
	if changes > 1 || moved && !tested || !moved && !slices.Equal(centre, s.dual.centre) {
		c.t.Errorf("%s, round %d: %d changes of the centre, tested: %v", c.name, s.rounds, changes, tested)
	}
	switch {
	case variant == rsdNone || variant == rsdOnline:
		c.close("the ascent", s.ascent, max(0, c.penalty(s.dual.x, lo, hi)-c.along(s.dual.x, own, ownOmega)))
	case !tested:
		lo, hi = s.sets.bounds[s.sets.at], s.sets.bounds[s.sets.at+1]
		c.close("the ascent", s.ascent, max(0, c.penalty(s.dual.x, lo, hi)-c.along(s.dual.x, own, ownOmega)))
	case !moved:
		c.close("the ascent", s.ascent, max(0, c.penalty(s.dual.x, 0, n)-c.along(s.dual.x, sum, omega)))
	}
	c.same("oracle calls of the direction", s.direction.calls-calls, s.sets.bounds[s.sets.at+1]-s.sets.bounds[s.sets.at])
	c.same("oracle calls of the centre", s.centred-before.centred, centred)
	return true
}

// TestRSDStats computes the statistics that are sums over points and vectors again, and checks which number each name
// has.
func TestRSDStats(t *testing.T) {
	for name, r := range rsdVariants() {
		s := newRSDState(r, ringProblem(t, smallRing()), solvers.Env{Seed: 1})
		for range 20 {
			s.round()
		}
		s.ascent, s.lastPn, s.lastDual = 11, 12, 13
		s.centre.descents, s.centre.optima, s.centred, s.direction.calls, s.master.steps = 14, 15, 16, 17, 18
		for i := range s.g.Vectors() { // the masses 1, 0.985, 0.97, ...
			width := float64(s.g.First[i+1] - s.g.First[i])
			for j := s.g.First[i]; j < s.g.First[i+1]; j++ {
				s.best[j] = math.Log((1 - 0.015*float64(i)) / width)
			}
		}
		want := map[string]float64{"proximal_primal": 12, "proximal_dual": 13, "ascent": 11, "centre_changes": 29,
			"centre_changes_descent": 14, "centre_changes_optimal": 15, "direction_calls": 17, "centre_calls": 16,
			"master_steps": 18, "proper_share": 1 / float64(s.g.Vectors()),
			"missing_mass": 0.015 * float64(s.g.Vectors()-1)}
		for _, x := range s.sets.simplices {
			for _, p := range x.points {
				want["points"]++
				if p.alpha > 0 {
					want["positive_points"]++
				}
				if p.alpha > 1e-3 {
					want["major_points"]++
				}
			}
		}
		outside := map[int]bool{}
		for i := range s.g.Vectors() {
			for j := s.g.First[i]; j < s.g.First[i+1]; j++ {
				if s.master.z[j] > s.g.Prior[j] {
					outside[i] = true
				}
			}
		}
		want["violated"] = float64(len(outside))
		want["lower_estimate"], _ = s.bound.estimate(s.master.z, s.master.omega, s.master.lambda)
		got := map[string]float64{}
		s.stats(func(name string, v float64) { got[name] = v })
		if len(got) != len(want) {
			t.Errorf("%s: %d statistics, want %d", name, len(got), len(want))
		}
		for k, v := range want {
			if x, ok := got[k]; !ok || math.Abs(x-v) > 1e-12*(1+math.Abs(v)) {
				t.Errorf("%s: %s = %v, want %v", name, k, x, v)
			}
		}
	}
}
