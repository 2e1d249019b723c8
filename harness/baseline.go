package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

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
	// each curve against the one that is kept; nothing if nothing that can be read is kept
	Curves []Change

	kept  *store.Kept
	files []*trace.File
}

// Change is how a curve of an update differs from the one that is kept.
type Change struct {
	Comparison
	Same bool // bit for bit, but for clocks
}

// NewBaseline makes what an update would keep. At scale smoke it runs the experiment, for references of the gate; at
// the others it takes the finished runs in Out, and it is an ErrNoResults if there are none; what is kept already of
// runs that Out lacks stays. Runs that failed or have not ended are refused.
func NewBaseline(ctx context.Context, e *Experiment, scale string, opts ...Option) (*Baseline, error) {
	o := newOptions(opts)
	s, err := e.At(scale, nil)
	if err != nil {
		return nil, err
	}
	var r *Result
	if scale == lang.ScaleSmoke {
		r, err = runAside(ctx, s, opts)
	} else {
		r, err = finished(s, o)
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
	b := &Baseline{Experiment: e.ID, Scale: scale, kept: store.Keep(o.root)}
	for _, f := range r.Files {
		own := f.Reference(thinRows)
		own.Manifest.Because = o.because
		b.files = append(b.files, own)
	}
	if old, err := filesOf(b.kept, nil, e.ID, scale); err == nil && len(old) > 0 {
		exact := gate.Exact(e.ID, old, b.files)
		for i, c := range gate.Within(metrics()...)(e.ID, old, b.files) {
			b.Curves = append(b.Curves, Change{c, exact[i].OK})
		}
	}
	return b, nil
}

// Write keeps it and returns the files that changed: none if all runs are as they were.
func (b *Baseline) Write() ([]string, error) {
	return b.kept.Write(b.Experiment, b.Scale, b.files, b.Scale == lang.ScaleSmoke)
}

// UpdateBaseline makes and writes the baselines of experiments (see NewBaseline), and returns the files that changed.
func UpdateBaseline(ctx context.Context, exps []*Experiment, scale string, opts ...Option) ([]string, error) {
	var written []string
	for _, e := range exps {
		b, err := NewBaseline(ctx, e, scale, opts...)
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
func runAside(ctx context.Context, s *lang.Spec, opts []Option) (*Result, error) {
	scratch, err := os.MkdirTemp("", "gaplab-baseline-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	return Run(ctx, s, slices.Concat(opts, []Option{Root(newOptions(opts).root), Out(scratch)})...)
}

// finished are the finished runs in Out, with what is kept of those that are not there.
func finished(s *lang.Spec, o *options) (*Result, error) {
	runs, err := s.Plan()
	if err != nil {
		return nil, err
	}
	own := store.Open(o.Out).Folder(s.ID, s.Scale)
	r, err := made(s, o, own, runs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if r == nil || len(r.Files) == 0 {
		return nil, fmt.Errorf("%w of %s in %s: `%s` makes them", ErrNoResults, s.ID, own.Dir(), runCommand(s))
	}
	return withKept(r, runs)
}

// DiffBaselines compares the results of two folders at a scale, a as the references and b as what came after: each is a
// results folder, or one that runs were written to (Out). It takes the experiments with the given ids; if there are
// none given, all that either keeps. One that neither has is an ErrNoResults.
func DiffBaselines(a, b, scale string, ids []string, opts ...Option) ([]Comparison, error) {
	o := newOptions(opts)
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
	var out []Comparison
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
			return nil, fmt.Errorf("%w of %s at scale %s in %s or %s", ErrNoResults, id, scale, a, b)
		}
		out = append(out, o.comparer()(id, was, is)...)
	}
	return out, nil
}

// comparer is the comparison that is asked for.
func (o *options) comparer() func(experiment string, reference, fresh []*trace.File) []Comparison {
	compare := gate.Within(metrics()...)
	if o.exact {
		compare = gate.Exact
	}
	if o.overSeeds {
		return gate.OverSeeds(compare)
	}
	return compare
}

// filesOf are the runs of an experiment that a folder keeps, else those that were written to it, in the order of the
// plan; none if there are none.
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
