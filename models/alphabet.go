package models

import (
	"cmp"
	"slices"
	"sync"
)

// alphabet numbers features that are named by 64-bit keys. The lists of a treebank's arc features are too long for a Go
// map: they are counted and looked up about 10⁸ times, so this is open addressing with linear probing, the keys being
// hashes already. Key 0 stands for an empty slot; a feature of that key is taken for one of key 1.
type alphabet struct {
	key   []uint64
	value []int32
	used  int
}

// at returns the slot of a key, or the empty one where it belongs.
func (a *alphabet) at(key uint64) int {
	mask := len(a.key) - 1
	i := int(key) & mask
	for a.key[i] != 0 && a.key[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// of returns the value of a key.
func (a *alphabet) of(key uint64) (int32, bool) {
	if a.used == 0 {
		return 0, false
	}
	i := a.at(max(key, 1))
	return a.value[i], a.key[i] != 0
}

// add adds to the value of a key.
func (a *alphabet) add(key uint64, n int32) {
	if 2*(a.used+1) > len(a.key) {
		a.grow()
	}
	key = max(key, 1)
	i := a.at(key)
	if a.key[i] == 0 {
		a.key[i] = key
		a.used++
	}
	a.value[i] += n
}

func (a *alphabet) grow() {
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

// keyCounter counts keys from several goroutines. Counts do not depend on their order.
type keyCounter struct {
	shards [16]struct {
		sync.Mutex
		alphabet
	}
}

// keyBatch collects keys of one goroutine, so that a lock is taken once for many.
type keyBatch struct {
	to   *keyCounter
	keys [16][]uint64
}

// add counts a key, at the latest with flush.
func (b *keyBatch) add(key uint64) {
	k := key >> 60
	if b.keys[k] = append(b.keys[k], key); len(b.keys[k]) == 4096 {
		b.flushShard(int(k))
	}
}

func (b *keyBatch) flush() {
	for k := range b.keys {
		b.flushShard(k)
	}
}

func (b *keyBatch) flushShard(k int) {
	s := &b.to.shards[k]
	s.Lock()
	for _, key := range b.keys[k] {
		s.add(key, 1)
	}
	s.Unlock()
	b.keys[k] = b.keys[k][:0]
}

// alphabet numbers the keys that were counted at least cutoff times, the frequent ones first: they share cache lines.
func (c *keyCounter) alphabet(cutoff int) *alphabet {
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
		shard.alphabet = alphabet{}
	}
	slices.SortFunc(kept, func(a, b entry) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key)) })
	out := &alphabet{}
	for i, e := range kept {
		out.add(e.key, int32(i))
	}
	return out
}
