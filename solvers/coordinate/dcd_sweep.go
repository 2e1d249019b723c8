package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	dcdTol      = 1e-12 // largest violation that may be a rounding error, relative to the scores
	dcdMargin   = 0.1   // lead of a class above which an example leaves the sweeps, as a share of the last violation
	dcdProgress = 0.1   // share to which the violation must decrease before all examples are visited again
)

// dcdPoint is a dual point of DCD that visits change one example at a time.
type dcdPoint interface {
	// visit maximises D over α_i. violation is v_i before the visit, or 0 if it is within rounding errors. If violation is
	// 0 and all mass of α_i is on one class, lead is the score of this class minus the largest other score. If violation
	// is 0 and several classes have mass, lead is −Inf.
	visit(i int) (violation, lead float64)
	// fetch prefetches memory for later visits: the data of example later, and the row to which the data of example soon
	// point.
	fetch(soon, later int)
	weights() []float64   // w(α) at the present λ
	dual() float64        // D(α), computed by a pass over the examples
	refresh()             // computes w anew from α, to remove the rounding errors of many steps
	scale(lambda float64) // changes λ and keeps α, so λ·w does not change
}

// dcdSweep determines the order of the visits, and the examples that sweeps leave out.
type dcdSweep struct {
	point     dcdPoint
	rng       *rand.Rand
	shrinking bool
	set       []int32 // the examples in this order: kept so far, left the sweep, still to visit, not in the sweep
	size      int     // number of examples in the sweep at its start
	at, kept  int     // number of these that were visited, and number of the visited that were kept
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

// all begins a sweep over all examples, in which no example leaves the set.
func (s *dcdSweep) all() {
	s.last, s.optimal = math.Inf(1), false
	s.begin(len(s.set))
}

// begin begins a sweep over the first size examples of the set.
func (s *dcdSweep) begin(size int) {
	s.size, s.at, s.kept, s.worst = size, 0, 0, 0
	s.rng.Shuffle(size, func(i, j int) { s.set[i], s.set[j] = s.set[j], s.set[i] })
}

// active returns the number of examples in the sweep.
func (s *dcdSweep) active() int { return s.size - s.at + s.kept }

// next visits the next example, and ends the sweep after its last example.
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
