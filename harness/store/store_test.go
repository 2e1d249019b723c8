package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

func manifest(plan, key, start string) trace.Manifest {
	return trace.Manifest{Experiment: "test/one", Plan: plan, Key: key, Scale: "smoke",
		Conditions: trace.Conditions{Start: start},
		Labels:     map[string]any{"as": "a", "lambda": 0.1}, Size: trace.Size{N: 3}}
}

// draft begins a run and appends three rows.
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

// finished begins a run of three rows, ends it and returns it.
func finished(t *testing.T, f *store.Folder, m trace.Manifest) *trace.File {
	t.Helper()
	file, err := draft(t, f, m).Finish(trace.End{Status: trace.Done})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFirstWriterWins finishes two drafts of one run. It checks that both calls of Finish return the result of the
// first, which stays on disk, and that only Replace overwrites a result.
func TestFirstWriterWins(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	one, two := draft(t, f, manifest("p", "k", "1")), draft(t, f, manifest("p", "k", "2"))
	if got, err := f.Finished("k"); got != nil || err != nil {
		t.Errorf("result before a draft has finished: %v, %v; want none", got, err)
	}
	for _, d := range []*store.Draft{one, two} {
		if file, err := d.Finish(trace.End{Status: trace.Done}); err != nil || file.Manifest.Start != "1" {
			t.Errorf("the result is %+v, %v; want the first", file, err)
		}
	}
	three := draft(t, f, manifest("p", "k", "3"))
	if runs, err := f.Runs(); err != nil || runs.Files["p"].Manifest.Start != "1" {
		t.Errorf("result while a third draft is in progress: %+v, %v; want the first", runs, err)
	}
	if file, err := three.Replace(trace.End{Status: trace.Done}); err != nil || file.Manifest.Start != "3" {
		t.Errorf("result after Replace: %+v, %v; want the third", file, err)
	}
	names, err := filepath.Glob(filepath.Join(f.Dir(), "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("files %q, %v; want the result alone", names, err)
	}
}

// TestKilledAtItsEnd checks that a run that has an end line, but not its final name, is read as interrupted: its
// process may have been killed, or the run may be a trial (a run up to the point where runs are compared).
func TestKilledAtItsEnd(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	end := trace.End{Status: trace.Done}
	if err := draft(t, f, manifest("p", "k", "1")).Close(end); err != nil {
		t.Fatal(err)
	}
	if runs, err := f.Runs(); err != nil || runs.Files["p"].Status() != trace.Interrupted {
		t.Errorf("without a result, the run is read as %+v, %v; want it interrupted", runs, err)
	}
	finished(t, f, manifest("p", "k", "2"))
	if err := draft(t, f, manifest("p", "k", "3")).Close(end); err != nil {
		t.Fatal(err)
	}
	if runs, err := f.Runs(); err != nil || runs.Files["p"].Manifest.Start != "2" {
		t.Errorf("with a result, the runs are read as %+v, %v; want the result", runs, err)
	}
}

// TestDamagedResultIsReplaced checks that a file with a flipped bit, or a shortened file, is not read as a result, and
// that the next result replaces it.
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
			t.Fatalf("%s %d: read %+v, want an error", what, at, file)
		}
		if runs, err := f.Runs(); err != nil || len(runs.Files) > 0 || len(runs.Left) != 1 ||
			!strings.HasPrefix(runs.Left[0], "k.jsonl (") {
			t.Fatalf("%s %d: Runs returned %+v, %v; want no run, and k.jsonl in Left", what, at, runs, err)
		}
	}
	for i := 0; i < len(text); i += 7 {
		flipped := append([]byte{}, text...)
		flipped[i] ^= 1 << (i % 8)
		check("a bit of byte", i, flipped)
		check("cut at", i, text[:i])
	}
	if got := finished(t, f, manifest("p", "k", "2")); got.Manifest.Start != "2" {
		t.Errorf("the new run did not replace the damaged result")
	}
	if there, err := os.ReadFile(path + ".unreadable"); err != nil || len(there) == 0 {
		t.Errorf("the damaged file was not kept as .unreadable: %v", err)
	}
}

// TestWhatIsLeftOut checks that Runs returns the readable runs of a folder, and lists the names of the other files in
// Left.
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
	for _, name := range []string{"folder.jsonl", ".hidden.jsonl"} {
		if err := os.Mkdir(filepath.Join(f.Dir(), name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := f.Runs()
	if err != nil || len(runs.Files) != 1 || runs.Files["p"].Path != good.Path {
		t.Fatalf("Runs returned %+v, %v; want the one readable run", runs, err)
	}
	for _, want := range []string{"damaged.jsonl (", "foreign.jsonl (", "not a layout that this program reads",
		"other.jsonl (the file's name does not match its key)", "empty.jsonl (", "secret.jsonl (path escapes from parent)"} {
		if !strings.Contains(strings.Join(runs.Left, "\n"), want) {
			t.Errorf("Left = %q, want %q in it", runs.Left, want)
		}
	}
	if len(runs.Left) != 6 {
		t.Errorf("Left = %q, want 6 files", runs.Left)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "test", "away")); err == nil {
		if _, err := store.Open(dir).Folder("test/away", "smoke").Begin("k", manifest("p", "k", "1")); err == nil {
			t.Error("Begin wrote through a symbolic link that leads out of the store, want an error")
		}
	}
}

// TestNote checks that Runs returns the run whose key was noted last, even if another run is newer.
func TestNote(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	if _, err := f.Runs(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error for a missing folder: %v, want fs.ErrNotExist", err)
	}
	finished(t, f, manifest("p", "a", "2001"))
	finished(t, f, manifest("p", "b", "2099"))
	for _, key := range []string{"a", "b", "a"} {
		if err := f.Note("p", key); err != nil {
			t.Fatal(err)
		}
		if runs, err := f.Runs(); err != nil || runs.Files["p"].Manifest.Key != key {
			t.Errorf("after Note(%s), Runs returned %+v, %v; want the run with this key", key, runs, err)
		}
	}
	if err := os.WriteFile(filepath.Join(f.Dir(), "index"), []byte("\xff\nnonsense p\np \n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if runs, err := f.Runs(); err != nil || runs.Files["p"].Manifest.Key != "b" {
		t.Errorf("with a damaged index, Runs returned %+v, %v; want the newest run", runs, err)
	}
}

// TestDamagedLatestKey checks that Runs returns no run of a plan if the file of its latest key is damaged, but the
// reason, although an earlier run of the plan can be read.
func TestDamagedLatestKey(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	finished(t, f, manifest("p", "a", "1"))
	late := finished(t, f, manifest("p", "b", "2"))
	other := finished(t, f, manifest("q", "c", "3"))
	for plan, key := range map[string]string{"p": "b", "q": "c"} {
		if err := f.Note(plan, key); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(late.Path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	runs, err := f.Runs()
	if err != nil || runs.Files["p"] != nil || runs.Files["q"] == nil || runs.Files["q"].Path != other.Path {
		t.Fatalf("Runs returned %+v, %v; want only the run of q", runs, err)
	}
	const want = "b.jsonl: line 1: the file is empty: a trace begins with a manifest line"
	if len(runs.Damaged) != 1 || runs.Damaged["p"] != want {
		t.Errorf("Damaged = %q, want %q for p alone", runs.Damaged, want)
	}
}

// sameWords reports whether two lists have the same words in any order.
func sameWords(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// TestSignChanges checks that the sign of a key changes when a file of the key grows, even if the system's clock was
// set back in the meantime, and not when a file of another key does.
func TestSignChanges(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	d := draft(t, f, manifest("p", "k", "1"))
	later := time.Now().Add(time.Hour) // the checkpoint was written before the clock was set back
	if err := os.WriteFile(filepath.Join(f.Dir(), "k.state"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(f.Dir(), "k.state"), later, later); err != nil {
		t.Fatal(err)
	}
	before := f.Sign("k")
	if err := d.Append(trace.Row{Values: map[string]float64{trace.Passes: 1}}); err != nil {
		t.Fatal(err)
	}
	after := f.Sign("k")
	if after == before {
		t.Error("the sign did not change with a new row")
	}
	finished(t, f, manifest("p", "k2", "1"))
	if f.Sign("k") != after || f.Sign("k3") != 0 {
		t.Errorf("sign %d of k and %d of a key without files after a run of k2, want %d and 0", f.Sign("k"), f.Sign("k3"),
			after)
	}
}
