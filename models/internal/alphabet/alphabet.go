// Package alphabet assigns numbers to the features of large corpora. Features are given by 64-bit hashes.
package alphabet

import (
	"cmp"
	"slices"
	"sync"
)

// Alphabet is a map from 64-bit keys to numbers. A Go map is too slow for the arc features of a treebank, which are
// counted and looked up about 10⁸ times. An Alphabet is a hash table with open addressing and linear probing. It uses
// the keys as hashes. Key 0 marks an empty slot, so a feature with key 0 is treated as key 1.
type Alphabet struct {
	key   []uint64
	value []int32
	Len   int // number of keys
}

// at returns the slot of a key, or the empty slot in which to put the key.
func (a *Alphabet) at(key uint64) int {
	mask := len(a.key) - 1
	i := int(key) & mask
	for a.key[i] != 0 && a.key[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// Of returns the value of a key, and whether the key is in the alphabet.
func (a *Alphabet) Of(key uint64) (int32, bool) {
	if a.Len == 0 {
		return 0, false
	}
	i := a.at(max(key, 1))
	return a.value[i], a.key[i] != 0
}

// Add adds n to the value of a key. A key that is not in the alphabet begins with the value 0.
func (a *Alphabet) Add(key uint64, n int32) {
	if 2*(a.Len+1) > len(a.key) {
		a.grow()
	}
	key = max(key, 1)
	i := a.at(key)
	if a.key[i] == 0 {
		a.key[i] = key
		a.Len++
	}
	a.value[i] += n
}

// Keys returns the keys in the order of their values, which must be 0 .. Len − 1.
func (a *Alphabet) Keys() []uint64 {
	out := make([]uint64, a.Len)
	for i, key := range a.key {
		if key != 0 {
			out[a.value[i]] = key
		}
	}
	return out
}

func (a *Alphabet) grow() {
	old := *a
	size := max(1024, 2*len(old.key))
	a.key, a.value = make([]uint64, size), make([]int32, size)
	for i, key := range old.key {
		if key != 0 {
			j := a.at(key)
			a.key[j], a.value[j] = key, old.value[i]
		}
	}
}

// Counter counts keys from several goroutines. The counts do not depend on the order of the goroutines.
type Counter struct {
	shards [16]struct {
		sync.Mutex
		Alphabet
	}
}

// Batch collects the keys of one goroutine for a Counter, so that the goroutine locks the Counter once for many keys.
type Batch struct {
	Into *Counter
	keys [16][]uint64
}

// Add adds a key. The key is counted at the latest by Flush.
func (b *Batch) Add(key uint64) {
	k := key >> 60
	if b.keys[k] = append(b.keys[k], key); len(b.keys[k]) == 4096 {
		b.flushShard(int(k))
	}
}

// Flush counts the remaining keys. Call it before discarding the batch.
func (b *Batch) Flush() {
	for k := range b.keys {
		b.flushShard(k)
	}
}

func (b *Batch) flushShard(k int) {
	s := &b.Into.shards[k]
	s.Lock()
	for _, key := range b.keys[k] {
		s.Add(key, 1)
	}
	s.Unlock()
	b.keys[k] = b.keys[k][:0]
}

// Alphabet returns an alphabet that numbers the keys with at least cutoff counts. The most frequent keys get the
// smallest numbers, so that their weights share cache lines. Alphabet also empties the counter.
func (c *Counter) Alphabet(cutoff int) *Alphabet {
	type entry struct {
		key   uint64
		count int32
	}
	var kept []entry
	for s := range c.shards {
		shard := &c.shards[s]
		for i, key := range shard.key {
			if key != 0 && int(shard.value[i]) >= cutoff {
				kept = append(kept, entry{key, shard.value[i]})
			}
		}
		shard.Alphabet = Alphabet{}
	}
	slices.SortFunc(kept, func(a, b entry) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key)) })
	out := &Alphabet{}
	for i, e := range kept {
		out.Add(e.key, int32(i))
	}
	return out
}
