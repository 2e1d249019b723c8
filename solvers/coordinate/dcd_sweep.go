package coordinate

import (
	"math"
	"math/rand/v2"
)

// dcdPoint is a dual point of DCD, and how it is changed an example at a time.
type dcdPoint interface {
	// visit maximises D over α_i. violation is v_i before that, 0 if within rounding; then, where all mass of α_i is on
	// one class, lead is how far its score is above those of the others, and −Inf elsewhere.
	visit(i int) (violation, lead float64)
	weights() []float64 // w(α) at the present λ
	dual() float64
	refresh()             // recomputes w from α, to shed the rounding of many moves
	scale(lambda float64) // keeps α, and so λ·w
}

// dcdSweep is the order of the visits, and which examples they leave out.
type dcdSweep struct {
	point     dcdPoint
	rng       *rand.Rand
	shrinking bool
	set       []int // the examples, those of the sweep first
	active    int   // how many these are
	at        int   // of them visited
	visits    int   // in all sweeps

	worst   float64 // largest violation of this sweep so far
	last    float64 // that of the last one; +Inf where no example is to leave
	whole   float64 // that of the last sweep over all examples
	optimal bool    // a sweep over all examples has found none
}

func newDCDSweep(point dcdPoint, n int, seed uint64, shrinking bool) *dcdSweep {
	s := &dcdSweep{point: point, rng: rand.New(rand.NewPCG(seed, streamDCD)), shrinking: shrinking, set: make([]int, n)}
	for i := range s.set {
		s.set[i] = i
	}
	s.all()
	return s
}

// all begins a sweep over all examples, which none leaves.
func (s *dcdSweep) all() {
	s.last, s.active, s.optimal = math.Inf(1), len(s.set), false
	s.begin()
}

// begin begins a sweep over the active examples.
func (s *dcdSweep) begin() {
	s.at, s.worst = 0, 0
	s.rng.Shuffle(s.active, func(i, j int) { s.set[i], s.set[j] = s.set[j], s.set[i] })
}

// next visits an example, and ends the sweep if it is the last of it.
func (s *dcdSweep) next() {
	s.visits++
	violation, lead := s.point.visit(s.set[s.at])
	s.worst = max(s.worst, violation)
	if violation == 0 && lead > dcdMargin*s.last {
		s.active--
		s.set[s.at], s.set[s.active] = s.set[s.active], s.set[s.at]
	} else {
		s.at++
	}
	if s.at == s.active {
		s.end()
	}
}

// end says what the next sweep is over.
func (s *dcdSweep) end() {
	whole := math.IsInf(s.last, 1)
	if !whole && (s.active == 0 || s.worst <= dcdProgress*s.whole) {
		s.all()
		return
	}
	if whole {
		s.whole, s.optimal = s.worst, s.worst == 0
	}
	if s.shrinking {
		s.last = s.worst
	}
	s.begin()
}
