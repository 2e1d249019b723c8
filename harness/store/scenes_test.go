package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestFindUnfinished checks that Find in a store returns unfinished runs, too, at all scales, and that Find among kept
// results returns the runs of the given scales in their order.
func TestFindUnfinished(t *testing.T) {
	s, k := store.Open(t.TempDir()), store.Keep(t.TempDir())
	for _, scale := range []string{"smoke", "paper"} {
		f := s.Folder("p/a", scale)
		finished(t, f, manifest("p", "k1", "result "+scale))
		draft(t, f, manifest("p", "k2", "running "+scale))
		if _, err := draft(t, f, manifest("p", "k3", "left "+scale)).Leave(trace.End{Status: trace.Failed}); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"p/a", "p/b"} {
			file := kept(id, "k"+id[2:], 0, 2, 1)
			file.Manifest.Scale = scale
			if _, err := k.Write(id, scale, []*trace.File{file}, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	found, err := s.Find("k")
	var starts []string
	for _, f := range found {
		starts = append(starts, f.Manifest.Start)
	}
	if err != nil || !sameWords(starts, []string{"result smoke", "running smoke", "left smoke", "result paper",
		"running paper", "left paper"}) {
		t.Errorf("Find in the store: %q, %v; want three runs at each scale", starts, err)
	}
	for _, c := range []struct {
		prefix string
		scales []string
		want   string
	}{
		{"k", []string{"smoke", "paper"}, "smoke p/a, smoke p/b, paper p/a, paper p/b, "},
		{"k", []string{"paper", "none", "smoke"}, "paper p/a, paper p/b, smoke p/a, smoke p/b, "},
		{"kb", []string{"smoke", "paper"}, "smoke p/b, paper p/b, "}, {"ka", []string{"smoke"}, "smoke p/a, "},
		{"k", nil, ""},
	} {
		found, err := k.Find(c.prefix, c.scales...)
		got := ""
		for _, f := range found {
			got += f.Manifest.Scale + " " + f.Manifest.Experiment + ", "
		}
		if err != nil || got != c.want {
			t.Errorf("Find(%q, %q) among the kept results = %s, %v; want %s", c.prefix, c.scales, got, err, c.want)
		}
	}
}

// TestShareTakesTheFirstThatFits checks that Share passes over runs that do not fit or cannot be read, brings the
// weights of the run, replaces a damaged file of the key, and shares only runs of its own scale.
func TestShareTakesTheFirstThatFits(t *testing.T) {
	s := store.Open(t.TempDir())
	content := map[string][]byte{}
	for _, at := range []string{"test/a paper", "test/b smoke", "test/c smoke", "test/d smoke", "test/e smoke"} {
		id, scale, _ := strings.Cut(at, " ")
		f := s.Folder(id, scale)
		weights, err := f.SaveWeights(store.Weights{Key: "k", Experiment: id, W: []float64{1, 2}}, true)
		if err != nil {
			t.Fatal(err)
		}
		file, err := draft(t, f, manifest("p", "k", at)).Finish(trace.End{Status: trace.Done, Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		if content[at], err = os.ReadFile(file.Path); err != nil {
			t.Fatal(err)
		}
		if id == "test/b" {
			if err := os.WriteFile(file.Path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if id == "test/e" {
			if err := os.Remove(store.WeightsPath(file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	fits := func(starts ...string) func(*trace.File) bool {
		return func(f *trace.File) bool { return slices.Contains(starts, f.Manifest.Start) }
	}
	own := s.Folder("test/one", "smoke")
	for _, want := range []string{"test/d smoke", "test/e smoke", "test/c smoke"} {
		if want == "test/e smoke" { // a damaged file of the key is in the way
			path := filepath.Join(own.Dir(), "k.jsonl")
			if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte("gap"), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		accepted := []string{want, "test/e smoke", "test/a paper", "test/b smoke"}
		f, err := own.Share("k", fits(accepted...))
		if err != nil || f == nil || f.Manifest.Start != want || f.Path != filepath.Join(own.Dir(), "k.jsonl") {
			t.Fatalf("shared %+v, %v; want the run of %s in the own folder", f, err, want)
		}
		if text, err := os.ReadFile(f.Path); err != nil || !bytes.Equal(text, content[want]) {
			t.Errorf("the shared file differs from that of %s: %v", want, err)
		}
		w, err := store.WeightsOf(f)
		if has := want != "test/e smoke"; (err == nil) != has || has && w.Experiment+" smoke" != want {
			t.Errorf("the weights of the run of %s: %+v, %v; want them: %v", want, w, err, has)
		}
	}
	if f, err := own.Share("k", fits("test/a paper")); f != nil || err != nil {
		t.Errorf("shared %+v, %v; want nothing at another scale", f, err)
	}
	if f, err := own.Share("[", fits("test/c smoke")); f != nil || err != nil {
		t.Errorf("a key that is no pattern: %+v, %v; want nothing", f, err)
	}
}

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

// TestPacksOfSeveralExperiments checks the order of the runs of a pack, that of two runs with one key the first in this
// order is stored, that a run is shared with the first pack that has the same run, even if another pack has another run
// of the key, and that the lists of the caller stay as they are.
func TestPacksOfSeveralExperiments(t *testing.T) {
	dir := t.TempDir()
	k := store.Keep(dir)
	all := map[string][]*trace.File{
		"p/a": {kept("p/a", "k2", 2, 3, 1), kept("p/a", "k1", 0, 3, 1), kept("p/a", "k1", 1, 4, 1)},
		"p/b": {kept("p/b", "k1", 0, 3, 2)},
		"p/c": {kept("p/c", "k1", 0, 3, 2), kept("p/c", "k2", 2, 3, 1)},
		"p/d": {kept("p/d", "k1", 0, 3, 1)},
	}
	first := all["p/a"][0]
	changed, err := k.WriteAll("paper", all, false)
	for i := range changed {
		changed[i], _ = filepath.Rel(dir, changed[i])
	}
	if err != nil || !slices.Equal(changed, []string{"paper/p/a.jsonl", "paper/p/b.jsonl", "paper/p/c.jsonl",
		"paper/p/d.jsonl"}) {
		t.Errorf("wrote %q, %v; want four packs", changed, err)
	}
	if all["p/a"][0] != first {
		t.Error("WriteAll sorted the list of the caller")
	}
	for id, want := range map[string][]*trace.File{"p/a": {all["p/a"][1], all["p/a"][0]}, "p/b": all["p/b"],
		"p/c": all["p/c"], "p/d": all["p/d"]} {
		if d := cmp.Diff(want, read(t, k, id, "paper"), bitwise()); d != "" {
			t.Errorf("%s: %s", id, d)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "paper/p/c.jsonl"))
	if err != nil || !bytes.Contains(text, []byte(`{"shared":{"in":"p/b","key":"k1",`)) ||
		!bytes.Contains(text, []byte(`{"shared":{"in":"p/a","key":"k2",`)) || bytes.Contains(text, []byte(`{"run"`)) {
		t.Errorf("the pack of p/c is %s, %v; want its runs shared with p/b and p/a", text, err)
	}
	text, err = os.ReadFile(filepath.Join(dir, "paper/p/d.jsonl"))
	if err != nil || !bytes.Contains(text, []byte(`{"shared":{"in":"p/a","key":"k1",`)) {
		t.Errorf("the pack of p/d is %s, %v; want its run shared with p/a", text, err)
	}
	runs := []*trace.File{kept("p/b", "k1", 0, 3, 2)}
	given := runs[0]
	given.Manifest.Start = "later"
	if _, err := k.Write("p/b", "paper", runs, true); err != nil || runs[0] != given {
		t.Errorf("Write changed the list of the caller, or failed: %v", err)
	}
	bad := kept("p/e", "k9", 0, 3, 1)
	for _, constant := range []bool{false, true} {
		for i := range bad.Rows {
			if i == 1 || constant {
				bad.Rows[i].Values["x"] = math.NaN()
			}
		}
		if _, err := k.Write("p/e", "paper", []*trace.File{bad}, false); err == nil || k.Has("p/e", "paper") ||
			!strings.HasPrefix(err.Error(), "p/e: ") {
			t.Errorf("a pack with a value that is no number: error %v; want one, and no pack", err)
		}
	}
}

// TestReferencesByOrder checks that a reference is written again if its place in the plan has changed, that of several
// references only those that changed are replaced, and that references are never compressed, but other packs are.
func TestReferencesByOrder(t *testing.T) {
	k := store.Keep(t.TempDir())
	write := func(want string, runs ...*trace.File) {
		t.Helper()
		for i, r := range runs {
			runs[i] = r.Reference(4000)
		}
		if _, err := k.Write("p/a", "smoke", runs, true); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range read(t, k, "p/a", "smoke") {
			got += fmt.Sprintf("%s %d %s, ", f.Manifest.Key, f.Manifest.Order, f.Manifest.Start)
		}
		if got != want {
			t.Errorf("the references are %s, want %s", got, want)
		}
	}
	run := func(key string, order int, start string, scale float64) *trace.File {
		f := kept("p/a", key, order, 900, scale)
		f.Manifest.Labels, f.Manifest.Spec, f.Manifest.Start = map[string]any{"as": "a"}, nil, start
		return f
	}
	write("k1 0 1, k2 1 1, ", run("k1", 0, "1", 1), run("k2", 1, "1", 1))
	write("k1 0 1, k2 1 1, ", run("k1", 0, "2", 1), run("k2", 1, "2", 1))
	write("k1 0 1, k2 1 3, ", run("k1", 0, "3", 1), run("k2", 1, "3", 2))
	write("k2 0 4, k1 1 4, ", run("k1", 1, "4", 1), run("k2", 0, "4", 2))
	if path := k.Path("p/a", "smoke"); filepath.Ext(path) != ".jsonl" {
		t.Errorf("the references are in %s, want a file that is not compressed", path)
	} else if info, err := os.Stat(path); err != nil || info.Size() < 65<<10 {
		t.Fatalf("the test needs a large pack, but it has %v, %v", info, err)
	}
}

// TestReasons checks the reasons that Runs gives for files that it leaves out, and that the damage of a file that is
// not the latest of its plan does not hide the plan's run.
func TestReasons(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	text, err := os.ReadFile(finished(t, f, manifest("p", "a", "1")).Path)
	if err != nil {
		t.Fatal(err)
	}
	finished(t, f, manifest("p", "b", "2"))
	lines := strings.SplitAfter(string(text), "\n")
	for name, content := range map[string]string{"a": strings.Join(lines[:3], ""), "c": "x\n"} {
		if err := os.WriteFile(filepath.Join(f.Dir(), name+".jsonl"), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ note, damaged, file string }{{"b", "", "b"}, {"a", "a.jsonl: its end is missing", ""}} {
		if err := f.Note("p", c.note); err != nil {
			t.Fatal(err)
		}
		runs, err := f.Runs()
		if err != nil || len(runs.Left) != 2 || runs.Left[0] != "a.jsonl (damaged: its end is missing)" ||
			!strings.HasPrefix(runs.Left[1], "c.jsonl (line 1: not a line of a trace: ") {
			t.Errorf("Runs returned %+v, %v; want the reasons for a.jsonl and c.jsonl", runs, err)
		}
		if got := runs.Files["p"]; (got != nil) != (c.file != "") || got != nil && got.Manifest.Key != c.file ||
			runs.Damaged["p"] != c.damaged {
			t.Errorf("after the note %s: run %+v, damage %q; want the run %q, or %q", c.note, got, runs.Damaged, c.file,
				c.damaged)
		}
	}
}

// TestNamesOfPacks checks which names are those of packs.
func TestNamesOfPacks(t *testing.T) {
	for name, want := range map[string]bool{"a.jsonl": true, "a.jsonl.gz": true, "a.svg": false, "a.gz": false,
		"a.jsonl.gz.gz": false, "jsonl": false, "p/a.jsonl": true, "a.json": false} {
		if store.IsPack(name) != want {
			t.Errorf("%s is a pack: %v, want %v", name, !want, want)
		}
	}
}
