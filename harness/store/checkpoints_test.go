package store_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestCheckpoints checks what a checkpoint has: the manifest, the rows that were written before it, and the bytes of
// the caller; that a later one of the same point replaces it, and one of another point or key does not; that an error
// of the caller leaves the earlier one; that a run resumes with its rows, and that each changed bit and each cut is
// damage.
func TestCheckpoints(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	if s, err := f.State("k", ""); s != nil || err != nil {
		t.Errorf("the checkpoint in a missing folder is %v, %v; want none", s, err)
	}
	d, other := draft(t, f, manifest("p", "k", "1")), draft(t, f, manifest("q", "k2", "1"))
	save := func(d *store.Draft, point, text string, fail error) {
		t.Helper()
		err := d.SaveState(point, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, fail)
		})
		if !errors.Is(err, fail) {
			t.Fatalf("saving: %v, want %v", err, fail)
		}
	}
	check := func(key, point string, rows int, want string) {
		t.Helper()
		s, err := f.State(key, point)
		if err != nil || s == nil {
			t.Fatalf("the checkpoint of %s at %q: %v, %v; want one", key, point, s, err)
		}
		defer s.Close()
		rest, err := io.ReadAll(s.Rest)
		if err != nil || string(rest) != want || len(s.Run.Rows) != rows || s.Run.Manifest.Key != key || s.Run.End != nil {
			t.Errorf("the checkpoint of %s at %q has %d rows, %q, %v; want %d and %q", key, point, len(s.Run.Rows), rest, err,
				rows, want)
		}
	}
	long := strings.Repeat("state ", 40_000)
	save(d, "", "first", nil)
	save(d, "point", "a point", nil)
	save(other, "", "another key", nil)
	row := trace.Row{Values: map[string]float64{trace.Passes: 9}, Warnings: []string{"w"}}
	if err := d.Append(row); err != nil {
		t.Fatal(err)
	}
	check("k", "", 3, "first")
	save(d, "", long, nil)
	save(d, "", "never", io.ErrClosedPipe)
	check("k", "", 4, long)
	check("k", "point", 3, "a point")
	check("k2", "", 3, "another key")
	if names := in(t, f.Dir()); len(names) != 5 {
		t.Errorf("files %q, want two runs and three checkpoints", names)
	}
	s, err := f.State("k", "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Begin("k", manifest("p", "k", "2"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(again.Resume(s), s.Close()); err != nil {
		t.Fatal(err)
	}
	save(other, "", "", nil) // a state of no bytes
	check("k2", "", 3, "")
	path := filepath.Join(f.Dir(), "k2.state")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(text); i += 3 {
		flipped := bytes.Clone(text)
		flipped[i] ^= 1 << (i % 8)
		for what, damaged := range map[string][]byte{"a changed bit": flipped, "cut": text[:i]} {
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			if s, err := f.State("k2", ""); s != nil || !errors.Is(err, trace.ErrDamaged) {
				t.Fatalf("%s at byte %d: %v, %v; want that it is damaged", what, i, s, err)
			}
		}
	}
	f.DropState("k", "")
	if s, err := f.State("k", ""); s != nil || err != nil {
		t.Errorf("a removed checkpoint is read as %v, %v", s, err)
	}
	check("k", "point", 3, "a point")
	file, err := again.Finish(trace.End{Status: trace.Done})
	if err != nil || len(file.Rows) != 4 || file.Manifest.Start != "2" || cmp.Diff(file.Rows[3], row) != "" {
		t.Errorf("the resumed run is %+v, %v; want the four rows", file, err)
	}
}

// TestTrialsByPoint checks that a trial belongs to its key and its point, and that DropTrials removes all of a key.
func TestTrialsByPoint(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	for _, at := range []string{"k a", "k b", "k2 a"} {
		key, point, _ := strings.Cut(at, " ")
		if _, err := draft(t, f, manifest("p", key, at)).KeepTrial(point, trace.End{Status: trace.Done}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...string) {
		t.Helper()
		var got []string
		for _, at := range []string{"k a", "k b", "k2 a", "k2 b", "k "} {
			key, point, _ := strings.Cut(at, " ")
			if file := f.Trial(key, point); file != nil {
				got = append(got, file.Manifest.Start)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("trials %q, want %q", got, want)
		}
	}
	check("k a", "k b", "k2 a")
	f.DropTrials("k")
	check("k2 a")
}
