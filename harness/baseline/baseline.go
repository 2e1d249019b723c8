// Package baseline writes results into the results folder, which git keeps: references for the gate, and thinned copies
// of finished runs. Before it writes, it compares each curve with the one that is kept.
//
//	b, err := baseline.New(ctx, experiment, "smoke", harness.Options{}, "steps are tried twice")
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
	"slices"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// thinRows is about how many rows of a curve the results folder keeps.
const thinRows = 200

// Baseline is what an update would keep of an experiment, and how it differs from what is kept.
type Baseline struct {
	Experiment string
	Scale      string
	Curves     []Change // each curve against the one that is kept; nil if nothing readable is kept

	kept  *store.Kept
	files []*trace.File
}

// Change is how a curve of an update differs from the one that is kept.
type Change struct {
	gate.Comparison
	Same bool // bit for bit, except clocks
}

// New makes what an update would keep. At scale smoke it runs the experiment, for references of the gate. At the other
// scales it takes the finished runs in Options.Out, or returns a harness.ErrNoResults if there are none; runs that are
// kept but not in Options.Out stay. Runs that failed or have not ended are refused. The manifests keep because, the
// reason of the update.
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
	if r.Interrupted() {
		return nil, fmt.Errorf("%s: some of its runs have not ended; finish them first", e.ID)
	}
	if i := slices.IndexFunc(r.Files, func(f *trace.File) bool { return f.Status() == trace.Failed }); i >= 0 {
		return nil, fmt.Errorf("%s: %s failed and is no reference: %s", e.ID, r.Files[i].Describe(), r.Files[i].End.Why)
	}
	b := &Baseline{Experiment: e.ID, Scale: scale, kept: store.Keep(o.Root)}
	for _, f := range r.Files {
		own := f.Reference(thinRows)
		own.Manifest.Because = because
		b.files = append(b.files, own)
	}
	if old, err := filesOf(b.kept, nil, e.ID, scale); err == nil && len(old) > 0 {
		exact := gate.Exact(e.ID, old, b.files)
		for i, c := range (harness.Options{}).Gate()(e.ID, old, b.files) {
			b.Curves = append(b.Curves, Change{c, exact[i].OK})
		}
	}
	return b, nil
}

// folder returns the results folder of options.
func folder(o harness.Options) string { return cmp.Or(o.Root, harness.ResultsFolder()) }

// Write writes the update and returns the files that changed: none if all runs are as they were.
func (b *Baseline) Write() ([]string, error) {
	return b.kept.Write(b.Experiment, b.Scale, b.files, b.Scale == lang.ScaleSmoke)
}

// Update makes and writes the baselines of experiments (see New), and returns the files that changed.
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

// runAside runs an experiment into a folder that is removed.
func runAside(ctx context.Context, s *lang.Spec, o harness.Options) (*harness.Result, error) {
	scratch, err := os.MkdirTemp("", "gaplab-baseline-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	o.Out = scratch
	return harness.Run(ctx, s, o)
}

// Diff compares the results of two folders at a scale, a as the references and b as the fresh runs, as Options.Exact
// and OverSeeds say. Each is a results folder, or one that runs were written to (Options.Out). It compares the
// experiments with the given ids or, without any, all that either folder keeps. An experiment that neither has is a
// harness.ErrNoResults.
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

// filesOf returns the runs of an experiment that a results folder keeps or, without any, those that were written to
// runs, in the order of the plan.
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
	return slices.SortedFunc(maps.Values(there.Files), func(a, b *trace.File) int {
		return cmp.Compare(a.Manifest.Order, b.Manifest.Order)
	}), nil
}

// Orphans returns the references in the results folder that belong to none of the experiments, as curves that are gone.
func Orphans(exps []*harness.Experiment, o harness.Options) ([]gate.Comparison, error) {
	kept := store.Keep(folder(o))
	ids, err := kept.Experiments(lang.ScaleSmoke)
	if err != nil {
		return nil, err
	}
	var out []gate.Comparison
	for _, id := range ids {
		if !slices.ContainsFunc(exps, func(e *harness.Experiment) bool { return e.ID == id }) {
			out = append(out, gate.Comparison{Experiment: id, Message: fmt.Sprintf("%s is the reference of no experiment here: "+
				"delete it, or name its spec", kept.Path(id, lang.ScaleSmoke))})
		}
	}
	return out, nil
}
