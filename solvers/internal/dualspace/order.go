package dualspace

import (
	"math/rand/v2"
	"slices"

	"github.com/gaplab/gaplab/solvers"
)

// Order determines which example each visit of an online method visits. "random" draws examples uniformly with
// replacement. "permutation" uses a new random permutation for each epoch of n visits. "cyclic" uses the order of the
// data.
type Order struct {
	Order string     // "random", "permutation" or "cyclic"
	N     int        // number n of examples
	Done  int        // number of visits so far
	Rng   *rand.Rand // draws examples and permutations
	Perm  []int      // permutation of the present epoch
	Again bool       // true: each permutation is a shuffle of the previous one; false: each is a shuffle of 0, ..., n − 1

	source *rand.PCG      // source of Rng
	drawn  int            // number of examples drawn so far with "random", including those for later visits
	coming [2 * Later]int // the examples drawn last; draw t is at index t mod len(coming)
}

// Memory is prefetched a few visits before it is needed (see package prefetch). The data of an example are prefetched
// Later visits before the visit to the example. The memory to which these data point, such as the example's row, is
// prefetched Soon visits before.
const (
	Soon  = 3
	Later = 6
)

// NewOrder returns an Order for n examples. The seed and the stream determine its random numbers (see streams.go).
func NewOrder(order string, n int, seed, stream uint64) Order {
	source := rand.NewPCG(seed, stream)
	return Order{Order: order, N: n, Rng: rand.New(source), source: source}
}

// Carry saves or loads the state that later visits depend on.
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

// Batch appends examples to dst until dst has size examples, and counts their visits as done. It stops early if the
// next example is already in dst.
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

// draw draws random examples for the visits up to number Done + Later − 1, where the first visit has the number 0.
func (v *Order) draw() {
	for ; v.drawn < v.Done+Later; v.drawn++ {
		v.coming[v.drawn%len(v.coming)] = v.Rng.IntN(v.N)
	}
}

// Ahead returns the examples of the visits k + Soon and k + Later, where k is the number of the last visit that Next
// returned. ok is false if these examples are not known yet.
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

// Permute draws the permutation of a new epoch.
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
