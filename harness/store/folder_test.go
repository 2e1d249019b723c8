package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// in returns the names of the files in a folder and in its subfolders.
func in(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if name, _ := filepath.Rel(dir, path); err == nil && !e.IsDir() {
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestWhichRunOfAPlan checks which of two files Runs returns for a plan: the one whose key was noted last; of the files
// of one key, the result; else the one that began last.
func TestWhichRunOfAPlan(t *testing.T) {
	type made struct {
		key, start string
		result     bool
	}
	for _, c := range []struct {
		note   string
		a, b   made
		second bool // want b
	}{
		{"", made{"k", "1", true}, made{"k", "2", false}, false}, {"", made{"k", "2", true}, made{"k", "1", false}, false},
		{"", made{"k", "1", true}, made{"m", "2", false}, true}, {"", made{"k", "2", false}, made{"m", "1", true}, false},
		{"", made{"k", "2", true}, made{"m", "1", true}, false}, {"", made{"k", "1", true}, made{"m", "2", true}, true},
		{"k", made{"k", "1", false}, made{"m", "2", true}, false}, {"m", made{"k", "2", true}, made{"m", "1", false}, true},
		{"k", made{"k", "1", true}, made{"k", "2", false}, false}, {"x", made{"k", "1", true}, made{"m", "2", true}, true},
		{"x", made{"k", "2", true}, made{"m", "1", true}, false},
	} {
		for _, word := range []bool{false, true} { // the name of an unfinished run sorts behind that of a result, or before
			f := store.Open(t.TempDir()).Folder("test/one", "smoke")
			for _, m := range []made{c.a, c.b} {
				switch d := draft(t, f, manifest("p", m.key, m.start)); {
				case m.result:
					finished(t, f, manifest("p", m.key, m.start))
				case !word:
					if _, err := d.Leave(trace.End{Status: trace.Interrupted}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if c.note != "" {
				if err := f.Note("p", c.note); err != nil {
					t.Fatal(err)
				}
			}
			want := c.a.start
			if c.second {
				want = c.b.start
			}
			if runs, err := f.Runs(); err != nil || len(runs.Files) != 1 || runs.Files["p"].Manifest.Start != want {
				t.Errorf("%+v: Runs returned %+v, %v; want the run that began at %s", c, runs, err, want)
			}
		}
	}
}

// TestTidy checks which files a result removes: those of earlier attempts at its key, each alone, but no file of a key
// that begins with its key, and neither results, weights nor files that were put aside. It checks the same of Sweep.
func TestTidy(t *testing.T) {
	leftovers := []string{"k.part.jsonl", "k.01.part.jsonl", "k.state", "k.point.state", "k.01.state.tmp",
		".k01.weights.json.gz.02", ".trials/k.point.jsonl", ".trials/k.last.jsonl"}
	stay := []string{"k2.part.jsonl", "k2.01.part.jsonl", "k2.state", "k2.01.state.tmp", ".trials/k2.point.jsonl",
		"k.jsonl.unreadable", "k01.weights.json.gz", "other.state", "index"}
	put := func(f *store.Folder, names ...string) {
		t.Helper()
		for _, name := range names {
			path := filepath.Join(f.Dir(), filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range leftovers {
		f := store.Open(t.TempDir()).Folder("test/one", "smoke")
		put(f, append(slices.Clone(stay), name)...)
		finished(t, f, manifest("p", "k", "1"))
		want := append(slices.Clone(stay), "k.jsonl")
		if got := in(t, f.Dir()); !sameWords(got, want) {
			t.Errorf("files after a result with %s beside it: %q, want %q", name, got, want)
		}
		put(f, name)
		if f.Sweep(t.Context()); !strings.HasPrefix(name, ".") && !sameWords(in(t, f.Dir()), want) {
			t.Errorf("files after the removal of %s: %q, want %q", name, in(t, f.Dir()), want)
		}
	}
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	put(f, leftovers...)
	finished(t, f, manifest("p", "k", "1"))
	if _, err := os.Stat(filepath.Join(f.Dir(), ".trials")); err == nil {
		t.Error("the folder of the trials is still there, although it is empty")
	}
}

// TestSweepGoesOn checks that a key that another process has locked, a damaged result and a run that failed keep the
// files beside them, and that the files of the keys after them are removed all the same.
func TestSweepGoesOn(t *testing.T) {
	s := store.Open(t.TempDir())
	f := s.Folder("test/one", "smoke")
	var want []string
	for _, key := range []string{"damaged", "failed", "locked", "sound", "without"} {
		m := manifest("p", key, "1")
		if key == "failed" {
			if _, err := draft(t, f, m).Finish(trace.End{Status: trace.Failed}); err != nil {
				t.Fatal(err)
			}
		} else if key != "without" {
			finished(t, f, m)
		}
		names := []string{key + ".jsonl", key + ".state", key + ".01.part.jsonl"}
		for _, name := range names[1:] {
			if err := os.WriteFile(filepath.Join(f.Dir(), name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		switch key {
		case "sound":
			names = names[:1]
		case "without":
			names = names[1:]
		}
		want = append(want, names...)
	}
	if err := os.WriteFile(filepath.Join(f.Dir(), "damaged.jsonl"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	held, err := s.Lock(t.Context(), "locked", false)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	f.Sweep(t.Context())
	if got := in(t, f.Dir()); !sameWords(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// TestLocksOfABadSystem checks that a lock whose file cannot be opened excludes nobody, that Sweep does nothing then,
// and that a free lock is not taken after an interruption.
func TestLocksOfABadSystem(t *testing.T) {
	dir := t.TempDir()
	s := store.Open(dir)
	f := s.Folder("test/one", "smoke")
	finished(t, f, manifest("p", "k", "1"))
	if err := os.WriteFile(filepath.Join(f.Dir(), "k.state"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, wait := range []bool{false, true} {
		if lock, err := s.Lock(ctx, "k", wait); !errors.Is(err, context.Canceled) || lock != nil {
			t.Errorf("a free lock after an interruption: %v, %v; want context.Canceled", lock, err)
		}
	}
	lock, err := s.Lock(t.Context(), "k", false)
	if err != nil {
		t.Fatalf("the lock after the interruption: %v, want it free", err)
	}
	if other, err := s.Lock(t.Context(), "m", false); err != nil {
		t.Errorf("the lock of another key: %v, want it free", err)
	} else {
		other.Unlock()
	}
	lock.Unlock()
	if err := os.MkdirAll(filepath.Join(dir, ".locks", "k"), 0o777); err != nil {
		t.Fatal(err)
	}
	f.Sweep(t.Context())
	if _, err := os.Stat(filepath.Join(f.Dir(), "k.state")); err != nil {
		t.Errorf("the checkpoint was removed without a lock: %v", err)
	}
	for range 2 {
		lock, err := s.Lock(t.Context(), "k", true)
		if err != nil {
			t.Fatalf("the lock of a name that cannot be locked: %v, want one that excludes nobody", err)
		}
		defer lock.Unlock()
	}
}

// TestNotesAreKept checks that the index has one line for each change of a plan's latest key, and none for a key that
// is the latest already. The notes of one plan must not change those of another.
func TestNotesAreKept(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	for _, note := range [][2]string{{"p", "a"}, {"p", "a"}, {"q", "a"}, {"q", "a"}, {"p", "b"}, {"p", "b"}, {"q", "a"},
		{"p", "a"}} {
		if err := f.Note(note[0], note[1]); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(f.Dir(), "index"))
	if want := "p a\nq a\np b\np a\n"; err != nil || string(text) != want {
		t.Errorf("the index is %q, %v; want %q", text, err, want)
	}
}

// TestFailedIsNoResult checks that a result replaces a run that has its final name, but failed, and that the failed run
// is not put aside as unreadable.
func TestFailedIsNoResult(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	for i, status := range []trace.Status{trace.Failed, trace.Interrupted, trace.Budget, trace.Done} {
		file, err := draft(t, f, manifest("p", "k", fmt.Sprint(i))).Finish(trace.End{Status: status})
		if want := fmt.Sprint(min(i, 2)); err != nil || file.Manifest.Start != want {
			t.Errorf("after a run that ended as %s: %+v, %v; want the run %s", status, file, err, want)
		}
		if got := in(t, f.Dir()); !slices.Equal(got, []string{"k.jsonl"}) {
			t.Errorf("after a run that ended as %s: files %q, want the run alone", status, got)
		}
	}
}

// TestLock checks that a lock excludes other processes until it is released, and that its file is removed then.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	a, b := store.Open(dir), store.Open(dir)
	lock, err := a.Lock(t.Context(), "k", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Lock(t.Context(), "k", false); !errors.Is(err, store.ErrBusy) {
		t.Errorf("error for a lock that is held: %v, want ErrBusy", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Lock(ctx, "k", true); !errors.Is(err, context.Canceled) {
		t.Errorf("error of an interrupted wait: %v, want context.Canceled", err)
	}
	free := make(chan error)
	go func() {
		other, err := b.Lock(t.Context(), "k", true)
		if err == nil {
			other.Unlock()
		}
		free <- err
	}()
	lock.Unlock()
	if err := <-free; err != nil {
		t.Errorf("Lock waited for a lock that was released: error %v, want none", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".locks", "*")); len(left) > 0 {
		t.Errorf("lock files after the release: %q, want none", left)
	}
}

// TestSweep checks that Sweep removes the files that killed attempts at finished runs have left. It must not remove the
// files of a run that another process has locked, or of a run without a result.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	f := store.Open(dir).Folder("test/one", "smoke")
	finished(t, f, manifest("p", "k", "1"))
	left := func() (names []string) {
		entries, err := os.ReadDir(f.Dir())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			key, _, _ := strings.Cut(e.Name(), ".")
			names = append(names, key+filepath.Ext(strings.TrimSuffix(e.Name(), ".jsonl")))
		}
		return names
	}
	again := draft(t, f, manifest("p", "k", "2")) // as `gaplab run --force` does before it is killed
	if err := again.SaveState("", func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	draft(t, f, manifest("q", "unfinished", "1"))
	held, err := store.Open(dir).Lock(t.Context(), "k", false)
	if err != nil {
		t.Fatal(err)
	}
	f.Sweep(t.Context())
	if got, want := left(), []string{"k.part", "k", "k.state", "unfinished.part"}; !sameWords(got, want) {
		t.Errorf("while another process has locked the run: %q, want %q", got, want)
	}
	held.Unlock()
	f.Sweep(t.Context())
	if got, want := left(), []string{"k", "unfinished.part"}; !sameWords(got, want) {
		t.Errorf("after the other process was killed: %q, want %q", got, want)
	}
	if file, err := f.Finished("k"); err != nil || file.Manifest.Start != "1" {
		t.Errorf("the result is %+v, %v; want the first", file, err)
	}
	for _, key := range []string{"k", "unfinished"} {
		lock, err := store.Open(dir).Lock(t.Context(), key, false)
		if err != nil {
			t.Errorf("the lock of %s after the removal: %v, want it free", key, err)
			continue
		}
		lock.Unlock()
	}
}

// TestDropUnwritten checks that DropUnwritten removes the incomplete checkpoints of a key, and no other file. The test
// copies the file of a checkpoint while it is written, as a killed process would leave it.
func TestDropUnwritten(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	list := func() (names []string) {
		t.Helper()
		entries, err := os.ReadDir(f.Dir())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	left := map[string][]string{} // by key, the files that killed processes have left
	for _, key := range []string{"k", "kk"} {
		d := draft(t, f, manifest("p", key, "1"))
		for _, point := range []string{"", "trial"} {
			before := list()
			err := d.SaveState(point, func(io.Writer) error {
				for _, name := range list() {
					if !slices.Contains(before, name) {
						left[key] = append(left[key], strings.Replace(name, key+".", key+"."+point+"9", 1))
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(left["k"]) != 2 || len(left["kk"]) != 2 {
		t.Fatalf("incomplete checkpoints %v, want two of each key", left)
	}
	want := list()
	for _, name := range slices.Concat(left["k"], left["kk"]) {
		if err := os.WriteFile(filepath.Join(f.Dir(), name), []byte("gap"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want = append(want, left["kk"]...)
	f.DropUnwritten("k")
	if got := list(); !sameWords(got, want) {
		t.Errorf("files after DropUnwritten: %q, want %q", got, want)
	}
}
