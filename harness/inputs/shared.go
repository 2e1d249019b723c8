package inputs

import (
	"sync"
	"time"

	"github.com/gaplab/gaplab/internal/machine"
)

// shared is a value that the first caller makes. Other callers wait until it is made.
type shared[T any] struct {
	once  sync.Once
	value T
	err   error
	cpu   time.Duration // CPU time of the process while the value was made
}

// get returns the value, which it makes at the first call.
func (s *shared[T]) get(make func() (T, error)) (T, error) {
	s.once.Do(func() {
		before, _ := machine.Process()
		s.value, s.err = make()
		after, _ := machine.Process()
		s.cpu = after - before
	})
	return s.value, s.err
}

// entry returns the entry of a map. It adds an entry if there is none.
func entry[T any](m map[string]*shared[T], key string) *shared[T] {
	if m[key] == nil {
		m[key] = &shared[T]{}
	}
	return m[key]
}
