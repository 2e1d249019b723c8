package store_test

import (
	"bytes"
	"errors"
	"fmt"
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
