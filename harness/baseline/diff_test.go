package baseline_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// keep writes a kept run of each experiment with the given ids, of the scale smoke or another one.
func keep(t *testing.T, dir, scale string, ids ...string) {
	t.Helper()
	for _, id := range ids {
		f := &trace.File{Manifest: trace.Manifest{Experiment: id, Plan: "p", Key: "k", Scale: scale,
			Labels: map[string]any{"as": id}}, End: &trace.End{Status: trace.Done, Rows: 1},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 0, trace.Primal: 1}}}}
		if _, err := store.Keep(dir).Write(id, scale, []*trace.File{f.Reference(9)}, true); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOrphansOfSeveral checks that each reference without an experiment is an orphan, in the order of the ids, and that
// results of another scale are none.
func TestOrphansOfSeveral(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "smoke", "p/c", "p/a", "q/b", "p/b")
	keep(t, dir, "paper", "p/d")
	var exps []*harness.Experiment
	for _, id := range []string{"p/d", "p/b"} {
		exps = append(exps, specFile(t, strings.Replace(atC, "test/tiny", id, 1)+
			"solvers: [{name: eg}]\nstop: {passes: 1}\n"))
	}
	got, err := baseline.Orphans(exps, harness.Options{Root: dir})
	var ids []string
	for _, c := range got {
		ids = append(ids, c.Experiment)
		if path := filepath.Join(dir, "smoke", c.Experiment+".jsonl"); c.OK || !strings.HasPrefix(c.Message, path+" is a ") {
			t.Errorf("%s: %+v, want its path", c.Experiment, c)
		}
	}
	if err != nil || !slices.Equal(ids, []string{"p/a", "p/c", "q/b"}) {
		t.Errorf("orphans %q, %v; want the references of p/a, p/c and q/b", ids, err)
	}
}

// TestDiffInOrder checks that Diff compares the experiments in the order of their ids if it finds them itself, each
// once and at its scale only, else in the given order, and that neither an experiment without results nor a damaged
// pack in one of the folders is passed over.
func TestDiffInOrder(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	keep(t, a, "smoke", "p/c", "p/both")
	keep(t, b, "smoke", "p/both", "p/a")
	keep(t, b, "paper", "p/paper")
	for _, c := range []struct {
		ids  []string
		want string // experiments, with the folders that have them
	}{
		{nil, "p/a b, p/both a b, p/c a, "}, {[]string{"p/c", "p/a"}, "p/c a, p/a b, "}, {[]string{"p/both"}, "p/both a b, "},
	} {
		list, err := baseline.Diff(a, b, "smoke", c.ids, harness.Options{Exact: true})
		got := ""
		for _, c := range list {
			got += c.Experiment
			if c.Reference != nil {
				got += " a"
			}
			if c.Fresh != nil {
				got += " b"
			}
			got += ", "
			if c.OK != (c.Reference != nil && c.Fresh != nil) {
				t.Errorf("%+v: want that runs in both folders are equal, and others are not", c)
			}
		}
		if err != nil || got != c.want {
			t.Errorf("Diff of %q = %s, %v; want %s", c.ids, got, err, c.want)
		}
	}
	for _, ids := range [][]string{{"p/none"}, {"p/both", "p/paper"}} {
		last := ids[len(ids)-1]
		want := fmt.Sprintf(" of %s at scale smoke in %s or %s", last, a, b)
		if list, err := baseline.Diff(a, b, "smoke", ids, harness.Options{}); len(list) > 0 ||
			!errors.Is(err, harness.ErrNoResults) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("Diff of %q: %v, %v; want no results%s", ids, list, err, want)
		}
	}
	for _, dir := range []string{a, b} {
		path := filepath.Join(dir, "smoke", "p", "both.jsonl")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text[:len(text)/2], 0o666); err != nil {
			t.Fatal(err)
		}
		if list, err := baseline.Diff(a, b, "smoke", nil, harness.Options{}); len(list) > 0 ||
			!errors.Is(err, trace.ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("Diff with the damaged pack %s: %v, %v", path, list, err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUpdatesOfSeveral checks that Update returns the files of all experiments, that an unchanged one is not written,
// and that it ends at the first experiment without results.
func TestUpdatesOfSeveral(t *testing.T) {
	dir := t.TempDir()
	spec := func(id string, passes int) *harness.Experiment {
		return specFile(t, strings.Replace(atC, "test/tiny", id, 1)+fmt.Sprintf("solvers: [{name: eg, eta: 0.5}]\n"+
			"stop: {passes: %d}\n", passes))
	}
	bad := specFile(t, strings.Replace(atC, "test/tiny", "test/bad", 1)+"solvers: [{name: eg, eta: 0.5}]\n"+
		"stop: {passes: 1}\nscales: {paper: {stop: {passes: 2}}}\n")
	o := harness.Options{Root: dir}
	for _, c := range []struct {
		exps []*harness.Experiment
		want []string
	}{
		{[]*harness.Experiment{spec("b/one", 1), spec("a/one", 1)}, []string{"b/one", "a/one"}},
		{[]*harness.Experiment{spec("b/one", 1), spec("a/one", 2), spec("c/one", 1)}, []string{"a/one", "c/one"}},
	} {
		written, err := baseline.Update(t.Context(), c.exps, "smoke", o)
		var want []string
		for _, id := range c.want {
			want = append(want, filepath.Join(dir, "smoke", filepath.FromSlash(id)+".jsonl"))
		}
		if err != nil || !slices.Equal(written, want) {
			t.Errorf("Update wrote %q, %v; want %q", written, err, want)
		}
	}
	written, err := baseline.Update(t.Context(), []*harness.Experiment{bad, spec("d/one", 1)}, "paper", o)
	if !errors.Is(err, harness.ErrNoResults) || len(written) > 0 || !strings.Contains(err.Error(), "test/bad") {
		t.Errorf("Update wrote %q, %v; want that test/bad has no results", written, err)
	}
}
