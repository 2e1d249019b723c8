package dualspace_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// visitor records the calls of Prepare and Step that Batches makes.
type visitor struct {
	prepared, stepped []int // the example of each slot of the present batch
	visits            []int
	examples          []int // the examples of all steps, in order
}

func (v *visitor) Prepare(slot, i int) { v.prepared[slot] = i }

func (v *visitor) Step(slot, i, visit int) {
	v.stepped[slot] = i
	v.visits, v.examples = append(v.visits, visit), append(v.examples, i)
}

// TestBatches checks that batches visit the same examples in the same order as single visits, that no batch has an
// example twice or exceeds the limit until, and that each slot is prepared for the example of its step.
func TestBatches(t *testing.T) {
	const n, size = 7, 4
	for _, order := range []string{"random", "permutation", "cyclic"} {
		for _, workers := range []int{1, 3} {
			single, many := dualspace.NewOrder(order, n, 1, 5), dualspace.NewOrder(order, n, 1, 5)
			b := dualspace.Batches{Size: size, InBlocks: func(n, blocks int, f func(block, lo, hi int)) {
				models.InBlocks(n, blocks, workers, f)
			}}
			v := &visitor{}
			due, full := dualspace.Cadence{N: n, Every: 5}, 0
			for range 60 {
				before := len(v.examples)
				until := due.Next(many.Done)
				v.prepared, v.stepped = slices.Repeat([]int{-1}, size), slices.Repeat([]int{-1}, size)
				b.Next(&many, until, v)
				batch := v.examples[before:]
				if len(batch) == 0 || len(batch) > size || many.Done > until {
					t.Fatalf("%s: a batch of %d visits up to visit %d, want 1 to %d visits up to visit %d", order, len(batch),
						many.Done, size, until)
				}
				if once := slices.Compact(slices.Sorted(slices.Values(batch))); len(once) != len(batch) {
					t.Fatalf("%s: a batch visits %v, want each example once", order, batch)
				}
				if !slices.Equal(v.prepared, v.stepped) {
					t.Fatalf("%s: slots were prepared for %v, but the steps are on %v", order, v.prepared, v.stepped)
				}
				if len(batch) == size {
					full++
				}
			}
			for k, i := range v.examples {
				if want := single.Next(); i != want || v.visits[k] != k+1 {
					t.Fatalf("%s: visit %d is number %d, on example %d; want example %d", order, k+1, v.visits[k], i, want)
				}
			}
			if full == 0 {
				t.Errorf("%s: no batch has %d visits", order, size)
			}
		}
	}
}

// sleeper simulates an expensive oracle and cheap steps: Prepare sleeps, and Step works for a tenth of that time. Any
// number of goroutines can sleep at the same time, so the machine may have fewer processors than workers.
type sleeper struct{ oracle time.Duration }

func (s sleeper) Prepare(_, _ int) { time.Sleep(s.oracle) }

func (s sleeper) Step(_, _, _ int) {
	for start := time.Now(); time.Since(start) < s.oracle/10; {
		continue
	}
}

// BenchmarkSimulatedGrowth measures a batch of 16 visits with a simulated oracle of 2 ms, for up to 16 workers. By
// Amdahl's law, w workers should take (10/w + 1)/11 of the time of one.
func BenchmarkSimulatedGrowth(b *testing.B) {
	for _, workers := range []int{1, 2, 4, 8, 16} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			order := dualspace.NewOrder("cyclic", 1000, 1, 5)
			batches := dualspace.Batches{Size: 16, InBlocks: func(n, blocks int, f func(block, lo, hi int)) {
				models.InBlocks(n, blocks, workers, f)
			}}
			for b.Loop() {
				batches.Next(&order, order.Done+16, sleeper{2 * time.Millisecond})
			}
		})
	}
}
