// Package alphabet numbers the features of large corpora, which are named by 64-bit hashes.
package alphabet

import (
	"cmp"
	"slices"
	"sync"
)

// Alphabet numbers features that are named by 64-bit keys. A Go map is too slow for a treebank's arc features, which
// are counted and looked up about 10⁸ times: this is open addressing with linear probing, the keys being hashes
// already. Key 0 stands for an empty slot; a feature of that key is taken for one of key 1.
type Alphabet struct {
	key   []uint64
	value []int32
	Len   int
}

// at returns the slot of a key, or the empty one where it belongs.
func (a *Alphabet) at(key uint64) int {
	mask := len(a.key) - 1
	i := int(key) & mask
	for a.key[i] != 0 && a.key[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// Of returns the value of a key.
func (a *Alphabet) Of(key uint64) (int32, bool) {
	if a.Len == 0 {
		return 0, false
	}
	i := a.at(max(key, 1))
	return a.value[i], a.key[i] != 0
}

// Add adds to the value of a key.
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

// Keys returns the keys whose values are 0 .. Len − 1, in that order. It is for alphabets that number their keys.
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

// Counter counts keys from several goroutines. Counts do not depend on their order.
type Counter struct {
	shards [16]struct {
		sync.Mutex
		Alphabet
	}
}

// Batch collects keys of one goroutine, so that a lock is taken once for many.
type Batch struct {
	Into *Counter
	keys [16][]uint64
}

// Add counts a key, at the latest with Flush.
func (b *Batch) Add(key uint64) {
	k := key >> 60
	if b.keys[k] = append(b.keys[k], key); len(b.keys[k]) == 4096 {
		b.flushShard(int(k))
	}
}

// Flush counts what is left. It must be called before a batch is dropped.
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

// Alphabet numbers the keys that were counted at least cutoff times, the frequent ones first: they share cache lines.
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
