package cfg

import (
	"iter"
	"math/bits"
)

// bitSet is a set of labels or of symbols, with one bit for each possible member, or several such sets one after the
// other.
type bitSet []uint64

func (s bitSet) add(x int32)      { s[x>>6] |= 1 << (x & 63) }
func (s bitSet) has(x int32) bool { return s[x>>6]>>(x&63)&1 != 0 }

// meets reports whether two sets of the same length have a common member.
func (s bitSet) meets(t bitSet) bool {
	for i, w := range s {
		if w&t[i] != 0 {
			return true
		}
	}
	return false
}

// all iterates over the members in increasing order.
func (s bitSet) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(int32(i<<6 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
