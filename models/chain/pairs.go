package chain

import "math/bits"

// pairTable assigns numbers to pairs of non-negative numbers, in the order in which the pairs are added. It is a hash
// table with open addressing and linear probing. Templates look up some hundred pairs per sentence, and a Go map takes
// several times as long.
type pairTable struct {
	slots []pairSlot // their number is a power of two; at most half of them are used
	shift int        // 64 − log₂ of the number of slots
	pairs [][2]int32 // pairs[n] is the pair with the number n
}

type pairSlot struct {
	key    uint64 // pairKey of the pair; 0: the slot is empty
	number int32
}

// pairKey returns a key that is different for each pair, and never 0.
func pairKey(a, b int32) uint64 { return uint64(a)<<32 + uint64(b) + 1 }

// slot returns the slot of a key, or the empty slot in which to put the key. The hash function is Knuth's
// multiplicative hashing (The Art of Computer Programming, volume 3, section 6.4): the upper bits of the key times 2⁶⁴
// over the golden ratio.
func (t *pairTable) slot(key uint64) *pairSlot {
	mask := len(t.slots) - 1
	i := int(key * 0x9e3779b97f4a7c15 >> t.shift)
	for t.slots[i].key != 0 && t.slots[i].key != key {
		i = (i + 1) & mask
	}
	return &t.slots[i]
}

// find returns the number of a pair, and whether the pair has a number.
func (t *pairTable) find(a, b int32) (int32, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	s := t.slot(pairKey(a, b))
	return s.number, s.key != 0
}

// number returns the number of a pair. A new pair gets the next free number.
func (t *pairTable) number(a, b int32) int32 {
	if 2*(len(t.pairs)+1) > len(t.slots) {
		t.grow()
	}
	s := t.slot(pairKey(a, b))
	if s.key == 0 {
		*s = pairSlot{pairKey(a, b), int32(len(t.pairs))}
		t.pairs = append(t.pairs, [2]int32{a, b})
	}
	return s.number
}

// expect prepares memory for n pairs in a table that is empty.
func (t *pairTable) expect(n int) {
	size := max(8, bits.Len(uint(2*n))) // log₂ of the number of slots
	t.slots, t.shift, t.pairs = make([]pairSlot, 1<<size), 64-size, make([][2]int32, 0, n)
}

func (t *pairTable) grow() {
	old := t.slots
	if len(old) == 0 {
		t.expect(1)
		return
	}
	t.slots, t.shift = make([]pairSlot, 2*len(old)), t.shift-1
	for _, s := range old {
		if s.key != 0 {
			*t.slot(s.key) = s
		}
	}
}
