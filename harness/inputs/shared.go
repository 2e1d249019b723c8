package inputs

import (
	"sync"
	"time"

	"github.com/gaplab/gaplab/internal/machine"
)

// shared is a value that is made only once, by the first caller; other callers wait until it is made.
type shared[T any] struct {
	once  sync.Once
	value T
	err   error
	cpu   time.Duration // CPU time that the process used while the value was made
}

// get returns the value; the first call makes it.
func (s *shared[T]) get(make func() (T, error)) (T, error) {
	s.once.Do(func() {
		before, _ := machine.Process()
		s.value, s.err = make()
		after, _ := machine.Process()
		s.cpu = after - before
	})
	return s.value, s.err
}

// entry returns the entry of a map for a key, and adds an empty entry if there is none.
func entry[T any](m map[string]*shared[T], key string) *shared[T] {
	if m[key] == nil {
		m[key] = &shared[T]{}
	}
	return m[key]
}
