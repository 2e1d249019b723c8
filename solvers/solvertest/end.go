package solvertest

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkEnd checks that a run that ends by itself does not change its last iterate after its last yield. Callers rely on
// this: they need not copy every iterate to keep the last one.
func (s *suite) checkEnd(t testing.TB, all []*problem) {
	const most = 100 // the largest number of epochs of a run in this check
	for _, p := range all {
		var last solvers.Iterate
		var want point
		yields, ended := 0, true
		for it, err := range s.run(p.objective) {
			if err != nil {
				t.Errorf("%s: Run failed: %v", p.name, err)
				return
			}
			if yields++; it.Epoch > most || yields > 20*most {
				ended = false
				break
			}
			last, want = it, bare(it)
		}
		if ended && yields > 0 && sameBits([]point{want}, []point{bare(last)}) >= 0 {
			t.Errorf("%s: the run changed the iterate after its last yield, in epoch %d, then ended: want a yield at the end",
				p.name, last.Epoch)
		}
	}
}

// checkCertified checks a solver that certifies its end: if it ends by itself, the difference of its primal and dual
// is at most the promised precision. The harness reports such a run as done, even if the stop rule asks for a smaller
// gap.
func (s *suite) checkCertified(t testing.TB, all []*problem) {
	if c, ok := s.solver.(solvers.Certifier); !ok || !c.Certifies() {
		return
	}
	for _, p := range all {
		precision := s.certified
		if precision == 0 && p.smooth() {
			precision = s.smooth * p.start
		} else if precision == 0 {
			precision = s.other * p.start
		}
		best, dual, ended := math.Inf(1), p.low, true
		for it, err := range s.run(p.objective) {
			if err != nil {
				t.Errorf("%s: Run failed: %v", p.name, err)
				return
			}
			best = math.Min(best, primal(p.objective, it))
			if it.Dual != nil {
				dual = math.Max(dual, it.Dual())
			}
			if it.Epoch > s.epochs {
				ended = false
				break
			}
		}
		if ended && !(best-dual <= precision+p.slop()) {
			t.Errorf("%s: the solver certifies its end, but its primal is %v and the optimum at least %v: want a difference "+
				"of at most %.3g", p.name, best, dual, precision)
		}
	}
}

// bare returns the point of an iterate without its statistics, because these may count work that did not change the
// iterate.
func bare(it solvers.Iterate) point {
	p := pointOf(it)
	p.names, p.values = nil, nil
	return p
}
