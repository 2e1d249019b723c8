package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	dcdTol      = 1e-12 // violation that may be due to rounding, relative to the scores
	dcdMargin   = 0.1   // of the violation: the lead of a class with which an example leaves the sweeps
	dcdProgress = 0.1   // of the violation, before all examples are visited again
)

// dcdPoint is a dual point of DCD, and how it is changed an example at a time.
type dcdPoint interface {
	// visit maximises D over α_i. violation is v_i before that, 0 if within rounding; then, where all mass of α_i is on
	// one class, lead is how far its score is above those of the others, and −Inf elsewhere.
	visit(i int) (violation, lead float64)
	// fetch prefetches what visits will read: of example later its own data, of example soon the row that these point to.
	fetch(soon, later int)
	weights() []float64   // w(α) at the present λ
	dual() float64        // D(α), by a pass over the examples
	refresh()             // recomputes w from α, to shed the rounding of many moves
	scale(lambda float64) // keeps α, and so λ·w
}

// dcdSweep is the order of the visits, and which examples they leave out.
type dcdSweep struct {
	point     dcdPoint
	rng       *rand.Rand
	shrinking bool
	set       []int32 // the examples: those kept so far, those that left the sweep, those to come, those not in it
	size      int     // examples in the sweep at its begin
	at, kept  int     // of them visited, and of these kept
	visits    int     // in all sweeps

	worst   float64 // largest violation of this sweep so far
	last    float64 // that of the last one; +Inf where no example is to leave
	whole   float64 // that of the last sweep over all examples
	optimal bool    // a sweep over all examples has found none
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

// all begins a sweep over all examples, which none leaves.
func (s *dcdSweep) all() {
	s.last, s.optimal = math.Inf(1), false
	s.begin(len(s.set))
}

// begin begins a sweep over the first examples of the set.
func (s *dcdSweep) begin(size int) {
	s.size, s.at, s.kept, s.worst = size, 0, 0, 0
	s.rng.Shuffle(size, func(i, j int) { s.set[i], s.set[j] = s.set[j], s.set[i] })
}

// active returns the number of examples in the sweep.
func (s *dcdSweep) active() int { return s.size - s.at + s.kept }

// next visits an example, and ends the sweep if it is the last of it.
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

// end ends a sweep and chooses the examples of the next.
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
