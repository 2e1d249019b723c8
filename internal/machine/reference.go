package machine

import (
	"slices"
	"time"
)

// Reference is a short loop of known work, whose time shows how busy the machine is. It reads a working set of 8 MB in
// random order, as solvers read weights, and multiplies and adds. Create it with NewReference.
type Reference struct {
	v    []float64
	last []time.Duration // the last measurements, at most bestOver, the oldest first
	best time.Duration   // the shortest median of bestOver measurements in a row
	sum  float64         // keeps the compiler from removing the loop
}

const (
	referenceSize   = 1 << 20 // number of floats, a power of two
	referenceReads  = 1 << 18 // number of reads of one round
	referenceRounds = 15      // number of rounds of one measurement, of which the median counts
	bestOver        = 15      // number of measurements in a row whose median may be the best time
)

// NewReference returns a Reference that knows the best time of the loop from a first series of measurements, which
// takes about a second.
func NewReference() *Reference {
	r := &Reference{v: make([]float64, referenceSize)}
	for i := range r.v {
		r.v[i] = 1
	}
	for range bestOver {
		r.Measure()
	}
	return r
}

// Measure returns the wall-clock time of one round of the loop: the median of several rounds, so that a short
// interruption of one of them does not count.
func (r *Reference) Measure() time.Duration {
	times := make([]time.Duration, referenceRounds)
	for k := range times {
		begun := time.Now()
		at := uint32(k)
		for range referenceReads {
			at = at*1664525 + 1013904223 // the linear congruential generator of Numerical Recipes
			r.sum = 0.5*r.sum + r.v[at>>(32-20)]
		}
		times[k] = time.Since(begun)
	}
	t := median(times)
	r.add(t)
	return t
}

// add takes a measurement into the best time.
func (r *Reference) add(t time.Duration) {
	if len(r.last) == bestOver {
		r.last = slices.Delete(r.last, 0, 1)
	}
	r.last = append(r.last, t)
	if len(r.last) < bestOver {
		return
	}
	if m := median(slices.Clone(r.last)); r.best == 0 || m < r.best {
		r.best = m
	}
}

// Best returns the best time of the loop on this machine, which it takes while nothing else runs: the shortest median
// of 15 measurements in a row. The shortest single measurement would be too strict: on a virtual machine with nothing
// else to do, the median is up to a sixth longer. The median of a single series would be too lenient if the machine was
// busy during this series.
func (r *Reference) Best() time.Duration { return r.best }

// median sorts the times and returns the one in the middle. There must be at least one.
func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
