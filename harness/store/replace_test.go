package store_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestReplaceRemovesOldWeights checks that the weights of a result that is replaced are removed, unless the new result
// has the same weights.
func TestReplaceRemovesOldWeights(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	save := func(w float64) string {
		t.Helper()
		name, err := f.SaveWeights(store.Weights{Key: "k", W: []float64{w}}, true)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	replace := func(weights string) {
		t.Helper()
		end := trace.End{Status: trace.Done, Weights: weights}
		if _, err := draft(t, f, manifest("p", "k", "1")).Replace(end); err != nil {
			t.Fatal(err)
		}
	}
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(f.Dir(), name))
		return err == nil
	}
	one, two := save(1), save(2)
	replace(one)
	replace(one)
	if !there(one) {
		t.Error("the weights were removed, although the new result refers to them")
	}
	replace(two)
	if there(one) || !there(two) {
		t.Errorf("old weights exist: %v, new weights exist: %v; want only the new ones", there(one), there(two))
	}
	two, one = "", two
	replace(two)
	if there(one) {
		t.Error("the weights of the replaced result still exist, but the new result has none")
	}
}

// TestHasWeights checks for which runs a weights file is found: those that name one in their own folder. If every bit
// is wanted, rounded weights and damaged files do not count.
func TestHasWeights(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	names := map[bool]string{}
	for _, exact := range []bool{false, true} {
		name, err := f.SaveWeights(store.Weights{Key: fmt.Sprint("key ", exact), W: []float64{1, 1.0 / 3, math.Pi}}, exact)
		if err != nil {
			t.Fatal(err)
		}
		names[exact] = name
	}
	for name, text := range map[string]string{"damaged.weights.json.gz": "gap", "../away.weights.json.gz": "gap"} {
		if err := os.WriteFile(filepath.Join(f.Dir(), name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name       string
		end        *trace.End
		any, exact bool
	}{
		{"no end", nil, false, false},
		{"no weights", &trace.End{}, false, false},
		{"rounded", &trace.End{Weights: names[false]}, true, false},
		{"exact", &trace.End{Weights: names[true]}, true, true},
		{"missing", &trace.End{Weights: "none.weights.json.gz"}, false, false},
		{"damaged", &trace.End{Weights: "damaged.weights.json.gz"}, true, false},
		{"in another folder", &trace.End{Weights: "../away.weights.json.gz"}, false, false},
	} {
		file := &trace.File{Path: filepath.Join(f.Dir(), "k.jsonl"), End: c.end}
		if got := store.HasWeights(file, false); got != c.any {
			t.Errorf("%s: it has weights: %v, want %v", c.name, got, c.any)
		}
		if got := store.HasWeights(file, true); got != c.exact {
			t.Errorf("%s: it has every bit of its weights: %v, want %v", c.name, got, c.exact)
		}
	}
}

// TestSlowerProcess checks that a process that ends its attempt after another one has published a result gets this
// result, since the attempt was removed; without a result it gets an error.
func TestSlowerProcess(t *testing.T) {
	for _, finish := range []func(d *store.Draft) (*trace.File, error){
		func(d *store.Draft) (*trace.File, error) { return d.Leave(trace.End{Status: trace.Interrupted}) },
		func(d *store.Draft) (*trace.File, error) { return d.Finish(trace.End{Status: trace.Done}) },
		func(d *store.Draft) (*trace.File, error) { return d.KeepTrial("point", trace.End{Status: trace.Done}) },
		func(d *store.Draft) (*trace.File, error) { return d.Replace(trace.End{Status: trace.Done}) },
	} {
		f := store.Open(t.TempDir()).Folder("test/one", "smoke")
		slow := draft(t, f, manifest("p", "k", "slow"))
		finished(t, f, manifest("p", "k", "fast"))
		if file, err := finish(slow); err != nil || file.Manifest.Start != "fast" || file.Status() != trace.Done {
			t.Errorf("the slower process got %+v, %v; want the result of the faster one", file, err)
		}
		lost := draft(t, f, manifest("q", "k2", "lost"))
		parts, err := filepath.Glob(filepath.Join(f.Dir(), "k2.*.part.jsonl"))
		if err != nil || len(parts) != 1 || os.Remove(parts[0]) != nil {
			t.Fatalf("parts %q, %v; want one", parts, err)
		}
		if file, err := finish(lost); err == nil {
			t.Errorf("the file of the attempt is gone, and there is no result, but the process got %+v", file)
		}
	}
}

// TestWhichReferencesAreReplaced checks by which differences a new run replaces its reference. If only times differ, it
// must replace the reference only if it ran alone on the machine and the reference did not. The rows of another program
// may differ as well.
func TestWhichReferencesAreReplaced(t *testing.T) {
	outside := func(edit func(now *trace.File)) func(old, now *trace.File) {
		return func(old, now *trace.File) {
			old.Manifest.Outside, now.Manifest.Outside = true, true
			edit(now)
		}
	}
	for _, c := range []struct {
		about string
		edit  func(old, now *trace.File)
		want  bool // whether the reference is replaced
	}{
		{"nothing", func(_, _ *trace.File) {}, false},
		{"times", func(_, now *trace.File) { now.End.Seconds, now.End.GC, now.Manifest.Start = 9, 0.5, "later" }, false},
		{"alone", func(old, now *trace.File) { now.Manifest.Alone = true }, true},
		{"no longer alone", func(old, now *trace.File) { old.Manifest.Alone = true }, false},
		{"both alone", func(old, now *trace.File) { old.Manifest.Alone, now.Manifest.Alone = true, true }, false},
		{"rule", func(_, now *trace.File) { now.End.Rule = "gap" }, true},
		{"status", func(_, now *trace.File) { now.End.Status = trace.Budget }, true},
		{"a setting", func(_, now *trace.File) { now.Manifest.Spec = map[string]any{"stop": 1.0} }, true},
		{"a label", func(_, now *trace.File) { now.Manifest.Labels = map[string]any{"as": "b"} }, true},
		{"examples", func(_, now *trace.File) { now.End.Examples["error"].Num[0]++ }, true},
		{"size", func(_, now *trace.File) { now.Manifest.Dim++ }, true},
		{"data", func(_, now *trace.File) { now.Manifest.Data.Checksum = "other" }, true},
		{"a warning", func(_, now *trace.File) { now.Rows[2].Warnings = []string{"dual above primal"} }, true},
		{"rows of another program", outside(func(now *trace.File) { now.Rows[2].Values["primal"]++ }), false},
		{"times of another program", outside(func(now *trace.File) { now.End.Seconds, now.Manifest.Alone = 9, true }), false},
		{"status of another program", outside(func(now *trace.File) { now.End.Status = trace.Budget }), true},
		{"a setting of another program", outside(func(now *trace.File) {
			now.Manifest.Spec = map[string]any{"stop": 1.0}
		}), true},
		{"a label of another program", outside(func(now *trace.File) {
			now.Manifest.Labels = map[string]any{"as": "b"}
		}), true},
		{"data of another program", outside(func(now *trace.File) { now.Manifest.Data.Checksum = "other" }), true},
		{"another program", func(_, now *trace.File) { now.Manifest.Outside = true }, false},
	} {
		dir := t.TempDir()
		k := store.Keep(dir)
		old, now := kept("p/a", "k1", 0, 5, 1), kept("p/a", "k1", 0, 5, 1)
		c.edit(old, now)
		if _, err := k.Write("p/a", "smoke", []*trace.File{old.Reference(20)}, true); err != nil {
			t.Fatal(err)
		}
		changed, err := k.Write("p/a", "smoke", []*trace.File{now.Reference(20)}, true)
		if err != nil || (len(changed) == 1) != c.want {
			t.Errorf("%s: the reference is replaced: %v, %v; want %v", c.about, len(changed) == 1, err, c.want)
		}
	}
}

// TestOnlyResultsAreShared checks that Share returns a run of another experiment of the paper only if the run is a
// result and fits returns true. Runs of other papers must not be shared.
func TestOnlyResultsAreShared(t *testing.T) {
	for _, c := range []struct {
		experiment string
		status     trace.Status
		fits, want bool
	}{
		{"test/two", trace.Done, true, true}, {"test/two", trace.Done, false, false}, {"test/two", trace.Budget, true, true},
		{"test/two", trace.Stalled, true, true}, {"test/two", trace.Diverged, true, true},
		{"test/two", trace.Unsupported, true, true}, {"test/two", trace.Stalled, false, false},
		{"test/two", trace.Failed, true, false}, {"test/two", trace.Interrupted, true, false},
		{"other/two", trace.Done, true, false},
	} {
		s := store.Open(t.TempDir())
		d := draft(t, s.Folder(c.experiment, "smoke"), manifest("p", "k", "1"))
		if _, err := d.Replace(trace.End{Status: c.status}); err != nil {
			t.Fatal(err)
		}
		own := draft(t, s.Folder("test/one", "smoke"), manifest("p", "k", "2"))
		if _, err := own.Replace(trace.End{Status: trace.Done}); err != nil {
			t.Fatal(err)
		}
		f, err := s.Folder("test/one", "smoke").Share("k", func(f *trace.File) bool {
			if f.Manifest.Start != "1" {
				t.Errorf("%+v: the own result of the experiment was offered to itself", c)
			}
			return c.fits
		})
		if err != nil || (f != nil) != c.want {
			t.Errorf("%+v: run was shared: %v, error %v", c, f != nil, err)
		}
	}
}

// TestWhichRunsCount checks, for each status, whether a run with this end is a result of its key. A run without an end
// is none.
func TestWhichRunsCount(t *testing.T) {
	for status, want := range map[trace.Status]bool{trace.Done: true, trace.Stalled: true, trace.Budget: true,
		trace.Diverged: true, trace.Unsupported: true, trace.Failed: false, trace.Interrupted: false, trace.Missing: false,
		trace.Damaged: false} {
		if got := store.Counts(&trace.File{End: &trace.End{Status: status}}); got != want {
			t.Errorf("%s: the run is a result: %v, want %v", status, got, want)
		}
	}
	if store.Counts(&trace.File{}) {
		t.Error("a run without an end is a result")
	}
}
