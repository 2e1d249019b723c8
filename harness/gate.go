package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// thinRows is about how many rows of a curve the results folder keeps.
const thinRows = 200

// Comparison is how one curve of the gate came out.
type Comparison = gate.Comparison

// Check runs the smoke scale of experiments into a folder of its own and compares every curve with the reference in
// the results folder, on axes that do not depend on the machine: passes, oracle calls, primal and dual; with Exact,
// all columns but clocks, bit by bit. An experiment without a reference is an ErrNoResults. Fresh
// rows with a primal below a dual are an error, whatever the references say.
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
		kept := store.Keep(o.root)
		reference, err := kept.Read(e.ID, lang.ScaleSmoke)
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(reference) == 0 {
			return nil, fmt.Errorf("%w: no reference for %s in %s: `gaplab baseline update %s` makes it", ErrNoResults, e.ID,
				kept.Path(e.ID, lang.ScaleSmoke), argument(s))
		} else if err != nil {
			return nil, err
		}
		r, err := Run(ctx, s, slices.Concat(opts, []Option{Root(o.root), Out(scratch), untimed})...)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		compare := gate.Compare
		if o.exact {
			compare = gate.Exact
		}
		out = append(out, compare(e.ID, reference, r.Files)...)
		broken = append(broken, r.Set.Err)
	}
	return out, errors.Join(broken...)
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
