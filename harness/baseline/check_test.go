package baseline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestCheck checks which new results are refused: those of programs whose commit is not known or not in the history, or
// that had changes. Runs that are in the repository already are not checked, and each commit is looked up once.
func TestCheck(t *testing.T) {
	run := func(name string, o trace.Origin) *trace.File {
		return &trace.File{Manifest: trace.Manifest{Origin: o, Labels: map[string]any{"as": name}}}
	}
	good, again := run("good", trace.Origin{Commit: "in"}), run("again", trace.Origin{Commit: "in"})
	other := run("other", trace.Origin{Commit: "also in"})
	for _, c := range []struct {
		made  []*trace.File
		want  string // in the error; "": no error
		asked []string
	}{
		{nil, "", nil},
		{[]*trace.File{good, other, again}, "", []string{"in", "also in"}},
		{[]*trace.File{good, run("bad", trace.Origin{})}, ": bad: its commit is not known", []string{"in"}},
		{[]*trace.File{run("bad", trace.Origin{Dirty: true})}, ": bad: its commit is not known", nil},
		{[]*trace.File{run("bad", trace.Origin{Commit: "in", Dirty: true}), again},
			": bad: its sources had changed since commit in", []string{"in"}},
		{[]*trace.File{good, run("bad", trace.Origin{Commit: "away"}), other}, ": bad: the history has no commit away",
			[]string{"in", "away"}},
	} {
		var asked []string
		b := &Baseline{Experiment: "p/e", made: c.made, files: append(slices.Clone(c.made), run("kept", trace.Origin{}))}
		err := b.Check(func(commit string) bool {
			asked = append(asked, commit)
			return commit != "away"
		})
		if !slices.Equal(asked, c.asked) {
			t.Errorf("the commits %q were looked up, want %q", asked, c.asked)
		}
		if c.want == "" && err != nil {
			t.Errorf("error %v, want none", err)
		} else if c.want != "" && (!errors.Is(err, ErrOrigin) || !strings.HasPrefix(err.Error(), "p/e: ") ||
			!strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("error %v, want an ErrOrigin at the end %q", err, c.want)
		}
	}
}

// TestFilesOf checks which runs of an experiment are compared: the kept ones or, only if there are none, those of the
// user, in the order of the plan.
func TestFilesOf(t *testing.T) {
	dir := t.TempDir()
	kept, runs := store.Keep(dir), store.Open(dir)
	names := func(files []*trace.File) (out []string) {
		for _, f := range files {
			out = append(out, f.Manifest.Key)
		}
		return out
	}
	for _, own := range []*store.Store{nil, runs} {
		if files, err := filesOf(kept, own, "p/e", "smoke"); err != nil || len(files) > 0 {
			t.Errorf("without any runs: %v, %v; want none", names(files), err)
		}
	}
	for i, order := range []int{2, 0, 3, 1} {
		m := trace.Manifest{Experiment: "p/e", Plan: fmt.Sprint("plan ", i), Key: fmt.Sprint("k", order), Order: order,
			Scale: "smoke", Labels: map[string]any{"as": fmt.Sprint(i)}}
		d, err := runs.Folder("p/e", "smoke").Begin(m.Key, m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Finish(trace.End{Status: trace.Done}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filesOf(kept, runs, "p/e", "smoke")
	if err != nil || !slices.Equal(names(files), []string{"k0", "k1", "k2", "k3"}) {
		t.Errorf("the user's runs are %v, %v; want them in the order of the plan", names(files), err)
	}
	if files, err := filesOf(kept, nil, "p/e", "smoke"); err != nil || len(files) > 0 {
		t.Errorf("without the user's runs: %v, %v; want none", names(files), err)
	}
	if _, err := kept.Write("p/e", "smoke", files[1:2], false); err != nil {
		t.Fatal(err)
	}
	if files, err := filesOf(kept, runs, "p/e", "smoke"); err != nil || !slices.Equal(names(files), []string{"k1"}) {
		t.Errorf("with a kept run: %v, %v; want the kept run alone", names(files), err)
	}
}
