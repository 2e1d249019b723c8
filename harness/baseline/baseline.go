// Package baseline updates the results in the repository: references for the gate, and copies of finished runs that
// contain only some of their rows (thinned). Before it writes a new curve, it compares the curve with that in the
// repository.
//
//	b, err := baseline.New(ctx, experiment, "smoke", harness.Options{}, "each step is tried twice")
//	changed, err := b.Write()
package baseline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// thinRows is the approximate number of rows to which a curve in the results folder is thinned if it is longer.
const thinRows = 200

// Baseline is an update of an experiment's results in the repository that has not been written yet.
type Baseline struct {
	Experiment string
	Scale      string
	Curves     []Change // comparison of each curve with that in the repository; nil if no curve there can be read

	kept  *store.Kept
	files []*trace.File
	made  []*trace.File // those of the files that are not in the repository yet
}

// ErrOrigin is wrapped by the error of Check.
var ErrOrigin = errors.New("the program that made the results is not in the history")

// Change describes how a curve of an update differs from the curve in the repository.
type Change struct {
	gate.Comparison
	Same bool // whether both curves have the same bits, except for clocks
}

// New prepares an update. At scale smoke it runs the experiment to make references for the gate. At the other scales it
// uses the finished runs in Options.Out, or returns a harness.ErrNoResults if there are none. Runs that are in the
// repository but not in Options.Out stay in the repository. New returns an error if a run failed or has not ended.
// The parameter "because" is a text with the reason for the update, which is stored in the manifests.
func New(ctx context.Context, e *harness.Experiment, scale string, o harness.Options,
	because string) (*Baseline, error) {
	s, err := e.At(scale, nil)
	if err != nil {
		return nil, err
	}
	o.Root = folder(o)
	var r *harness.Result
	if scale == lang.ScaleSmoke {
		r, err = runAside(ctx, s, o)
	} else {
		r, err = harness.NewReader(o).Merged(s)
	}
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(r.Files, func(f *trace.File) bool { return f.Status() == trace.Failed }); i >= 0 {
		return nil, fmt.Errorf("%s: %s failed, so it cannot be a reference: %s", e.ID, r.Files[i].Describe(),
			r.Files[i].End.Why)
	}
	if err := r.Lacks(); err != nil {
		return nil, err
	}
	b := &Baseline{Experiment: e.ID, Scale: scale, kept: store.Keep(o.Root)}
	for _, f := range r.Files {
		own := f.Reference(thinRows)
		own.Manifest.Because = because
		b.files = append(b.files, own)
		if filepath.Dir(f.Path) == r.Folder {
			b.made = append(b.made, own)
		}
	}
	if old, err := filesOf(b.kept, nil, e.ID, scale); err == nil && len(old) > 0 {
		exact := gate.Exact(e.ID, old, b.files)
		for i, c := range (harness.Options{}).Gate()(e.ID, old, b.files) {
			b.Curves = append(b.Curves, Change{c, exact[i].OK})
		}
	}
	return b, nil
}

// folder returns the path of the results folder that the options name.
func folder(o harness.Options) string { return cmp.Or(o.Root, harness.ResultsFolder()) }

// Write writes the update and returns the files that changed. It changes no file if all runs are unchanged.
func (b *Baseline) Write() ([]string, error) {
	return b.kept.Write(b.Experiment, b.Scale, b.files, b.Scale == lang.ScaleSmoke)
}

// Check returns an ErrOrigin if one of the new results was made by a program whose sources had uncommitted changes, or
// by a commit that is not known or not in the history.
func (b *Baseline) Check(inHistory func(commit string) bool) error {
	known := map[string]bool{}
	for _, f := range b.made {
		m := f.Manifest
		why := ""
		in, asked := known[m.Commit]
		if !asked && m.Commit != "" {
			in = inHistory(m.Commit)
			known[m.Commit] = in
		}
		switch {
		case m.Commit == "":
			why = "its commit is not known"
		case m.Dirty:
			why = "its sources had changed since commit " + m.Commit
		case !in:
			why = "the history has no commit " + m.Commit
		}
		if why != "" {
			return fmt.Errorf("%s: %w: %s: %s", b.Experiment, ErrOrigin, f.Describe(), why)
		}
	}
	return nil
}

// Update prepares (New) and writes the updates of several experiments, and returns the files that changed.
func Update(ctx context.Context, exps []*harness.Experiment, scale string, o harness.Options) ([]string, error) {
	var written []string
	for _, e := range exps {
		b, err := New(ctx, e, scale, o, "")
		if err != nil {
			return written, err
		}
		changed, err := b.Write()
		if err != nil {
			return written, err
		}
		written = append(written, changed...)
	}
	return written, nil
}

// runAside runs an experiment in a temporary folder.
func runAside(ctx context.Context, s *lang.Spec, o harness.Options) (*harness.Result, error) {
	scratch, err := os.MkdirTemp("", "gaplab-baseline-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	o.Out = scratch
	return harness.Run(ctx, s, o)
}

// Diff compares the results in two folders, a and b, at a scale. The results in a are the references, those in b the
// new runs. Options.Exact and OverSeeds choose the comparison. A folder is a results folder of the repository or a
// folder with the runs of a user (Options.Out). If ids is empty, both must be results folders, and Diff compares all
// experiments in them. If neither folder has results of an experiment, Diff returns a harness.ErrNoResults.
func Diff(a, b, scale string, ids []string, o harness.Options) ([]gate.Comparison, error) {
	if len(ids) == 0 {
		for _, dir := range []string{a, b} {
			there, err := store.Keep(dir).Experiments(scale)
			if err != nil {
				return nil, err
			}
			ids = append(ids, there...)
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	var out []gate.Comparison
	for _, id := range ids {
		was, err := filesOf(store.Keep(a), store.Open(a), id, scale)
		if err != nil {
			return nil, err
		}
		is, err := filesOf(store.Keep(b), store.Open(b), id, scale)
		if err != nil {
			return nil, err
		}
		if len(was)+len(is) == 0 {
			return nil, fmt.Errorf("%w of %s at scale %s in %s or %s", harness.ErrNoResults, id, scale, a, b)
		}
		out = append(out, o.Gate()(id, was, is)...)
	}
	return out, nil
}

// filesOf returns the kept runs of an experiment. If there are none, it returns the user's runs, in the order of the
// plan.
func filesOf(kept *store.Kept, runs *store.Store, id, scale string) ([]*trace.File, error) {
	files, err := kept.Read(id, scale)
	if !errors.Is(err, fs.ErrNotExist) || runs == nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return files, err
	}
	there, err := runs.Folder(id, scale).Runs()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if len(there.Left) > 0 {
		return nil, fmt.Errorf("%s: %w: %s", runs.Folder(id, scale).Dir(), trace.ErrDamaged, strings.Join(there.Left, ", "))
	}
	return slices.SortedFunc(maps.Values(there.Files), func(a, b *trace.File) int {
		return cmp.Compare(a.Manifest.Order, b.Manifest.Order)
	}), nil
}

// Orphans finds references in the results folder that belong to none of the given experiments. It returns a failed
// comparison for each of them.
func Orphans(exps []*harness.Experiment, o harness.Options) ([]gate.Comparison, error) {
	kept := store.Keep(folder(o))
	ids, err := kept.Experiments(lang.ScaleSmoke)
	if err != nil {
		return nil, err
	}
	var out []gate.Comparison
	for _, id := range ids {
		if !slices.ContainsFunc(exps, func(e *harness.Experiment) bool { return e.ID == id }) {
			out = append(out, gate.Comparison{Experiment: id, Message: fmt.Sprintf("%s is a reference of none of the checked "+
				"experiments; delete it, or name its spec", kept.Path(id, lang.ScaleSmoke))})
		}
	}
	return out, nil
}
