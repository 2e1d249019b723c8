// Package scratch keeps the working memory of oracles, so that calls from several goroutines allocate nothing in the
// long run.
package scratch

import "sync"

// Pool is a free list. Unlike sync.Pool it never drops what it holds: it holds at most as many values as goroutines
// were ever in a call at once. The zero value is ready.
type Pool[T any] struct {
	mu   sync.Mutex
	free []*T
}

// Get takes a value, a zero value if none is free.
func (p *Pool[T]) Get() *T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		v := p.free[n-1]
		p.free = p.free[:n-1]
		return v
	}
	return new(T)
}

// Put returns a value, with the memory that it has grown.
func (p *Pool[T]) Put(v *T) {
	p.mu.Lock()
	p.free = append(p.free, v)
	p.mu.Unlock()
}

// Grow returns a slice of length n, s's memory where that suffices. Contents are undefined.
func Grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
