package dualspace

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestVisitOrder checks the sequence of examples of each order, and that only the seed and the stream determine the
// random numbers.
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
			for k, j := range rng.Perm(n) { // position j of the last permutation moves to position k
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
				t.Errorf("%s: Epochs = %d, want %d", c.order, v.Epochs(), k)
			}
			want := c.want(rng, last)
			if got := epoch(&v); !slices.Equal(got, want) {
				t.Errorf("%s, again %v, epoch %d: examples %v, want %v", c.order, c.again, k, got, want)
			}
			last = want
		}
	}
}

// TestVisitsAhead checks that Ahead returns the examples of later visits. For each order, Ahead must return ok = true
// at most visits.
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
		known := 0
		for t0 := range visits - Later {
			if soon[t0] < 0 {
				continue
			}
			known++
			if soon[t0] != got[t0+Soon] || later[t0] != got[t0+Later] {
				t.Fatalf("%s: Ahead after visit %d = %d and %d, want %d and %d", order, t0, soon[t0], later[t0],
					got[t0+Soon], got[t0+Later])
			}
		}
		if known < visits*9/10 {
			t.Errorf("%s: Ahead knows the examples at %d of %d visits, want at least 90 %%", order, known, visits)
		}
	}
}

// TestCadence checks that a yield is due at the end of each epoch, that yields are at least n/10 visits apart, and that
// an epoch has ten or more yields if n ≥ 10. It also checks that w is recomputed after every tenth epoch.
func TestCadence(t *testing.T) {
	for n := 1; n <= 200; n++ {
		c, yields, last := NewCadence(n), 0, 0
		for k := 1; k <= 2*n; k++ {
			if !c.Yields(k) {
				continue
			}
			if yields++; k-last < n/10 {
				t.Fatalf("n = %d: yields after %d and %d visits, want at least %d visits between them", n, last, k, n/10)
			}
			last = k
		}
		for k, next := 2*n-1, 2*n; k >= 0; k-- {
			if c.Next(k) != next {
				t.Fatalf("n = %d: Next = %d after %d visits, want %d", n, c.Next(k), k, next)
			}
			if c.Yields(k) {
				next = k
			}
		}
		if !c.Yields(n) || !c.Yields(2*n) {
			t.Errorf("n = %d: no yield at the end of an epoch, want one", n)
		}
		if per := yields / 2; yields%2 != 0 || per < min(n, 10) || n >= 100 && per > 11 || per > 19 {
			t.Errorf("n = %d: %d yields in two epochs, want about 10 in each, or n if n < 10", n, yields)
		}
		for k := 1; k <= 20*n; k++ {
			if want := k == 10*n || k == 20*n; c.Refreshes(k) != want {
				t.Fatalf("n = %d: Refreshes = %v after %d visits, want %v", n, !want, k, want)
			}
		}
	}
}
