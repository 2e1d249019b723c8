package machine

import (
	"sync"
	"time"

	"gonum.org/v1/gonum/floats"
)

// Rates measures how much one core does in a second, and keeps what it measured. Its zero value is ready. Several
// goroutines may use it at once.
type Rates struct {
	mu     sync.Mutex
	memory map[int]float64
	flops  float64
}

// least is the shortest time of one measurement. Each rate is the best of several.
const (
	least   = 2 * time.Millisecond
	repeats = 5
)

// Flops returns the arithmetic operations per second. work does some operations and returns their number.
func (r *Rates) Flops(work func() float64) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.flops == 0 {
		r.flops = best(work)
	}
	return r.flops
}

// Bandwidth returns the bytes per second at which one core reads a working set of the given number of bytes, again and
// again. A small working set stays in a cache. The result is that of the next smaller power of two between 4 KiB and 64
// MiB, so it is rather too large than too small.
func (r *Rates) Bandwidth(bytes float64) float64 {
	size := 4 << 10
	for size < 64<<20 && float64(2*size) <= bytes {
		size *= 2
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.memory[size] == 0 {
		v := make([]float64, size/8)
		for i := range v { // fresh pages would all be the same page of zeros
			v[i] = 1
		}
		half := len(v) / 2
		if r.memory == nil {
			r.memory = map[int]float64{}
		}
		r.memory[size] = best(func() float64 {
			floats.Dot(v[:half], v[half:])
			return float64(size)
		})
	}
	return r.memory[size]
}

// best returns the largest measured rate of work, which does some work and returns its amount.
func best(work func() float64) float64 {
	var most float64
	for range repeats {
		var done float64
		begun := time.Now()
		took := time.Duration(0)
		for took < least {
			done += work()
			took = time.Since(begun)
		}
		most = max(most, done/took.Seconds())
	}
	return most
}
