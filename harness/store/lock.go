package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrBusy says that another process is at work on a key.
var ErrBusy = errors.New("another process is at work on it")

// Lock keeps other processes from doing the same work. The system releases it when the process ends, however it ends.
type Lock struct {
	file *flock.Flock
}

// Lock takes the lock of a name, such as a key: at once, or it returns ErrBusy; with wait, as soon as it is free. Where
// the file system has no locks, it returns one that keeps nobody out.
func (s *Store) Lock(ctx context.Context, name string, wait bool) (*Lock, error) {
	root, err := s.opened(true)
	if err != nil {
		return nil, err
	}
	if err := root.MkdirAll(locks, 0o777); err != nil {
		return nil, err
	}
	file := flock.New(filepath.Join(s.dir, locks, name))
	held, err := file.TryLock()
	if err == nil && !held && wait {
		held, err = file.TryLockContext(ctx, 50*time.Millisecond)
	}
	switch {
	case ctx.Err() != nil:
		file.Close()
		return nil, ctx.Err()
	case err != nil:
		return &Lock{}, nil
	case !held:
		return nil, ErrBusy
	}
	return &Lock{file}, nil
}

// Unlock releases the lock.
func (l *Lock) Unlock() {
	if l.file != nil {
		os.Remove(l.file.Path()) // before anybody else has it; who waits for it now looks for a result first
		l.file.Close()
	}
}
