package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// ErrBusy is returned by Lock when another process holds the lock.
var ErrBusy = errors.New("another process is working on it")

// Lock prevents other processes from doing the same work. The system releases it when the process ends or is killed.
type Lock struct {
	file *flock.Flock
}

// Lock acquires the lock with a name, such as a key. If another process holds the lock, Lock returns ErrBusy or, if
// wait is true, waits until the lock is free. If the file system has no locks, Lock returns a lock that excludes
// nobody.
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
		os.Remove(l.file.Path()) // remove it before the release: the next process to get the lock looks for a result first
		l.file.Close()
	}
}

// Sweep removes the files of earlier attempts at runs that have a result now. A killed process may have left them, for
// example when it repeated a finished run. Sweep does not touch the files of a key if another process holds the lock of
// the key, or if the file system has no locks.
func (f *Folder) Sweep(ctx context.Context) {
	names := f.names(".")
	swept := map[string]bool{}
	for _, name := range names {
		key, _, _ := strings.Cut(strings.TrimPrefix(name, "."), ".")
		left := strings.HasSuffix(name, part) || strings.HasSuffix(name, stateEnding) || strings.HasSuffix(name, unwritten)
		if !left || swept[key] || !slices.Contains(names, key+ending) {
			continue
		}
		swept[key] = true
		lock, err := f.store.Lock(ctx, key, false)
		if err != nil {
			continue
		}
		if lock.file != nil {
			if result, err := f.Finished(key); err == nil && result != nil && Counts(result) {
				f.tidy(key)
			}
		}
		lock.Unlock()
	}
}
