package dualspace

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestVisitOrder: each order visits the examples it names, from the random numbers of its stream alone.
func TestVisitOrder(t *testing.T) {
	const n, seed, stream, epochs = 13, 5, 99, 4
	identity := make([]int, n)
	for i := range identity {
		identity[i] = i
	}
	epoch := func(v *Order) []int {
		out := make([]int, n)
		for k := range out {
			out[k] = v.Next()
		}
		return out
	}
	for _, c := range []struct {
		order string
		again bool
		want  func(rng *rand.Rand, last []int) []int
	}{
		{"cyclic", false, func(*rand.Rand, []int) []int { return identity }},
		{"permutation", false, func(rng *rand.Rand, _ []int) []int { return rng.Perm(n) }},
		{"permutation", true, func(rng *rand.Rand, last []int) []int {
			out := make([]int, n)
			for k, j := range rng.Perm(n) { // where the positions of the last permutation go
				out[k] = last[j]
			}
			return out
		}},
		{"random", false, func(rng *rand.Rand, _ []int) []int {
			out := make([]int, n)
			for k := range out {
				out[k] = rng.IntN(n)
			}
			return out
		}},
	} {
		v, rng, last := NewOrder(c.order, n, seed, stream), rand.New(rand.NewPCG(seed, stream)), identity
		v.Again = c.again
		for k := range epochs {
			if v.Epochs() != k {
				t.Errorf("%s: %d epochs after %d", c.order, v.Epochs(), k)
			}
			want := c.want(rng, last)
			if got := epoch(&v); !slices.Equal(got, want) {
				t.Errorf("%s, again %v, epoch %d: %v: want %v", c.order, c.again, k, got, want)
			}
			last = want
		}
	}
}

// TestVisitsAhead: the examples that Ahead announces are visited, for most visits of an order.
func TestVisitsAhead(t *testing.T) {
	const n, visits = 100, 1000
	for _, order := range []string{"cyclic", "permutation", "random"} {
		v := NewOrder(order, n, 5, 99)
		var got, soon, later []int
		for range visits {
			got = append(got, v.Next())
			s, l, ok := v.Ahead()
			if !ok {
				s, l = -1, -1
			}
			soon, later = append(soon, s), append(later, l)
		}
		said := 0
		for t0 := range visits - Later {
			if soon[t0] < 0 {
				continue
			}
			said++
			if soon[t0] != got[t0+Soon] || later[t0] != got[t0+Later] {
				t.Fatalf("%s: after visit %d, %d and %d are to come: want %d and %d", order, t0, soon[t0], later[t0],
					got[t0+Soon], got[t0+Later])
			}
		}
		if said < visits*9/10 {
			t.Errorf("%s: what comes is known at %d of %d visits", order, said, visits)
		}
	}
}

// TestCadence: an epoch ends with a yield, no two yields are closer than a tenth of an epoch, and there are ten where n
// suffices. w is recomputed after each tenth epoch.
func TestCadence(t *testing.T) {
	for n := 1; n <= 200; n++ {
		c, yields, last := NewCadence(n), 0, 0
		for k := 1; k <= 2*n; k++ {
			if !c.Yields(k) {
				continue
			}
			if yields++; k-last < n/10 {
				t.Fatalf("n = %d: yields after %d and %d visits", n, last, k)
			}
			last = k
		}
		for k, next := 2*n-1, 2*n; k >= 0; k-- {
			if c.Next(k) != next {
				t.Fatalf("n = %d: after %d visits the next yield is at %d: want %d", n, k, c.Next(k), next)
			}
			if c.Yields(k) {
				next = k
			}
		}
		if !c.Yields(n) || !c.Yields(2*n) {
			t.Errorf("n = %d: no yield at the end of an epoch", n)
		}
		if per := yields / 2; yields%2 != 0 || per < min(n, 10) || n >= 100 && per > 11 || per > 19 {
			t.Errorf("n = %d: %d yields in two epochs", n, yields)
		}
		for k := 1; k <= 20*n; k++ {
			if want := k == 10*n || k == 20*n; c.Refreshes(k) != want {
				t.Fatalf("n = %d: w is computed anew after %d visits: %v", n, k, !want)
			}
		}
	}
}
