package harness

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
)

// changed returns a change of the options that alters the catalogue. Components, named as in "solver eg", get the given
// revisions; packages, named by the ends of their paths, get the given hashes of their sources.
func changed(revisions map[string]int, sources map[string]string) func(*schedule.Options) {
	return func(o *schedule.Options) {
		for kind, list := range map[string]*[]lang.Entry{"data set ": &o.Catalogue.Datasets, "model ": &o.Catalogue.Models,
			"solver ": &o.Catalogue.Solvers} {
			*list = slices.Clone(*list)
			for i, n := range *list {
				if r, ok := revisions[kind+n.Name]; ok {
					(*list)[i].Revision = r
				}
			}
		}
		old := o.Catalogue.Sources
		o.Catalogue.Sources = func(pkg string) string {
			for suffix, sum := range sources {
				if strings.HasSuffix(pkg, suffix) {
					return sum
				}
			}
			return old(pkg)
		}
	}
}

// notes returns an event handler that appends the text of each note to out.
func notes(out *[]string) func(schedule.Event) {
	return func(e schedule.Event) {
		if e.Kind == schedule.Noted {
			*out = append(*out, e.Why)
		}
	}
}

// TestRevisions checks that Run repeats the runs of a component whose revision was raised, and no other runs. Before
// they are repeated, Read must mark their results as made by an older revision.
func TestRevisions(t *testing.T) {
	dir, s := t.TempDir(), readSpec(t, atC+three)
	first := runIn(t, dir, s)
	if got := first.Files[0].Manifest.Revisions; got["solver eg"] != 1 || got["rows"] != 1 || len(got) != 4 {
		t.Errorf("revisions = %v, want one for the data set, one for the model, one for the solver and one for the rows", got)
	}
	raised := changed(map[string]int{"solver eg": 2}, nil)

	old, err := Read(s, Options{Root: dir, adjust: raised})
	if err != nil || len(old.Files) != 1 || old.Files[0].Manifest.Labels["as"] != "c" {
		t.Fatalf("with results of an older revision of eg: %d files, %v, want only the file of the other solver",
			len(old.Files), err)
	}
	if !strings.Contains(strings.Join(old.Set.Warnings, "\n"), "2 of 3 results were made by older revisions") ||
		!strings.Contains(strings.Join(old.Set.Warnings, "\n"), "solver eg 1, now 2") {
		t.Errorf("warnings = %q, want one about 2 of 3 results and solver eg", old.Set.Warnings)
	}
	all := changed(map[string]int{"model multiclass": 3}, nil)
	if old, err = Read(s, Options{Root: dir, adjust: all}); err != nil || len(old.Files) != 3 ||
		old.Files[0].Older != "model multiclass 1, now 3" ||
		!strings.Contains(strings.Join(old.Set.Warnings, "\n"), old.Older) ||
		!strings.Contains(old.Older, "made by older revisions: model multiclass 1, now 3") {
		t.Errorf("with all results of an older revision: %d files, %v, older %q, warnings %q; want 3 files, marked as older",
			len(old.Files), err, old.Files[0].Older, old.Set.Warnings)
	}

	var j toy.Journal
	if runIn(t, dir, s, Options{adjust: raised, OnEvent: j.Event}); !slices.Equal(j.Ended, []string{"a", "b"}) ||
		!slices.Equal(j.Reused, []string{"c"}) {
		t.Errorf("after the revision of eg was raised: runs that ended = %q, want a and b; runs reused = %q, want c",
			j.Ended, j.Reused)
	}
	again, err := Read(s, Options{Root: dir, adjust: raised})
	if err != nil || len(again.Files) != 3 || again.Files[0].Older != "" {
		t.Errorf("after the runs were repeated: %d files, %v, want 3, none older", len(again.Files), err)
	}
}

// TestOtherCode checks results whose component now has other code but the same revision: Run reuses them with a note,
// and with SameCode repeats them.
func TestOtherCode(t *testing.T) {
	dir, s := t.TempDir(), readSpec(t, atC+three)
	runIn(t, dir, s)
	other := changed(nil, map[string]string{"solvers/eg": "0123456789abcdef"})
	var said []string
	runIn(t, dir, s, Options{adjust: other, OnEvent: notes(&said)})
	if len(said) != 1 || !strings.Contains(said[0], "2 results") || !strings.Contains(said[0], "solver eg") {
		t.Errorf("notes = %q, want one about 2 results of solver eg", said)
	}
	read, err := Read(s, Options{Root: dir, adjust: other})
	if err != nil || !strings.Contains(strings.Join(read.Set.Warnings, "\n"),
		"2 of 3 results: the code of solver eg has changed since") {
		t.Errorf("warnings of Read = %q, %v, want one about 2 results of solver eg", read.Set.Warnings, err)
	}
	var j toy.Journal
	runIn(t, dir, s, Options{adjust: other, SameCode: true, OnEvent: j.Event})
	j.Want(t, []string{"a", "b"}, []string{"c"})
	said = nil
	if runIn(t, dir, s, Options{adjust: other, OnEvent: notes(&said)}); len(said) != 0 {
		t.Errorf("notes after the runs were repeated = %q, want none", said)
	}
}

// TestDefaultsThatChange checks what happens if the default of a setting changes without a new revision: the run has
// the same key as before, but its old result is not reused.
func TestDefaultsThatChange(t *testing.T) {
	dir, s := t.TempDir(), readSpec(t, atC+"solvers: [{name: eg}]\nstop: {passes: 2}\n")
	runIn(t, dir, s)
	for i := range s.Problems[0].Solvers { // as if the default of eta had changed: a default is not in the key
		p := &s.Problems[0].Solvers[i].Params
		for k := 0; k < len(p.Content); k += 2 {
			if p.Content[k].Value == "eta" {
				p.Content[k+1].Value, p.Content[k+1].Tag = "0.125", "!!float"
			}
		}
	}
	if old, err := Read(s, Options{Root: dir}); err != nil || len(old.Files) != 1 ||
		!strings.Contains(old.Older, "settings whose defaults have changed since") {
		t.Errorf("Read = %+v, %v, want one result, marked as older", old, err)
	}
	var j toy.Journal
	r := runIn(t, dir, s, Options{OnEvent: j.Event})
	j.Want(t, []string{"eg"}, nil)
	if r.Files[0].Rows[0].Values["eta_mean"] != 0.125 {
		t.Errorf("eta_mean = %v, want the new default 0.125", r.Files[0].Rows[0].Values["eta_mean"])
	}
}

// TestSettingsThatAreAdded checks that results from before and after a setting was added belong to the same problem, so
// that all of them contribute to the bounds on its optimum.
func TestSettingsThatAreAdded(t *testing.T) {
	dir, s := t.TempDir(), readSpec(t, atC+three)
	old := runIn(t, dir, s).Files[0]
	params := old.Manifest.Spec["model"].(map[string]any)["params"].(map[string]any)
	if _, ok := params["loss_scale"]; !ok {
		t.Fatalf("settings of the model = %v, want loss_scale among them", params)
	}
	delete(params, "loss_scale")
	if err := old.Save(old.Path); err != nil {
		t.Fatal(err)
	}
	r := reread(t, s, Options{Root: dir})
	for _, c := range r.Set.Curves {
		if got, want := c.Final("opt"), r.Set.Curves[0].Final("opt"); got != want {
			t.Errorf("optimum of %v = %v, want %v as for the first run", c.Labels["as"], got, want)
		}
	}
}
