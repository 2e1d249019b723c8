package machine

import (
	"slices"
	"time"
)

// Reference is a short loop of known work, whose time shows how busy the machine is. It reads a working set of 8 MB in
// random order, as solvers read weights, and multiplies and adds. Create it with NewReference.
type Reference struct {
	v    []float64
	best time.Duration
	sum  float64 // keeps the compiler from removing the loop
}

const (
	referenceSize   = 1 << 20 // number of floats, a power of two
	referenceReads  = 1 << 18 // number of reads of one round
	referenceRounds = 7       // number of rounds of one measurement, of which the median counts
	calibrations    = 10      // number of measurements in NewReference
)

// NewReference returns a Reference that knows the shortest time of several measurements, which take about a tenth of a
// second.
func NewReference() *Reference {
	r := &Reference{v: make([]float64, referenceSize)}
	for i := range r.v {
		r.v[i] = 1
	}
	r.best = r.Measure()
	for range calibrations - 1 {
		r.Best(r.Measure())
	}
	return r
}

// Measure returns the wall-clock time of one round of the loop: the median of several rounds, so that a short
// interruption of one of them does not count.
func (r *Reference) Measure() time.Duration {
	var times [referenceRounds]time.Duration
	for k := range times {
		begun := time.Now()
		at := uint32(k)
		for range referenceReads {
			at = at*1664525 + 1013904223 // the linear congruential generator of Numerical Recipes
			r.sum = 0.5*r.sum + r.v[at>>(32-20)]
		}
		times[k] = time.Since(begun)
	}
	slices.Sort(times[:])
	return times[referenceRounds/2]
}

// Best returns the shortest time that was measured so far, including the given one.
func (r *Reference) Best(t time.Duration) time.Duration {
	r.best = min(r.best, t)
	return r.best
}
