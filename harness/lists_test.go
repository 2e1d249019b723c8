package harness

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
	"golang.org/x/sync/semaphore"
)

// TestLabelsOfResults checks the labels of a run with and without a result: n and λ come from the trace, and all other
// labels from the plan. A run on a path has neither C nor λ. The labels of the plan do not change.
func TestLabelsOfResults(t *testing.T) {
	labels := map[string]any{"as": "a", trace.C: 10., trace.Lambda: 7., "seed": 1.}
	own := maps.Clone(labels)
	for _, c := range []struct {
		about string
		got   map[string]any
		want  map[string]any
	}{
		{"made", labelsOf(lang.Run{Labels: own}, &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"n": 60.,
			trace.Lambda: 0.5, "as": "old", "seed": 9., "eta": 3.}}}),
			map[string]any{"as": "a", trace.C: 10., trace.Lambda: 0.5, "seed": 1., "n": 60.}},
		{"made without n", labelsOf(lang.Run{Labels: own}, &trace.File{}), labels},
		{"missing", plannedLabels(lang.Run{Labels: own}), labels},
		{"missing, on a path", plannedLabels(lang.Run{Labels: own, Solver: lang.Solver{Path: &lang.Path{}}}),
			map[string]any{"as": "a", "seed": 1.}},
	} {
		if !maps.Equal(c.got, c.want) || !maps.Equal(own, labels) {
			t.Errorf("%s: labels %v, want %v; labels of the plan %v, want %v", c.about, c.got, c.want, own, labels)
		}
	}
}

// TestCurrent checks which results of older revisions are left out, and the text about them, which has each reason
// once.
func TestCurrent(t *testing.T) {
	for _, c := range []struct {
		older []string // why each result is older; "": it is not
		kept  int
		text  string
	}{
		{nil, 0, ""}, {[]string{"", ""}, 2, ""},
		{[]string{"x", "x", "y"}, 3, "made by older revisions: x; y; make new results with `gaplab run`"},
		{[]string{"x", "", "x", "y", ""}, 2, "3 of 5 results were made by older revisions and are left out, because newer " +
			"results exist: x; y"},
	} {
		var files []*trace.File
		for _, why := range c.older {
			files = append(files, &trace.File{Older: why})
		}
		out, older, text := current(files)
		left := 0
		if c.kept < len(files) {
			left = len(files) - c.kept
		}
		if len(out) != c.kept || len(older) != left || text != c.text {
			t.Errorf("%q: %d results, %d left out, %q; want %d, %d, %q", c.older, len(out), len(older), text, c.kept, left,
				c.text)
		}
		for _, f := range older {
			if f.Older == "" || slices.Contains(out, f) {
				t.Errorf("%q: a result that is not older is left out, or one is in both lists", c.older)
			}
		}
	}
}

// TestResultsThatLack checks the texts about missing results: at most five runs are named, and LeftOut has files that
// cannot be read, older results and, if a part may be shown, the missing runs.
func TestResultsThatLack(t *testing.T) {
	for missing := range 9 {
		for _, partial := range []bool{false, true} {
			done := &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": "done"}},
				End: &trace.End{Status: trace.Done}}
			r := &Result{Spec: &lang.Spec{ID: "p/a", File: "experiments/p/a.yaml", Scale: lang.ScaleQuick}, Left: "unread",
				Older: "aged", Planned: missing + 1, Files: []*trace.File{done}, Set: trace.NewSet([]*trace.File{done})}
			r.Set.Partial = partial
			for i := range missing {
				r.Set.Missing = append(r.Set.Missing,
					trace.NewMissing(map[string]any{"as": fmt.Sprint("run", i)}, trace.Missing, fmt.Sprint("why", i, "\nmore")))
			}
			err, whole, notes := r.Lacks(), r.Whole(), r.LeftOut()
			if r.Interrupted() != (missing > 0) || (err != nil) != (missing > 0) || err != nil && !errors.Is(err, ErrPartial) ||
				(whole != nil) != (missing > 0 && !partial) {
				t.Fatalf("%d missing, partial %v: interrupted %v, %v, %v", missing, partial, r.Interrupted(), err, whole)
			}
			want := []string{"p/a: unread", "p/a: aged"}
			if partial && missing > 0 {
				want = append(want, err.Error())
			}
			if !slices.Equal(notes, want) {
				t.Errorf("%d missing, partial %v: notes %q, want %q", missing, partial, notes, want)
			}
			if err == nil {
				continue
			}
			for i := range missing {
				if got := strings.Contains(err.Error(), fmt.Sprint("run", i, ": missing (why", i, " …)")); got != (i < 5) {
					t.Errorf("%d missing: %v; it names run %d: %v", missing, err, i, got)
				}
			}
			more := fmt.Sprintf("; and %d more; make them with `gaplab run p/a --scale quick`", missing-5)
			if strings.Contains(err.Error(), more) != (missing > 5) || strings.Contains(err.Error(), "more\n") {
				t.Errorf("%d missing: %v; want the number of the others only if there are more than five", missing, err)
			}
		}
	}
	end := func(s trace.Status) *Result {
		return &Result{Planned: 2, Files: []*trace.File{{End: &trace.End{Status: s}}, {End: &trace.End{Status: trace.Done}}}}
	}
	if !end(trace.Interrupted).Interrupted() || end(trace.Failed).Interrupted() || end(trace.Done).Interrupted() {
		t.Error("a result is interrupted if the first of two runs is, and not if it failed or is done")
	}
}

// TestFindReadsEachScale checks that Find returns the results of each scale, of the smallest if none is given, without
// the runs of the caller's solvers, and reads them only once. It also checks that Runs finds runs in both folders by
// the beginning of their key.
func TestFindReadsEachScale(t *testing.T) {
	dir := t.TempDir()
	e := fileOf(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 2}\n"+
		"scales: {smoke: {stop: {passes: 1}}, quick: {stop: {passes: 3}}}\n")
	made := map[string]*trace.File{}
	for _, scale := range e.Scales() {
		made[scale] = only(t, runIn(t, dir, at(t, e, scale)))
	}
	o := Options{Root: dir}
	o.With = append(o.With, &Walk{Step: 0.1})
	r := NewReader(o)
	found := map[string]*Result{}
	for _, scale := range []string{"quick", "", "smoke"} {
		result, err := r.Find(e.Name, scale)
		if err != nil {
			t.Fatal(err)
		}
		want := made[scale]
		if scale == "" {
			want = made["smoke"]
		}
		if f := only(t, result); f.Manifest.Key != want.Manifest.Key || result.Planned != 1 || result.reader != r {
			t.Errorf("scale %q: %s of %d runs, want %s, without those of the caller's solver", scale, f.Describe(),
				result.Planned, want.Describe())
		}
		found[scale] = result
	}
	if again, err := r.Find(e.Name, "quick"); err != nil || again != found["quick"] {
		t.Errorf("the second Find reads the results again (%v)", err)
	}
	for scale, result := range found {
		seen := result.Evidence()
		other, err := seen.Other(e.Name) // what a claim reads of another experiment
		if err != nil || seen.Set != result.Set || other != found[cmp.Or(scale, "smoke")].Set && other != found[""].Set ||
			other.Curves[0].Labels["scale"] != cmp.Or(scale, "smoke") {
			t.Errorf("scale %q: a claim reads the results %+v, %v; want those of the same scale", scale, other, err)
		}
		if text, err := seen.Printed("spec.yaml"); err != nil || !strings.HasPrefix(string(text), "apiVersion: ") {
			t.Errorf("the file beside the spec is %.20q, %v", text, err)
		}
	}
	if _, err := r.Find(e.Name, "large"); err == nil {
		t.Error("Find at a scale that does not exist: no error")
	}
	kept := *made["smoke"]
	if _, err := store.Keep(dir).Write("test/tiny", "smoke", []*trace.File{&kept}, false); err != nil {
		t.Fatal(err)
	}
	key := made["smoke"].Manifest.Key
	list, err := r.Runs(key[:8])
	if err != nil || len(list) != 2 || list[0].Path != made["smoke"].Path || list[1].Path == list[0].Path ||
		list[1].Manifest.Key != key {
		t.Errorf("runs with the key %s: %d, %v; want the made one and then the kept one", key[:8], len(list), err)
	}
	if list, err = r.Runs(made["quick"].Manifest.Key); err != nil || len(list) != 1 {
		t.Errorf("runs with the key of scale quick: %d, %v; want 1", len(list), err)
	}
	if _, err = r.Runs("no such key"); !errors.Is(err, ErrNoResults) {
		t.Errorf("no run: error %v, want an ErrNoResults", err)
	}
}

// TestColumnsOfRuns checks which columns a run is expected to record, for each value of record.metrics.
func TestColumnsOfRuns(t *testing.T) {
	for metrics, want := range map[string]string{"": "dual gap gap_percent validation_error train_error",
		"record: {metrics: all}\n":      "dual gap gap_percent validation_error train_error",
		"record: {metrics: [primal]}\n": "", "record: {metrics: [dual]}\n": "dual gap gap_percent",
		"record: {metrics: [gap]}\n":              "dual gap gap_percent",
		"record: {metrics: [validation_error]}\n": "validation_error train_error"} {
		runs, err := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 1}\n"+metrics).Plan()
		if err != nil {
			t.Fatal(err)
		}
		list := Catalogue()
		got := columns(runs[0], list)
		for _, name := range []string{"dual", "gap", "gap_percent", "validation_error", "train_error"} {
			if _, ok := got[name]; ok != slices.Contains(strings.Fields(want), name) {
				t.Errorf("%q: column %s is expected: %v, want %q", metrics, name, ok, want)
			}
		}
		for _, name := range []string{"passes", "primal", "seconds", "opt", "eta_mean", "setup_seconds",
			"setup_cpu_seconds"} {
			if _, ok := got[name]; !ok && (name != "setup_seconds" && name != "setup_cpu_seconds" || hasSetup(list, runs[0])) {
				t.Errorf("%q: column %s is not expected: %v", metrics, name, slices.Sorted(maps.Keys(got)))
			}
		}
		other := runs[0]
		other.Solver.Name = "mine"
		if columns(other, list) != nil {
			t.Errorf("%q: the columns of a solver that is not in the catalogue are known, want nil", metrics)
		}
		left := unrecorded(append(runs, runs[0]), list)
		if slices.Contains(left, "validation_error") == strings.Contains(want, "validation") ||
			slices.Contains(left, "gap") == strings.Contains(want, "gap") {
			t.Errorf("%q: left out %q, recorded %q", metrics, left, want)
		}
	}
}

// hasSetup reports whether the catalogue lists the column setup_seconds for the solver of a run.
func hasSetup(list lang.Catalogue, r lang.Run) bool {
	s, _ := list.Solver(r.Solver)
	return slices.Contains(s.Columns, "setup_seconds")
}

// TestMissingFilesAreNoted checks that the notes of a forecast name each missing file once: the files of a data set,
// the file of a model's settings, and the files of each run.
func TestMissingFilesAreNoted(t *testing.T) {
	file := fileWith(t, "apiVersion: gaplab/v1\nid: test/own\ndataset: {format: conll, columns: word pos, path: a.txt, "+
		"validation: b.txt}\nmodel: {name: chain, loss: log, label: pos, lexicon: words.txt, "+
		"features: 'word[0] lexicon[0]'}\n"+
		passes(1, "eg")+"seeds: [1, 2]\nproblems: {one: {}, two: {dataset: {path: c.txt}}}\n")
	dir := filepath.Dir(file)
	for _, there := range []string{"", "words.txt", "a.txt", "b.txt", "c.txt"} {
		if there != "" {
			if err := os.WriteFile(filepath.Join(dir, there), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		f, err := forecast(at(t, found(t, file), ""), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(f.Notes, "\n")
		for _, name := range []string{"words.txt", "a.txt", "b.txt", "c.txt"} {
			_, err := os.Stat(filepath.Join(dir, name))
			early := name != "words.txt" && there == "" // the file of the model hides those of the data
			if strings.Contains(text, name) != (err != nil && !early) {
				t.Errorf("after %q: notes %q, and %s is missing: %v", there, f.Notes, name, err != nil)
			}
		}
		slices.Sort(f.Notes)
		if len(slices.Compact(slices.Clone(f.Notes))) != len(f.Notes) {
			t.Errorf("notes %q, want each once", f.Notes)
		}
	}
}

// TestOtherOptionsArrive checks that the options that are no switches reach the options of package schedule.
func TestOtherOptionsArrive(t *testing.T) {
	turns := semaphore.NewWeighted(1)
	called := 0
	o := Options{Turns: turns, OnEvent: func(schedule.Event) { called++ }, Command: []string{"gaplab", "run", "/a/b.yaml"}}
	o.With = append(o.With, &Walk{Step: 1}, mine{})
	s := o.Schedule()
	s.Event(schedule.Event{})
	if s.Turns != turns || called != 1 || !slices.Equal(s.Command, []string{"gaplab", "run", "b.yaml"}) ||
		len(s.Extra) != 2 || s.Extra[0].Name != "walk" || s.Extra[1].Name != "mine" || s.Extra[0].Solver != o.With[0] {
		t.Errorf("options %+v, want the turns, the event handler, the command and both solvers", s)
	}
	if err := (Options{}).CheckClean(); err != nil {
		t.Errorf("without RequireClean: %v", err)
	}
	if err := (Options{RequireClean: true}).CheckClean(); err != nil && !errors.Is(err, ErrNotClean) {
		t.Errorf("with RequireClean: %v, want an ErrNotClean", err)
	}
}

// TestExploreMetrics checks that the data for the web page have the metrics of the models that ran, and that a result
// without rows has no such data.
func TestExploreMetrics(t *testing.T) {
	r := runText(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 1}\n",
		Options{With: []solvers.Solver{mine{&Walk{1}}}})
	data := r.Explore(figure.Figure{})
	if data == nil || len(data.Runs) != 2 || !slices.ContainsFunc(data.Columns, func(c explore.Column) bool {
		return c.Name == "validation_error"
	}) {
		t.Errorf("data %+v, want two runs and the column validation_error", data)
	}
	meta, err := r.meta()
	if err != nil || !slices.Equal(meta.Extra, []string{"mine"}) || len(meta.Bounds) == 0 {
		t.Errorf("the figure knows the caller's solvers %q and %d bounds, %v", meta.Extra, len(meta.Bounds), err)
	}
	for _, f := range r.Files {
		f.Rows = nil
	}
	if data := r.Explore(figure.Figure{}); data != nil {
		t.Errorf("data %+v of runs without rows, want none", data)
	}
}
