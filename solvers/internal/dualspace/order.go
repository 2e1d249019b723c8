package dualspace

import "math/rand/v2"

// Order draws the example of each visit of an online method: with "random" uniformly and with replacement, with
// "permutation" from a fresh permutation per epoch of n visits, with "cyclic" as the data have them.
type Order struct {
	Order string
	N     int
	Done  int // visits so far
	Rng   *rand.Rand
	Perm  []int // of this epoch
	Again bool  // each permutation is a shuffle of the one before, not of 0, 1, ..., n − 1
}

// NewOrder has random numbers of its own: a stream under a seed.
func NewOrder(order string, n int, seed, stream uint64) Order {
	return Order{Order: order, N: n, Rng: rand.New(rand.NewPCG(seed, stream))}
}

// Next is the example of the next visit, which it counts as done.
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
	return v.Rng.IntN(v.N)
}

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

// Epochs is the number of completed epochs.
func (v *Order) Epochs() int { return v.Done / v.N }
