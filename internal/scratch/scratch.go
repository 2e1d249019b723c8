// Package scratch reuses the working memory of oracles, so that later calls need not allocate memory. It is safe for
// concurrent use.
package scratch

import "sync"

// Pool is a list of free values. Unlike sync.Pool, it never frees a value. Its length is at most the largest number of
// values that were in use at the same time. The zero value is ready to use.
type Pool[T any] struct {
	mu   sync.Mutex
	free []*T
}

// Get returns a free value, or a new zero value if none is free.
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

// Put adds a value, which later calls of Get may return unchanged.
func (p *Pool[T]) Put(v *T) {
	p.mu.Lock()
	p.free = append(p.free, v)
	p.mu.Unlock()
}

// Grow returns a slice of length n. It uses the memory of s if that is large enough. The contents are undefined.
func Grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
