package crate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/results"
)

// packsAt returns a folder of results with copies of references at several scales.
func packsAt(t *testing.T, change func(f *trace.File), ids []string, scales ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, scale := range scales {
		for _, id := range ids {
			files, err := store.KeepIn(results.References, "").Read(id, "smoke")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				f.Manifest.Scale = scale
				change(f)
			}
			if _, err := store.Keep(dir).Write(id, scale, files, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// TestScales checks that the runs of each scale are checked, in the order of the experiments and of their plans, and
// that a scale restricts them. Runs of one key at two scales are two runs.
func TestScales(t *testing.T) {
	scales := []string{lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper, lang.ScaleOwn}
	ids := []string{"cutting-plane/lem2", "eg/lem1"}
	dir := packsAt(t, func(*trace.File) {}, ids, scales...)
	var want []string
	for _, scale := range scales {
		for _, id := range ids {
			files, err := store.Keep(dir).Read(id, scale)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				want = append(want, scale+" "+id+" "+f.Manifest.Key)
			}
		}
	}
	o := &Opened{Path: dir, files: os.DirFS(dir)}
	for _, only := range append(scales, "") {
		var got []string
		r := &Report{}
		if r = o.Check(only); len(r.Damage)+len(r.Wrong) > 0 {
			t.Errorf("scale %q: %q, %q", only, r.Damage, r.Wrong)
		}
		for _, run := range r.Runs {
			got = append(got, run.Scale+" "+run.Experiment+" "+run.File.Manifest.Key)
		}
		own := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return !strings.HasPrefix(s, only) })
		if !slices.Equal(got, own) || r.Packs != len(ids)*map[bool]int{true: 4, false: 1}[only == ""] {
			t.Errorf("scale %q: %d packs with the runs %q, want %q", only, r.Packs, got, own)
		}
	}
}

// TestSharedRunsOnce checks that a run that several experiments share is one run of the crate, with the first of them.
func TestSharedRunsOnce(t *testing.T) {
	c, err := Make(Contents{Results: results.References, Scale: "smoke", IDs: []string{"cutting-plane/fig3"}})
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]string{}
	for _, id := range c.Experiments {
		files, err := store.KeepIn(results.References, "").Read(id, "smoke")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if first[f.Manifest.Key] == "" {
				first[f.Manifest.Key] = id
			}
		}
	}
	r := opened(t, zipped(t, c)).Check("")
	for _, run := range r.Runs {
		if want := first[run.File.Manifest.Key]; run.Experiment != want || run.Scale != "smoke" {
			t.Errorf("the run %s is one of %q at scale %s, want of %q once", run.File.Describe(), run.Experiment, run.Scale,
				want)
		}
		delete(first, run.File.Manifest.Key)
	}
	if len(first) > 0 {
		t.Errorf("the runs %v are missing", first)
	}
}

// TestWeakDuality checks that experiments with a primal below a dual are wrong, each by its name, and no others.
func TestWeakDuality(t *testing.T) {
	ids := []string{"cutting-plane/lem2", "eg/lem1"}
	for _, wrong := range ids {
		dir := packsAt(t, func(f *trace.File) {
			f.Manifest.Exact = ""
			if f.Manifest.Experiment == wrong {
				last := f.Rows[len(f.Rows)-1].Values
				last[trace.Dual] = last[trace.Primal] + 1
			}
		}, ids, "smoke")
		r := (&Opened{Path: dir, files: os.DirFS(dir)}).Check("")
		if len(r.Wrong) != 1 || !strings.HasPrefix(r.Wrong[0], wrong+": ") || r.Packs != 2 {
			t.Errorf("a dual above the primal in %s: %q; want one text about it", wrong, r.Wrong)
		}
	}
}

// TestAllDamage checks that all damaged files are named, and a pack that the metadata describe rightly, but that is no
// pack; it is named without the path of the crate, and the other packs are checked.
func TestAllDamage(t *testing.T) {
	c := small(t)
	dir := filepath.Join(t.TempDir(), "crate")
	if err := c.Folder(dir); err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, f := range c.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Path))
		var err error
		switch i % 3 {
		case 0:
			err = os.Remove(file)
			want = append(want, f.Path+": the metadata list it, but it is missing")
		case 1:
			err = os.WriteFile(file, f.Text[1:], 0o666)
			want = append(want, fmt.Sprintf("%s: it has %d bytes; the metadata state %d", f.Path, len(f.Text)-1, len(f.Text)))
		default:
			err = os.WriteFile(file, append([]byte("x"), f.Text[1:]...), 0o666)
			want = append(want, f.Path+": its SHA-256 is ")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "z/z"} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		want = append(want, name+": the metadata do not list it")
	}
	r := opened(t, dir).Check("")
	if len(r.Damage) != len(want) || r.Files != len(c.Files) || len(want) < 5 {
		t.Fatalf("%d files, damage %q; want %q", r.Files, r.Damage, want)
	}
	for i, text := range r.Damage {
		if !strings.HasPrefix(text, want[i]) {
			t.Errorf("damage %q, want %q", text, want[i])
		}
	}
	at := slices.IndexFunc(c.Files, func(f File) bool { return f.Path == "smoke/cutting-plane/lem2.jsonl" })
	c.Files[at].Text = []byte("no pack\n")
	var err error
	if c.metadata, err = c.describe(Contents{Scale: "smoke", Licence: "https://x/y"}, nil); err != nil {
		t.Fatal(err)
	}
	if r := opened(t, zipped(t, c)).Check(""); len(r.Damage) != 1 || r.Packs != 1 || len(r.Runs) == 0 ||
		!strings.HasPrefix(r.Damage[0], "smoke/cutting-plane/lem2.jsonl:1: ") {
		t.Errorf("a file that is no pack: damage %q, %d packs and %d runs; want its path in the crate", r.Damage, r.Packs,
			len(r.Runs))
	}
}
