package simplicial

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/solvers"
)

// failure returns an error if the primal value or the value of the last master problem is not finite.
func (s *rsdState) failure() error {
	if v := s.primal + s.lastDual + s.bound.value; math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("solvers: rsd: the primal value is %v and the value of the master problem %v in epoch %d: the "+
			"counts of the training data are NaN, or too large for gamma %v", s.primal, s.lastDual, s.rounds, s.r.Gamma)
	}
	return nil
}

func (s *rsdState) iterate() solvers.Iterate {
	it := solvers.Iterate{W: s.best, Epoch: s.rounds, Dual: func() float64 { return s.bound.value }, Stats: s.stats,
		State: s.carry}
	if s.whole {
		it.Primal = func() float64 { return s.primal }
	} else {
		it.Primal = func() float64 { return s.p.Primal(s.best) }
	}
	return it
}

// stats yields the statistics of a round. They are:
//   - the upper and lower bound of the round's proximal problem (with working sets, the upper bound is an estimate),
//     and the first-order ascent G;
//   - the estimate of a lower bound on (P) (see rsdBound.estimate), and the number of vectors that this estimate clips
//     to the domain;
//   - the number of all points, of points with positive weight (the newest point still has weight 0), and of points
//     with a weight above 0.1 %;
//   - the number of centre changes by both rules, by rule (i) and by rule (ii);
//   - the mass 1 − Σ_j exp(θ_ij) that is missing in the vectors i of W: the largest missing mass, and the share of
//     vectors where it is at most 1 %;
//   - the oracle calls of each phase, and the number of steps of the master problems.
func (s *rsdState) stats(yield func(name string, v float64)) {
	estimate, violated := s.bound.estimate(s.master.z, s.master.omega, s.master.lambda)
	points, support, major := s.sets.points()
	missing, proper := s.missing()
	for _, x := range []struct {
		name  string
		value float64
	}{
		{"proximal_primal", s.lastPn}, {"proximal_dual", s.lastDual}, {"ascent", s.ascent}, {"lower_estimate", estimate},
		{"violated", float64(violated)},
		{"points", float64(points)}, {"positive_points", float64(support)}, {"major_points", float64(major)},
		{"centre_changes", float64(s.centre.changes())}, {"centre_changes_descent", float64(s.centre.descents)},
		{"centre_changes_optimal", float64(s.centre.optima)},
		{"missing_mass", missing}, {"proper_share", proper},
		{"direction_calls", float64(s.direction.calls)}, {"centre_calls", float64(s.centred)},
		{"master_steps", float64(s.master.steps)},
	} {
		yield(x.name, x.value)
	}
}

// rsdProper is the largest missing mass (see missing) of a vector that counts in the statistic proper_share.
const rsdProper = 0.01

// missing returns the largest 1 − Σ_j exp(θ_ij) over the vectors i of W, and the share of vectors where this is at most
// rsdProper.
func (s *rsdState) missing() (largest, proper float64) {
	for i := range s.g.Vectors() {
		left := 1.0
		for _, x := range s.best[s.g.First[i]:s.g.First[i+1]] {
			left -= math.Exp(x)
		}
		largest = max(largest, left)
		if left <= rsdProper {
			proper++
		}
	}
	return largest, proper / float64(s.g.Vectors())
}
