package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// thinRows is about how many rows of a curve the results folder keeps.
const thinRows = 200

// Comparison is how one curve of the gate came out.
type Comparison = gate.Comparison

// ComparisonFigure is a curve beside its reference, with a mark where the first point lies outside; ok is false where
// there are no two curves to draw.
func ComparisonFigure(c Comparison) (fig figure.Figure, ok bool) { return gate.Figure(c) }

// Check runs the smoke scale of experiments into a folder of its own and compares every curve with the reference in
// the results folder, in all columns but clocks: within tolerances or, with Exact, bit by bit. An experiment without a
// reference is an ErrNoResults. Fresh rows with a primal below a dual are an error, whatever the references say.
func Check(ctx context.Context, exps []*Experiment, opts ...Option) ([]Comparison, error) {
	o := newOptions(opts)
	scratch, err := os.MkdirTemp("", "gaplab-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	var out []Comparison
	var broken []error
	for _, e := range exps {
		s, err := e.At("smoke", nil)
		if err != nil {
			return nil, err
		}
		reference, err := references(s, store.Keep(o.root))
		if err != nil {
			return nil, err
		}
		r, err := Run(ctx, s, slices.Concat(opts, []Option{Root(o.root), Out(scratch), untimed})...)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		out = append(out, o.comparer()(e.ID, reference, r.Files)...)
		broken = append(broken, r.Set.Err)
	}
	return out, errors.Join(broken...)
}

// references are those of an experiment: at least one, or an ErrNoResults or trace.ErrDamaged.
func references(s *lang.Spec, kept *store.Kept) ([]*trace.File, error) {
	files, err := kept.Read(s.ID, lang.ScaleSmoke)
	path := kept.Path(s.ID, lang.ScaleSmoke)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0:
		return nil, fmt.Errorf("%w: no reference for %s in %s: `%s` makes it", ErrNoResults, s.ID, path, updateCommand(s))
	case err != nil && !errors.Is(err, trace.ErrDamaged) && !errors.Is(err, trace.ErrFormat): // a folder, no permission
		return nil, fmt.Errorf("%w: the reference of %s cannot be read: %w", ErrNoResults, s.ID, err)
	case err != nil:
		return nil, fmt.Errorf("%w; `%s` makes it anew", err, updateCommand(s))
	}
	return files, nil
}

// updateCommand is the command that accepts what the gate finds of a spec.
func updateCommand(s *lang.Spec) string { return "gaplab baseline update " + argument(s) }

// Orphans are references in the results folder that belong to none of the experiments, as curves that are gone.
func Orphans(exps []*Experiment, opts ...Option) ([]Comparison, error) {
	kept := store.Keep(newOptions(opts).root)
	ids, err := kept.Experiments(lang.ScaleSmoke)
	if err != nil {
		return nil, err
	}
	var out []Comparison
	for _, id := range ids {
		if !slices.ContainsFunc(exps, func(e *Experiment) bool { return e.ID == id }) {
			out = append(out, Comparison{Experiment: id, Message: fmt.Sprintf("%s is the reference of no experiment here: "+
				"delete it, or name its spec", kept.Path(id, lang.ScaleSmoke))})
		}
	}
	return out, nil
}

// metrics are the columns that are means over validation examples, of any model.
func metrics() []string {
	var out []string
	for _, e := range Catalogue().Models {
		out = append(out, e.Metrics...)
	}
	return out
}

// UpdateBaseline packs the results that git keeps and returns the files that changed. At scale smoke it runs the
// experiments and writes the references of the gate; at the others it thins the finished runs in Out to a few hundred
// rows a curve, and it is an ErrNoResults if there are none. What is kept already of runs that Out lacks stays.
func UpdateBaseline(ctx context.Context, exps []*Experiment, scale string, opts ...Option) ([]string, error) {
	o := newOptions(opts)
	var written []string
	for _, e := range exps {
		s, err := e.At(scale, nil)
		if err != nil {
			return written, err
		}
		var r *Result
		if scale == "smoke" {
			scratch, err := os.MkdirTemp("", "gaplab-baseline-")
			if err != nil {
				return written, err
			}
			defer os.RemoveAll(scratch)
			if r, err = Run(ctx, s, slices.Concat(opts, []Option{Root(o.root), Out(scratch)})...); err != nil {
				return written, err
			}
		} else {
			runs, err := s.Plan()
			if err != nil {
				return written, err
			}
			own := store.Open(o.Out).Folder(e.ID, scale)
			r, err = made(s, o, own, runs)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return written, err
			}
			if r == nil || len(r.Files) == 0 {
				return written, fmt.Errorf("%w of %s in %s: `%s` makes them", ErrNoResults, e.ID, own.Dir(), runCommand(s))
			}
			if r, err = withKept(r, runs); err != nil {
				return written, err
			}
		}
		if r.Interrupted() {
			return written, fmt.Errorf("%s: some of its runs have not ended; finish them first", e.ID)
		}
		if i := slices.IndexFunc(r.Files, func(f *trace.File) bool { return f.Status() == trace.Failed }); i >= 0 {
			return written, fmt.Errorf("%s: %s failed and is no reference: %s", e.ID, r.Files[i].Describe(),
				r.Files[i].End.Why)
		}
		files := make([]*trace.File, len(r.Files))
		for i, f := range r.Files {
			files[i] = f.Reference(thinRows)
		}
		changed, err := store.Keep(o.root).Write(e.ID, scale, files, scale == lang.ScaleSmoke)
		if err != nil {
			return written, err
		}
		written = append(written, changed...)
	}
	return written, nil
}
