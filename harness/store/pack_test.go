package store_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
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

// kept returns a run to be written to a pack, with values that need all digits of a float64.
func kept(experiment, key string, order, rows int, scale float64) *trace.File {
	f := &trace.File{
		Manifest: trace.Manifest{Format: trace.Format, Experiment: experiment, Key: key, Plan: "plan " + key, Order: order,
			Scale: "paper", Size: trace.Size{N: 100, Dim: 7}, Conditions: trace.Conditions{Start: "2025-01-01T00:00:00Z"},
			Labels: map[string]any{"as": "a", "C": float64(order), "lambda": 0.1 / 3},
			Spec: map[string]any{"model": map[string]any{"name": "m"},
				"solver": map[string]any{"name": "a", "params": map[string]any{"eta": 0.1, "k": float64(order)}}},
			Data: trace.DataManifest{Name: "d", Checksum: "abc"}},
		End: &trace.End{Status: trace.Done, Why: "gap < 1e-3", Rows: rows, Seconds: 1.5,
			Examples: map[string]trace.Examples{"error": {Of: "x", Num: []float64{1, 0}, Den: []float64{1, 1}}}},
	}
	for i := range rows {
		r := trace.Row{Values: map[string]float64{trace.Passes: float64(i) / 3, trace.Lambda: 0.1 / 3,
			trace.Primal: scale * math.Exp(-float64(i)), trace.Seconds: scale * float64(i) * 0.1}}
		if i%2 == 0 {
			r.Values["sometimes"] = math.Copysign(0, -1)
		}
		if i == 1 {
			r.Warnings = []string{"a comma, [brackets], \"quotes\" <3>"}
		}
		f.Rows = append(f.Rows, r)
	}
	return f
}

// read returns the runs of an experiment as read from its pack. It removes their paths, which are not stored.
func read(t *testing.T, k *store.Kept, experiment, scale string) []*trace.File {
	t.Helper()
	files, err := k.Read(experiment, scale)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		f.Path = ""
	}
	return files
}

// bitwise compares floats by their bits, so −0 differs from 0.
func bitwise() cmp.Option {
	return cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
}

// TestPacks checks that packed runs are read back unchanged. A run that two experiments share is stored only once. If
// the first experiment no longer contains the run, the run remains stored for the second experiment. A pack whose runs
// did not change is not written again.
func TestPacks(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test writes thousands of rows")
	}
	dir := t.TempDir()
	k := store.Keep(dir)
	one := []*trace.File{kept("p/a", "k1", 0, 5, 1), kept("p/a", "k2", 1, 4000, 2), kept("p/a", "k3", 2, 0, 1)}
	b1, b2 := kept("p/b", "k2", 0, 4000, 2), kept("p/b", "k4", 1, 3, 1)
	b1.Manifest.Labels, b1.Manifest.Spec = map[string]any{"as": "other", "C": 7.25}, one[1].Manifest.Spec
	mine := kept("p/b", "k1", 2, 5, 1)
	mine.Rows[3].Values[trace.Seconds]++ // other seconds, as if the run was repeated, so that p/a and p/b do not share it
	two := []*trace.File{b1, b2, mine}
	write := func(experiment string, runs []*trace.File, want ...string) {
		t.Helper()
		changed, err := k.Write(experiment, "paper", runs, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range changed {
			changed[i], _ = filepath.Rel(dir, c)
		}
		if fmt.Sprint(changed) != fmt.Sprint(want) {
			t.Errorf("%s: wrote %q; want %q", experiment, changed, want)
		}
	}
	write("p/a", one, "paper/p/a.jsonl.gz")
	write("p/b", two, "paper/p/b.jsonl")
	write("p/a", one)
	write("p/b", two)
	check := func(experiment string, want []*trace.File) {
		t.Helper()
		if d := cmp.Diff(want, read(t, k, experiment, "paper"), bitwise()); d != "" {
			t.Errorf("%s: %s", experiment, d)
		}
	}
	check("p/a", one)
	check("p/b", two)
	text, err := os.ReadFile(filepath.Join(dir, "paper/p/b.jsonl"))
	if err != nil || bytes.Count(text, []byte(`{"shared":{"in":"p/a","key":"k2"`)) != 1 || len(text) > 6000 {
		t.Errorf("pack of p/b: %d bytes, %v; want a reference to the run k2 of p/a, and at most 6000 bytes", len(text), err)
	}
	write("p/a", one[:1], "paper/p/a.jsonl", "paper/p/b.jsonl.gz")
	check("p/a", one[:1])
	check("p/b", two)
	if names, _ := filepath.Glob(filepath.Join(dir, "paper/p/*")); len(names) != 2 {
		t.Errorf("files %q, want 2", names)
	}
}

// TestExperiments checks that the list of the experiments with a pack has compressed packs and others, each id once. It
// must have nothing else. The packs are in a folder, or in a file system.
func TestExperiments(t *testing.T) {
	dir := t.TempDir()
	k := store.Keep(dir)
	for _, c := range []struct {
		id, scale string
		rows      int
	}{{"p/long", "paper", 4000}, {"p/a", "paper", 3}, {"b/z.y", "paper", 3}, {"p/other", "smoke", 3}} {
		if _, err := k.Write(c.id, c.scale, []*trace.File{kept(c.id, "k", 0, c.rows, 1)}, false); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("paper/p/a.svg")
	write("paper/p/a.svg.gz")
	write("paper/p/twice.jsonl")
	write("paper/p/twice.jsonl.gz")
	write("paper/p/folder.jsonl/x")
	write("paper/README.md")
	if _, err := os.Stat(filepath.Join(dir, "paper/p/long.jsonl.gz")); err != nil {
		t.Fatalf("the test needs a compressed pack: %v", err)
	}
	for scale, want := range map[string][]string{"paper": {"b/z.y", "p/a", "p/long", "p/twice"}, "smoke": {"p/other"},
		"none": nil} {
		for place, k := range map[string]*store.Kept{"folder": k, "file system": store.KeepIn(os.DirFS(dir), "in:")} {
			got, err := k.Experiments(scale)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("experiments at scale %s in a %s: %q, %v; want %q", scale, place, got, err, want)
			}
			for _, id := range got {
				if !k.Has(id, scale) {
					t.Errorf("%s is listed in a %s, but has no pack", id, place)
				}
			}
		}
	}
}

// TestPacksInArchive checks that packs in an archive are read as those in the folder, whether they are compressed or
// not, and that messages name the archive. A missing pack, a pack with another name and a damaged one give different
// errors.
func TestPacksInArchive(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test writes thousands of rows")
	}
	dir := t.TempDir()
	one := []*trace.File{kept("p/a", "k1", 0, 5, 1), kept("p/a", "k2", 1, 4000, 2)}
	two := []*trace.File{kept("p/b", "k2", 1, 4000, 2), kept("p/b", "k4", 1, 3, 1)}
	all := map[string][]*trace.File{"p/a": one, "p/b": two}
	for _, id := range []string{"p/a", "p/b"} { // p/a stores the run that they share
		if _, err := store.Keep(dir).Write(id, "paper", all[id], false); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(filepath.Join(dir, "paper/p/b.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"paper/p/misnamed.jsonl", "smoke/p/b.jsonl"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, whole, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	var text bytes.Buffer
	z := zip.NewWriter(&text)
	for _, name := range []string{"paper/p/a.jsonl.gz", "paper/p/b.jsonl", "paper/p/misnamed.jsonl", "smoke/p/b.jsonl"} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	archive := func(text []byte) *store.Kept {
		z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		return store.KeepIn(z, "in.zip:")
	}
	damaged := bytes.Clone(text.Bytes())
	damaged[bytes.Index(damaged, whole)+len(whole)/2] ^= 1
	kept := archive(text.Bytes())
	for id, want := range all {
		if d := cmp.Diff(want, read(t, kept, id, "paper"), bitwise()); d != "" {
			t.Errorf("%s: %s", id, d)
		}
	}
	for _, c := range []struct {
		k         *store.Kept
		id, scale string
		wrapped   error
		want      string
	}{
		{kept, "p/none", "paper", fs.ErrNotExist, "p/none"},
		{kept, "p/misnamed", "paper", trace.ErrDamaged, "in.zip:paper/p/misnamed.jsonl: damaged: it is the pack of p/b at " +
			"scale paper"},
		{kept, "p/b", "smoke", trace.ErrDamaged, "in.zip:smoke/p/b.jsonl: damaged: it is the pack of p/b at scale paper"},
		{archive(damaged), "p/b", "paper", trace.ErrDamaged, "in.zip:paper/p/b.jsonl: damaged: zip: checksum error"},
		{archive(damaged), "p/none", "paper", fs.ErrNotExist, "p/none"},
	} {
		if _, err := c.k.Read(c.id, c.scale); !errors.Is(err, c.wrapped) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("reading %s at scale %s: %v, want an error with %q", c.id, c.scale, err, c.want)
		}
	}
}

// TestSharedWithoutDigest checks that a stored run without a digest of its rows can be shared with a new run that has a
// digest, unless the rows differ.
func TestSharedWithoutDigest(t *testing.T) {
	for _, rows := range []int{5, 300} {
		k := store.Keep(t.TempDir())
		whole, again := kept("p/a", "k1", 0, rows, 1), kept("p/b", "k1", 0, rows, 1)
		old, now := whole.Thin(50), again.Reference(50)
		other := again.Reference(50)
		other.Rows = slices.Clone(other.Rows)
		other.Rows[3].Values = map[string]float64{trace.Passes: 1}
		for _, c := range []struct {
			second *trace.File
			shared int
		}{{now, 1}, {other, 0}} {
			all := map[string][]*trace.File{"p/a": {old}, "p/b": {c.second}}
			if _, err := k.WriteAll("paper", all, false); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(k.Path("p/b", "paper"))
			if n := bytes.Count(text, []byte(`{"shared":{"in":"p/a"`)); err != nil || n != c.shared {
				t.Errorf("%d rows: shared runs = %d, %v; want %d", rows, n, err, c.shared)
			}
		}
	}
}

// TestDamagedPackIsReplaced checks that Write replaces a damaged or missing pack to whose runs another pack refers.
// Write must return an error if the new runs do not include these runs.
func TestDamagedPackIsReplaced(t *testing.T) {
	k := store.Keep(t.TempDir())
	one := []*trace.File{kept("p/a", "k1", 0, 5, 1), kept("p/a", "k2", 1, 9, 2)}
	two := []*trace.File{kept("p/b", "k2", 0, 9, 2), kept("p/b", "k4", 1, 3, 1)}
	two[0].Manifest.Spec, two[0].Manifest.Labels = one[1].Manifest.Spec, one[1].Manifest.Labels
	if _, err := k.WriteAll("paper", map[string][]*trace.File{"p/a": one, "p/b": two}, false); err != nil {
		t.Fatal(err)
	}
	path := k.Path("p/a", "paper")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() error{
		"cut":  func() error { return os.WriteFile(path, whole[:len(whole)/2], 0o666) },
		"gone": func() error { return os.Remove(path) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Read("p/b", "paper"); err == nil {
			t.Errorf("%s: the pack with a reference to it was read without an error", name)
		}
		if _, err := k.Write("p/a", "paper", one[:1], false); err == nil {
			t.Errorf("%s: it was written without the run to which the other pack refers, want an error", name)
		}
		if changed, err := k.Write("p/a", "paper", one, false); err != nil || len(changed) != 1 {
			t.Errorf("%s: wrote %q, %v; want one file", name, changed, err)
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, whole) {
			t.Errorf("%s: the new pack differs from the first one: %v", name, err)
		}
		if d := cmp.Diff(two, read(t, k, "p/b", "paper"), bitwise()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestReferencesStay checks that a new run that differs only in its times does not replace a reference. If any row of
// the new run differs, it must replace the reference. A reference stores only some rows of its run, but a change in any
// row must be detected.
func TestReferencesStay(t *testing.T) {
	dir := t.TempDir()
	k := store.Keep(dir)
	make := func(experiment string, seconds, primal float64) []*trace.File {
		f := kept(experiment, "k1", 0, 300, 1)
		f.Manifest.Start = fmt.Sprint(seconds)
		for _, r := range f.Rows {
			r.Values[trace.Seconds] = seconds
		}
		f.Rows[17].Values[trace.Primal] = primal
		return []*trace.File{f.Reference(20)}
	}
	write := func(runs []*trace.File, want int) {
		t.Helper()
		changed, err := k.Write(runs[0].Manifest.Experiment, "smoke", runs, true)
		if err != nil || len(changed) != want {
			t.Errorf("wrote %q, %v; want %d files", changed, err, want)
		}
	}
	write(make("p/a", 1, 0.5), 1)
	write(make("p/a", 2, 0.5), 0)
	write(make("p/b", 3, 0.5), 1)
	if f := read(t, k, "p/b", "smoke")[0]; f.Manifest.Start != "1" || f.Manifest.Experiment != "p/b" {
		t.Errorf("manifest of the shared run = %+v, want the manifest of p/a with the experiment p/b", f.Manifest)
	}
	write(make("p/a", 4, math.Nextafter(0.5, 1)), 2) // differs in a row that the reference leaves out
}
