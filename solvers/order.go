package solvers

import "math/rand/v2"

// visitOrder draws the example of each visit of an online method: with "random" uniformly and with replacement, with
// "permutation" from a fresh permutation per epoch of n visits, with "cyclic" as the data have them.
type visitOrder struct {
	order string
	n     int
	done  int // visits so far
	rng   *rand.Rand
	perm  []int // of this epoch
	again bool  // each permutation is a shuffle of the one before, not of 0, 1, ..., n − 1
}

// newVisitOrder has random numbers of its own, those of a stream under a seed.
func newVisitOrder(order string, n int, seed, stream uint64) visitOrder {
	return visitOrder{order: order, n: n, rng: rand.New(rand.NewPCG(seed, stream))}
}

// next is the example of the next visit, which it counts as done.
func (v *visitOrder) next() int {
	at := v.done % v.n
	v.done++
	switch v.order {
	case "cyclic":
		return at
	case "permutation":
		if at == 0 {
			v.permute()
		}
		return v.perm[at]
	}
	return v.rng.IntN(v.n)
}

func (v *visitOrder) permute() {
	first := v.perm == nil
	if first {
		v.perm = make([]int, v.n)
	}
	if first || !v.again {
		for i := range v.perm {
			v.perm[i] = i
		}
	}
	v.rng.Shuffle(v.n, func(i, j int) { v.perm[i], v.perm[j] = v.perm[j], v.perm[i] })
}

// epochs is the number of those completed.
func (v *visitOrder) epochs() int { return v.done / v.n }
