package solvertest

import (
	"iter"
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// checkConvergence checks that every run reaches the certified optimum of its problem, and that the run's dual and
// primal values enclose the optimum at every yield.
func (s *suite) checkConvergence(t testing.TB, all []*problem) {
	for _, p := range all {
		s.converges(t, p, p.name, s.run(p.objective))
	}
}

// converges checks that a run on p reaches the optimum. Messages call the run what.
func (s *suite) converges(t testing.TB, p *problem, what string, run iter.Seq2[solvers.Iterate, error]) {
	t.Helper()
	accuracy := s.other
	if p.smooth() {
		accuracy = s.smooth
	}
	tol := accuracy * p.start
	best, dual, epoch, yields := math.Inf(1), math.Inf(-1), 0, 0
	bounded := true
	for it, err := range run {
		if err != nil {
			t.Errorf("%s: Run failed at epoch %d: %v", what, epoch, err)
			return
		}
		value, ok := s.holds(t, p, what, it, epoch, &dual)
		if !ok {
			return
		}
		epoch, bounded, best = it.Epoch, it.Dual != nil, math.Min(best, value)
		if yields++; s.searchless {
			if yields > 1 {
				t.Errorf("%s: %d yields of a solver that does not search: want 1", what, yields)
				return
			}
			continue
		}
		if p.own {
			if !bounded || best-dual <= tol {
				return
			}
		} else if best <= p.high+tol && (!bounded || dual >= p.low-tol) {
			return
		}
		if epoch > s.epochs || yields > 100*(s.epochs+1) {
			break
		}
	}
	switch {
	case s.searchless && yields == 1:
	case p.own:
		t.Errorf("%s: dual = %v and primal = %v by epoch %d: want a difference of at most %.3g", what, dual, best, epoch, tol)
	case best > p.high+tol:
		t.Errorf("%s: best primal = %v by epoch %d, the optimum is %v: want a difference of at most %.3g", what, best, epoch,
			p.high, tol)
	default:
		t.Errorf("%s: best dual = %v by epoch %d, the optimum is %v: want a difference of at most %.3g", what, dual, epoch,
			p.low, tol)
	}
}

// holds checks one iterate: the length of W, and its primal and dual against each other and against the optimum. It
// updates *dual, the best dual of the run so far. It returns the primal, and whether all checks passed.
func (s *suite) holds(t testing.TB, p *problem, what string, it solvers.Iterate, lastEpoch int,
	dual *float64) (value float64, ok bool) {
	t.Helper()
	if it.Epoch < lastEpoch {
		t.Errorf("%s: epoch %d follows epoch %d: want numbers that never decrease", what, it.Epoch, lastEpoch)
		return 0, false
	}
	if it.W == nil && it.Primal == nil || it.W != nil && len(it.W) != dim(p.objective) {
		t.Errorf("%s: epoch %d: len(W) = %d: want Dim = %d, or a nil W with Primal set", what, it.Epoch, len(it.W),
			dim(p.objective))
		return 0, false
	}
	value = primal(p.objective, it)
	if math.IsNaN(value) || value < p.low-p.slop() {
		t.Errorf("%s: epoch %d: primal = %v, but the optimum is at least %v", what, it.Epoch, value, p.low)
		return 0, false
	}
	if it.Dual == nil {
		return value, true
	}
	d := it.Dual()
	if !(d <= value+p.slop()) || d > p.high+p.slop() {
		t.Errorf("%s: epoch %d: dual = %v is no lower bound: primal = %v, optimum = %v", what, it.Epoch, d,
			value, p.high)
		return 0, false
	}
	if s.monotone && d < *dual-p.slop() {
		t.Errorf("%s: epoch %d: the dual decreased from %v to %v, in spite of MonotoneDual", what, it.Epoch, *dual, d)
		return 0, false
	}
	*dual = math.Max(*dual, d)
	return value, true
}

// checkExtremes checks that a run neither panics nor fails nor gives NaN if λ is very large or very small.
func (s *suite) checkExtremes(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		if p.Risk == nil {
			continue
		}
		for _, lambda := range []float64{1e-9, 1e9} {
			q := p.at(lambda)
			yields := 0
			for it, err := range s.run(q) {
				if err != nil {
					t.Errorf("%s with λ = %g: Run failed: %v", p.name, lambda, err)
					break
				}
				value := primal(q, it)
				if math.IsNaN(value) || !allFinite(it.W) {
					if !s.mayDiverge {
						t.Errorf("%s with λ = %g: yield %d: primal = %v, W is finite: %v; want finite values", p.name, lambda, yields,
							value, allFinite(it.W))
					}
					break
				}
				if it.Dual != nil {
					if d := it.Dual(); !(d <= value+1e-9*(1+math.Abs(value))) {
						t.Errorf("%s with λ = %g: yield %d: dual = %v exceeds primal = %v", p.name, lambda, yields, d, value)
						break
					}
				}
				if yields++; yields > 60 {
					break
				}
			}
		}
	}
}

// dim returns the number of weights of an objective.
func dim(o models.Objective) int {
	switch o := o.(type) {
	case *models.Risk:
		return o.Dim
	case *models.Generative:
		return o.Dim()
	}
	return 0
}
