package store_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

func manifest(plan, key, start string) trace.Manifest {
	return trace.Manifest{Experiment: "test/one", Plan: plan, Key: key, Scale: "smoke",
		Conditions: trace.Conditions{Start: start},
		Labels:     map[string]any{"as": "a", "lambda": 0.1}, Size: trace.Size{N: 3}}
}

// draft begins a run of three rows.
func draft(t *testing.T, f *store.Folder, m trace.Manifest) *store.Draft {
	t.Helper()
	d, err := f.Begin(m.Key, m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		row := trace.Row{Values: map[string]float64{trace.Passes: float64(i), trace.Primal: 1 / (1 + float64(i)),
			trace.Seconds: 0.5 * float64(i)}}
		if err := d.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// finished returns a run that has ended.
func finished(t *testing.T, f *store.Folder, m trace.Manifest) *trace.File {
	t.Helper()
	file, err := draft(t, f, m).Finish(trace.End{Status: trace.Done})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFirstWriterWins: of two that make one run, the second takes the result of the first; to replace is a decision.
func TestFirstWriterWins(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	one, two := draft(t, f, manifest("p", "k", "1")), draft(t, f, manifest("p", "k", "2"))
	if got, err := f.Finished("k"); got != nil || err != nil {
		t.Errorf("a result before the end: %v, %v", got, err)
	}
	for _, d := range []*store.Draft{one, two} {
		if file, err := d.Finish(trace.End{Status: trace.Done}); err != nil || file.Manifest.Start != "1" {
			t.Errorf("the result is %+v, %v; want the first", file, err)
		}
	}
	three := draft(t, f, manifest("p", "k", "3"))
	if runs, err := f.Runs(); err != nil || runs.Files["p"].Manifest.Start != "1" {
		t.Errorf("while it is made again the result is %+v, %v", runs, err)
	}
	if file, err := three.Replace(trace.End{Status: trace.Done}); err != nil || file.Manifest.Start != "3" {
		t.Errorf("replaced by %+v, %v", file, err)
	}
	names, err := filepath.Glob(filepath.Join(f.Dir(), "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("files %q, %v; want the result alone", names, err)
	}
}

// TestKilledAtItsEnd: a run that has its end, but not its final name, is no result for readers either. It may be one up
// to the point of a choice.
func TestKilledAtItsEnd(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	end := trace.End{Status: trace.Done}
	if err := draft(t, f, manifest("p", "k", "1")).Close(end); err != nil {
		t.Fatal(err)
	}
	if runs, err := f.Runs(); err != nil || runs.Files["p"].Status() != trace.Interrupted {
		t.Errorf("alone it is %+v, %v; want a run that did not end", runs, err)
	}
	finished(t, f, manifest("p", "k", "2"))
	if err := draft(t, f, manifest("p", "k", "3")).Close(end); err != nil {
		t.Fatal(err)
	}
	if runs, err := f.Runs(); err != nil || runs.Files["p"].Manifest.Start != "2" {
		t.Errorf("beside the result it is read as %+v, %v", runs, err)
	}
}

// TestDamagedResultIsReplaced checks that a result with a flipped bit, or a shortened one, is no result and is replaced
// by the next.
func TestDamagedResultIsReplaced(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	path := finished(t, f, manifest("p", "k", "1")).Path
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, at int, damaged []byte) {
		t.Helper()
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if file, err := f.Finished("k"); err == nil {
			t.Fatalf("%s %d: %+v", what, at, file)
		}
		if runs, err := f.Runs(); err != nil || len(runs.Files) > 0 || len(runs.Left) != 1 ||
			!strings.HasPrefix(runs.Left[0], "k.jsonl (") {
			t.Fatalf("%s %d: %+v, %v", what, at, runs, err)
		}
	}
	for i := 0; i < len(text); i += 7 {
		flipped := append([]byte{}, text...)
		flipped[i] ^= 1 << (i % 8)
		check("a bit of byte", i, flipped)
		check("cut at", i, text[:i])
	}
	if got := finished(t, f, manifest("p", "k", "2")); got.Manifest.Start != "2" {
		t.Errorf("the damaged result stands")
	}
	if there, err := os.ReadFile(path + ".unreadable"); err != nil || len(there) == 0 {
		t.Errorf("what was there is lost: %v", err)
	}
}

// TestWhatIsLeftOut checks that Runs returns the readable runs of a folder and names the other files.
func TestWhatIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	f := store.Open(dir).Folder("test/one", "smoke")
	good := finished(t, f, manifest("p", "k", "1"))
	text, err := os.ReadFile(good.Path)
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "secret.jsonl")
	for path, content := range map[string]string{
		"damaged.jsonl": string(text[:len(text)/2]),
		"foreign.jsonl": `{"some": "thing"}` + "\n",
		"later.jsonl":   strings.Replace(string(text), "gaplab-trace/2", "gaplab-trace/7", 1),
		"other.jsonl":   string(text),
		"empty.jsonl":   "",
		"notes.txt":     "mine",
		outside:         string(text),
	} {
		if !filepath.IsAbs(path) {
			path = filepath.Join(f.Dir(), path)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(f.Dir(), "secret.jsonl")); err != nil {
		t.Log(err)
	}
	runs, err := f.Runs()
	if err != nil || len(runs.Files) != 1 || runs.Files["p"].Path != good.Path {
		t.Fatalf("%+v, %v", runs, err)
	}
	for _, want := range []string{"damaged.jsonl (", "foreign.jsonl (", "not a layout that this program reads",
		"other.jsonl (the file's name does not match its key)", "empty.jsonl (", "secret.jsonl (path escapes from parent)"} {
		if !strings.Contains(strings.Join(runs.Left, "\n"), want) {
			t.Errorf("left out: %q; want %q", runs.Left, want)
		}
	}
	if len(runs.Left) != 6 {
		t.Errorf("left out: %q", runs.Left)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "test", "away")); err == nil {
		if _, err := store.Open(dir).Folder("test/away", "smoke").Begin("k", manifest("p", "k", "1")); err == nil {
			t.Error("a run is written through a link to outside")
		}
	}
}

// TestNote checks that readers take the key that was noted last, even if its run is older.
func TestNote(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	if _, err := f.Runs(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a folder that is not there: %v", err)
	}
	finished(t, f, manifest("p", "a", "2001"))
	finished(t, f, manifest("p", "b", "2099"))
	for _, key := range []string{"a", "b", "a"} {
		if err := f.Note("p", key); err != nil {
			t.Fatal(err)
		}
		if runs, err := f.Runs(); err != nil || runs.Files["p"].Manifest.Key != key {
			t.Errorf("after %s was noted: %+v, %v", key, runs, err)
		}
	}
	if err := os.WriteFile(filepath.Join(f.Dir(), "index"), []byte("\xff\nnonsense p\np \n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if runs, err := f.Runs(); err != nil || runs.Files["p"].Manifest.Key != "b" {
		t.Errorf("without a note: %+v, %v; want the newest", runs, err)
	}
}

// TestLock checks that a lock excludes other processes until it is released, and that it leaves no file.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	a, b := store.Open(dir), store.Open(dir)
	lock, err := a.Lock(t.Context(), "k", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Lock(t.Context(), "k", false); !errors.Is(err, store.ErrBusy) {
		t.Errorf("a lock that is taken: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Lock(ctx, "k", true); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted while it waits: %v", err)
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
		t.Errorf("waiting for a lock: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".locks", "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
