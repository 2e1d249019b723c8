package dualspace

import (
	"math/rand/v2"
	"slices"

	"github.com/gaplab/gaplab/solvers"
)

// Order draws the example of each visit of an online method: with "random" uniformly and with replacement, with
// "permutation" from a fresh permutation per epoch of n visits, with "cyclic" as the data have them.
type Order struct {
	Order string
	N     int
	Done  int // visits so far
	Rng   *rand.Rand
	Perm  []int // of this epoch
	Again bool  // each permutation is a shuffle of the one before, not of 0, 1, ..., n − 1

	source *rand.PCG      // of Rng
	drawn  int            // at random, so far: before Done and ahead of it
	coming [2 * Later]int // draw t is at t mod its length
}

// How many visits ahead memory is prefetched (see package prefetch): that of example Later for its own data, that of
// example Soon for what these point to, such as its row.
const (
	Soon  = 3
	Later = 6
)

// NewOrder returns an Order with a stream of random numbers of its own under the seed (see streams.go).
func NewOrder(order string, n int, seed, stream uint64) Order {
	source := rand.NewPCG(seed, stream)
	return Order{Order: order, N: n, Rng: rand.New(source), source: source}
}

// Carry names what later visits depend on.
func (v *Order) Carry(s *solvers.State) { s.Carry(&v.Done, &v.Perm, &v.drawn, &v.coming, v.source) }

// Next returns the next example to visit, and counts the visit as done.
func (v *Order) Next() int {
	at := v.Done % v.N
	v.Done++
	switch v.Order {
	case "cyclic":
		return at
	case "permutation":
		if at == 0 {
			v.Permute()
		}
		return v.Perm[at]
	}
	v.draw()
	return v.coming[(v.Done-1)%len(v.coming)]
}

// Batch appends the examples of the next size visits to dst, and counts these visits as done. It stops early before an
// example that is already in dst.
func (v *Order) Batch(dst []int, size int) []int {
	for len(dst) < size {
		if v.Order == "random" {
			if v.draw(); slices.Contains(dst, v.coming[v.Done%len(v.coming)]) {
				break
			}
		}
		dst = append(dst, v.Next())
	}
	return dst
}

// draw draws the examples of visits at random up to Later ahead of the present one, which Next has just counted.
func (v *Order) draw() {
	for ; v.drawn < v.Done+Later; v.drawn++ {
		v.coming[v.drawn%len(v.coming)] = v.Rng.IntN(v.N)
	}
}

// Ahead returns the examples that are visited Soon and Later visits after the one that Next returned last. ok is false
// if they are not known yet.
func (v *Order) Ahead() (soon, later int, ok bool) {
	at := v.Done - 1
	switch v.Order {
	case "cyclic":
		return (at + Soon) % v.N, (at + Later) % v.N, true
	case "permutation":
		at %= v.N
		if at+Later >= v.N {
			return 0, 0, false
		}
		return v.Perm[at+Soon], v.Perm[at+Later], true
	}
	return v.coming[(at+Soon)%len(v.coming)], v.coming[(at+Later)%len(v.coming)], true
}

// Permute draws the permutation of an epoch.
func (v *Order) Permute() {
	first := v.Perm == nil
	if first {
		v.Perm = make([]int, v.N)
	}
	if first || !v.Again {
		for i := range v.Perm {
			v.Perm[i] = i
		}
	}
	v.Rng.Shuffle(v.N, func(i, j int) { v.Perm[i], v.Perm[j] = v.Perm[j], v.Perm[i] })
}

// Epochs returns the number of completed epochs.
func (v *Order) Epochs() int { return v.Done / v.N }
