package datasets

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/internal/machine"
)

// TestGuard checks that reading stops when the data no longer fit in memory, whether the size of the text is known or
// not.
func TestGuard(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads hundreds of megabytes")
	}
	const size = 100 << 20
	for _, tt := range []struct {
		name       string
		size       int64
		kept, room float64 // bytes of data for each byte of text; bytes of available memory at the start
		before     float64 // bytes on the heap at the start, which are not data
		atLeast    int64   // number of bytes that must be read at least
		fits       bool
	}{
		{"small text", size, 100, 17 * size, 0, size, true}, // the text is so short that the memory is not checked
		{"known size, fits", size, 2, 5 * size, 0, size, true},
		{"known size, full heap", size, 2, 5 * size, 50 * size, size, true},
		{"known size, too large", size, 4, 5 * size, 0, size / 16, false},
		{"unknown size, fits", 0, 2, 5 * size, 0, size, true},
		{"unknown size, full heap", 0, 2, 5 * size, 50 * size, size, true},
		{"unknown size, too large", 0, 4, 5 * size, 0, size / 4, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGuard(bytes.NewReader(make([]byte, size)), tt.size)
			held := func() float64 { return tt.kept * float64(g.at) }
			g.live = func() int64 { return int64(tt.before + held()) }
			g.room = func() machine.Room { return machine.Room{Bytes: int64(tt.room - held()), By: "a test"} }
			read, err := io.Copy(io.Discard, g)
			if tt.fits != (err == nil) || !tt.fits && !errors.Is(err, ErrTooLarge) || read < tt.atLeast {
				t.Errorf("bytes read = %d, error %v; want at least %d, an error: %v", read, err, tt.atLeast, !tt.fits)
			}
			if err != nil && held()+tt.kept*float64(read) > 2*tt.room {
				t.Errorf("the error came after %d bytes, when the data were far larger than the memory", read)
			}
		})
	}
}

// TestFilesOnly checks that a folder, a device or a pipe is refused before it is opened. Opening a pipe would wait for
// a writer.
func TestFilesOnly(t *testing.T) {
	folder := t.TempDir()
	paths := map[string]string{folder: "a folder", os.DevNull: "a device"}
	if runtime.GOOS == "windows" {
		delete(paths, os.DevNull)
	}
	for path, what := range paths {
		_, err := Source{}.ReadOwn(context.Background(), path, func(string, io.Reader) error { return nil })
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v, want the words %q", filepath.Base(path), err, what)
		}
	}
}
