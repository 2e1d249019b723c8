package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	dcdTol      = 1e-12 // largest violation v_i that may be a rounding error, relative to the scores
	dcdMargin   = 0.1   // an example leaves a sweep if its lead (see dcdPoint.visit) exceeds dcdMargin·dcdSweep.last
	dcdProgress = 0.1   // after a sweep with worst ≤ dcdProgress·whole (see dcdSweep), the next sweep visits all examples
)

// dcdPoint is a dual point of DCD that visits change one example at a time.
type dcdPoint interface {
	// visit maximises the dual D over α_i. violation is v_i of DCD before the visit, or 0 if v_i is within rounding
	// errors. If violation is 0 and all mass of α_i is on one class, lead is the score of this class minus the largest
	// other score. If violation is 0 and several classes have mass, lead is −Inf.
	visit(i int) (violation, lead float64)
	// fetch prefetches memory for later visits: the data of the example with index later, and the row of features of the
	// example with index soon.
	fetch(soon, later int)
	weights() []float64   // the weights w(α) at the present λ
	dual() float64        // the dual value D(α), computed by a pass over the examples
	refresh()             // recomputes w from the dual variables α, to remove rounding errors
	scale(lambda float64) // changes λ and keeps the dual variables α, so λ·w does not change
}

// dcdSweep determines the order of the visits, and the examples that sweeps leave out.
type dcdSweep struct {
	point     dcdPoint
	rng       *rand.Rand
	shrinking bool
	set       []int32 // indices of all examples: set[:kept] were visited and stay, set[at:size] are still to be visited
	size      int     // number of examples in the present sweep at its start
	at, kept  int     // number of visits in this sweep, and number of visited examples that stay for the next sweep
	visits    int     // number of visits in all sweeps

	worst   float64 // largest violation of this sweep so far
	last    float64 // largest violation of the last sweep; +Inf if no example may leave this sweep
	whole   float64 // largest violation of the last sweep over all examples
	optimal bool    // whether a sweep over all examples found no violation
}

func newDCDSweep(point dcdPoint, n int, seed uint64, shrinking bool) *dcdSweep {
	s := &dcdSweep{point: point, rng: rand.New(rand.NewPCG(seed, dualspace.StreamDCD)), shrinking: shrinking,
		set: make([]int32, n)}
	for i := range s.set {
		s.set[i] = int32(i)
	}
	s.all()
	return s
}

// all begins a sweep over all examples. No example leaves during this sweep.
func (s *dcdSweep) all() {
	s.last, s.optimal = math.Inf(1), false
	s.begin(len(s.set))
}

// begin begins a sweep over the first size examples of s.set.
func (s *dcdSweep) begin(size int) {
	s.size, s.at, s.kept, s.worst = size, 0, 0, 0
	s.rng.Shuffle(size, func(i, j int) { s.set[i], s.set[j] = s.set[j], s.set[i] })
}

// active returns the number of examples in the present sweep that have not left it.
func (s *dcdSweep) active() int { return s.size - s.at + s.kept }

// next visits the next example. After the last example of a sweep, next calls end.
func (s *dcdSweep) next() {
	i := s.set[s.at]
	if s.at+dualspace.Later < s.size {
		s.point.fetch(int(s.set[s.at+dualspace.Soon]), int(s.set[s.at+dualspace.Later]))
	}
	s.visits++
	violation, lead := s.point.visit(int(i))
	s.worst = max(s.worst, violation)
	if violation > 0 || !(lead > dcdMargin*s.last) {
		s.set[s.at], s.set[s.kept] = s.set[s.kept], i
		s.kept++
	}
	s.at++
	if s.at == s.size {
		s.end()
	}
}

// end ends a sweep and begins the next one.
func (s *dcdSweep) end() {
	whole := math.IsInf(s.last, 1)
	if !whole && (s.kept == 0 || s.worst <= dcdProgress*s.whole) {
		s.all()
		return
	}
	if whole {
		s.whole, s.optimal = s.worst, s.worst == 0
	}
	if s.shrinking {
		s.last = s.worst
	}
	s.begin(s.kept)
}
