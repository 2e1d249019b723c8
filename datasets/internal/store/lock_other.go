//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Lock waits until the lock file at path does not exist, and creates it. After a crash the file still exists. Then the
// next call of Lock returns an error that names the file.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	for waited := time.Duration(0); ; waited += 50 * time.Millisecond {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			file.Close()
			return func() { os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("cache: %w", err)
		}
		if waited > 10*time.Minute {
			return nil, fmt.Errorf("cache: another process has held the lock %s for ten minutes: if no such process runs, "+
				"remove that file", path)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("cache: waiting for another process that fetches data (lock %s): %w", path, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
