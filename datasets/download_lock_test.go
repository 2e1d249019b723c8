package datasets

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets/internal/store"
)

// TestDownloadAtOnce checks that concurrent reads of one file cause only one download.
func TestDownloadAtOnce(t *testing.T) {
	url, requests := server(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		whole(toyContent, toyDate)(w, r)
	})
	e, src := toy(url), Source{Cache: t.TempDir()}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if n, err := toyLoad(e, src); err != nil || n != int64(len(toyContent)) {
				t.Errorf("bytes read = %d, error %v; want %d, nil", n, err, len(toyContent))
			}
		})
	}
	wait.Wait()
	if requests.Load() != 1 || files(t, src.Cache) != "toy/rows" {
		t.Errorf("requests = %d, files in the cache = %q; want 1, toy/rows", requests.Load(), files(t, src.Cache))
	}
}

func TestLockGivesUpWhenCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".lock")
	unlock, err := store.Lock(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
	defer cancel()
	if _, err := store.Lock(ctx, path); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), path) {
		t.Errorf("error = %v, want context.DeadlineExceeded with the path of the lock", err)
	}
}
