package baseline_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// atC is the beginning of a spec on 60 generated digits. The tests add solvers and other sections.
const atC = `apiVersion: gaplab/v1
id: test/tiny
dataset: {name: digits, train: 60, validation: 40}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 10}
`

// specFile writes a spec to a file and reads it as an experiment.
func specFile(t *testing.T, text string) *harness.Experiment {
	t.Helper()
	file := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := harness.Find(file)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestUpdate checks that Update at scale paper writes a thinned copy of the finished runs, and that it refuses
// interrupted and failed runs.
func TestUpdate(t *testing.T) {
	const text = atC + `
solvers: [{name: eg, eta: 0.5}]
record: {every: {passes: 0.1}}
stop: {passes: 60}
scales: {smoke: {stop: {passes: 1}}}
`
	dir := t.TempDir()
	exps := []*harness.Experiment{specFile(t, text)}
	_, err := baseline.Update(t.Context(), exps, "paper", harness.Options{Root: dir})
	if !errors.Is(err, harness.ErrNoResults) || !strings.Contains(err.Error(), "--scale paper") {
		t.Errorf("Update without runs: error %v, want an ErrNoResults with the command", err)
	}
	s, err := exps[0].At("paper", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := harness.Run(ctx, s, harness.Options{Root: dir, OnEvent: func(e schedule.Event) {
		if e.Kind == schedule.Recorded {
			cancel()
		}
	}}); err != nil {
		t.Fatal(err)
	}
	_, err = baseline.Update(t.Context(), exps, "paper", harness.Options{Root: dir})
	if !errors.Is(err, harness.ErrPartial) || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("Update with an interrupted run: error %v, want an ErrPartial about the interrupted run", err)
	}
	r, err := harness.Run(t.Context(), s, harness.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	written, err := baseline.Update(t.Context(), exps, "paper", harness.Options{Root: dir})
	if err != nil || len(written) != 1 || written[0] != filepath.Join(dir, "paper/test/tiny.jsonl") {
		t.Fatalf("Update = %q, %v, want the file paper/test/tiny.jsonl", written, err)
	}
	files, err := store.Keep(dir).Read("test/tiny", "paper")
	if err != nil || len(files) != 1 {
		t.Fatalf("results in the repository = %v, %v, want one", files, err)
	}
	kept := files[0]
	if full := r.Files[0]; kept.Manifest.Thinned != len(full.Rows) || len(kept.Rows) > 210 ||
		kept.End.Status != trace.Done {
		t.Errorf("the copy has %d of %d rows and the end %+v, want at most 210 rows of a finished run", len(kept.Rows),
			len(full.Rows), kept.End)
	}
	if err := os.WriteFile(r.Files[0].Path, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	runs := filepath.Join(dir, "runs")
	if _, err := baseline.Diff(dir, runs, "paper", []string{"test/tiny"}, harness.Options{}); !errors.Is(err,
		trace.ErrDamaged) {
		t.Errorf("Diff with a damaged run: error %v, want an ErrDamaged", err)
	}
	if _, err := baseline.Update(t.Context(), exps, "paper", harness.Options{Root: dir}); !errors.Is(err,
		harness.ErrNoResults) {
		t.Errorf("Update with a damaged run: error %v, want an ErrNoResults", err)
	}
	fails := harness.Options{Root: dir, With: []solvers.Solver{failing{}}}
	if _, err := baseline.Update(t.Context(), exps, "smoke", fails); err == nil ||
		!strings.Contains(err.Error(), "cannot be a reference") {
		t.Errorf("Update with a failed run: error %v, want that it cannot be a reference", err)
	}
}

// failing is a solver that panics.
type failing struct{}

func (failing) Needs() solvers.Needs { return solvers.Needs{} }

func (failing) Train(*models.Risk, solvers.Env) iter.Seq2[solvers.Iterate, error] { panic("it fails") }

// TestReason checks that a reference stores the reason of the update that changed it, and keeps this reason in later
// updates without a change.
func TestReason(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ passes, because, want string }{{"1", "", ""}, {"2", "longer", "longer"},
		{"2", "no change", "longer"}, {"3", "longer again", "longer again"}} {
		e := specFile(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: "+c.passes+"}\n")
		b, err := baseline.New(t.Context(), e, "smoke", harness.Options{Root: dir}, c.because)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Check(func(string) bool { return false }); !errors.Is(err, baseline.ErrOrigin) {
			t.Errorf("Check of a run of a program that is not in the history: error %v, want an ErrOrigin", err)
		}
		if there := c.because != ""; there != (len(b.Curves) > 0) {
			t.Errorf("an update to %s passes compares %+v; want a comparison with the references, if there are any", c.passes,
				b.Curves)
		}
		if _, err := b.Write(); err != nil {
			t.Fatal(err)
		}
		files, err := store.Keep(dir).Read("test/tiny", "smoke")
		if err != nil || len(files) != 1 || files[0].Manifest.Because != c.want {
			t.Errorf("after an update to %s passes because %q: references %v, %v, want one with the reason %q", c.passes,
				c.because, files, err, c.want)
		}
	}
}

// TestChanges checks the comparison of an update with the references in the repository: each reference is compared with
// the new curve of the same run, in this order, and Same means that all bits are equal. The test changes two
// references, one by less than the tolerances.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	o := harness.Options{Root: dir}
	spec := func(as ...string) *harness.Experiment {
		var list []string
		for i, name := range as {
			list = append(list, fmt.Sprintf("{as: %s, name: eg, eta: 0.%d}", name, 9-i))
		}
		return specFile(t, atC+"solvers: ["+strings.Join(list, ", ")+"]\nstop: {passes: 2}\n")
	}
	if _, err := baseline.Update(t.Context(), []*harness.Experiment{spec("equal", "near", "far", "gone")}, "smoke",
		o); err != nil {
		t.Fatal(err)
	}
	kept := store.Keep(dir)
	files, err := kept.Read("test/tiny", "smoke")
	if err != nil || len(files) != 4 {
		t.Fatalf("references %v, %v, want 4", files, err)
	}
	files[1].Rows[1].Values[trace.Primal] *= 1 + 1e-13
	files[2].Rows[1].Values[trace.Primal] *= 2
	if _, err := kept.Write("test/tiny", "smoke", files, false); err != nil {
		t.Fatal(err)
	}
	b, err := baseline.New(t.Context(), spec("equal", "near", "far"), "smoke", o, "")
	if err != nil {
		t.Fatal(err)
	}
	added, err := baseline.New(t.Context(), spec("equal", "near", "far", "gone", "added"), "smoke", o, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		changes   []baseline.Change
		as        string
		ok, same  bool
		reference float64 // factor of the second primal of the reference; 0: no reference
		fresh     bool
	}{
		{b.Curves, "equal", true, true, 1, true},
		{b.Curves, "near", true, false, 1 + 1e-13, true},
		{b.Curves, "far", false, false, 2, true},
		{b.Curves, "gone", false, false, 1, false},
		{added.Curves, "gone", true, true, 1, true},
		{added.Curves, "added", false, false, 0, true},
	} {
		i := slices.IndexFunc(c.changes, func(d baseline.Change) bool { return strings.Contains(d.Curve, c.as) })
		if i < 0 {
			t.Errorf("%s: no such curve in %+v", c.as, c.changes)
			continue
		}
		got := c.changes[i]
		if got.OK != c.ok || got.Same != c.same || (got.Reference == nil) != (c.reference == 0) ||
			(got.Fresh != nil) != c.fresh {
			t.Errorf("%s: %+v, want within the tolerances: %v, same bits: %v, a reference: %v, a new curve: %v", c.as, got,
				c.ok, c.same, c.reference != 0, c.fresh)
			continue
		}
		if got.Reference == nil || got.Fresh == nil {
			continue
		}
		was, is := got.Reference.Rows[1].Values[trace.Primal], got.Fresh.Rows[1].Values[trace.Primal]
		if math.Abs(was/is/c.reference-1) > 1e-14 {
			t.Errorf("%s: the primal is %v in the reference and %v in the new curve, want %v times as much in the reference",
				c.as, was, is, c.reference)
		}
	}
}

// TestOrphans checks that Orphans lists a reference only if its experiment is not among the given experiments.
func TestOrphans(t *testing.T) {
	dir := t.TempDir()
	exps := []*harness.Experiment{specFile(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 2}\n")}
	if got, err := baseline.Orphans(exps, harness.Options{Root: dir}); err != nil || len(got) != 0 {
		t.Fatalf("Orphans without any reference = %+v, %v, want none", got, err)
	}
	if _, err := baseline.Update(t.Context(), exps, "smoke", harness.Options{Root: dir}); err != nil {
		t.Fatal(err)
	}
	if got, err := baseline.Orphans(exps, harness.Options{Root: dir}); err != nil || len(got) != 0 {
		t.Errorf("Orphans with the reference of the experiment = %+v, %v, want none", got, err)
	}
	got, err := baseline.Orphans(nil, harness.Options{Root: dir})
	if err != nil || len(got) != 1 || got[0].OK || got[0].Experiment != "test/tiny" ||
		!strings.HasPrefix(got[0].Message, filepath.Join(dir, "smoke/test/tiny.jsonl")+" is a reference of none") {
		t.Errorf("Orphans with a reference of another experiment = %+v, %v, want that reference", got, err)
	}
}

// TestDiffOfFolders checks that Diff compares new runs in the second folder with references in the first folder. It
// tests results folders and folders of a user's runs. It also checks that Diff compares all experiments of both
// folders.
func TestDiffOfFolders(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	write := func(dir, id, commit string, primal float64) {
		t.Helper()
		m := trace.Manifest{Experiment: id, Plan: "p", Key: "k", Scale: "smoke", Origin: trace.Origin{Commit: commit},
			Labels: map[string]any{"as": "a"}}
		f := &trace.File{Manifest: m, End: &trace.End{Status: trace.Done, Rows: 1},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 0, trace.Primal: primal}}}}
		if _, err := store.Keep(dir).Write(id, "smoke", []*trace.File{f.Reference(9)}, true); err != nil {
			t.Fatal(err)
		}
		d, err := store.Open(filepath.Join(dir, "runs")).Folder(id, "smoke").Begin("k", m)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Append(f.Rows[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Finish(*f.End); err != nil {
			t.Fatal(err)
		}
	}
	write(a, "p/both", "old", 1)
	write(b, "p/both", "new", 2)
	write(a, "p/first", "old", 1)
	write(b, "p/second", "new", 1)
	o := harness.Options{Exact: true}
	for _, folders := range [][2]string{{a, b}, {filepath.Join(a, "runs"), filepath.Join(b, "runs")}} {
		ids := []string{"p/both", "p/first", "p/second"}
		got, err := baseline.Diff(folders[0], folders[1], "smoke", ids, o)
		if err != nil || len(got) != 3 {
			t.Fatalf("Diff = %+v, %v; want 3 comparisons", got, err)
		}
		both, first, second := got[0], got[1], got[2]
		if both.OK || both.Reference.Manifest.Commit != "old" || both.Fresh.Manifest.Commit != "new" ||
			first.Reference == nil || first.Fresh != nil || second.Reference != nil || second.Fresh == nil {
			t.Errorf("Diff = %+v; want references of the first folder and new runs of the second", got)
		}
	}
	if got, err := baseline.Diff(a, b, "smoke", nil, o); err != nil || len(got) != 3 {
		t.Errorf("Diff of all experiments = %+v, %v; want 3 comparisons", got, err)
	}
}
