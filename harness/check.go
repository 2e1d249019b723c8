package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Check runs experiments at smoke scale and compares every curve with its reference in the results folder or in
// Options.Shipped. It makes all runs anew, in the folder Options.Out; if Out is empty, in a temporary folder. A run
// that this process has already made in that folder for another experiment of the paper is not made again.
// Options.Exact and OverSeeds choose the comparison (see Gate). If an experiment has no reference, Check returns an
// ErrNoResults. If a primal in the new rows is below a dual, Check returns an error, even if the references contain
// the same values.
func Check(ctx context.Context, exps []*Experiment, o Options) ([]gate.Comparison, error) {
	if o.Out == "" {
		scratch, err := os.MkdirTemp("", "gaplab-check-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(scratch)
		o.Out = scratch
	}
	o.Root, o.Force = o.root(), true
	adjust := o.adjust
	o.adjust = func(s *schedule.Options) {
		s.Untimed = true // times are not compared, so several runs may share the machine
		s.Once = true
		if adjust != nil {
			adjust(s)
		}
	}
	var out []gate.Comparison
	var broken []error
	for _, e := range exps {
		s, err := e.At(lang.ScaleSmoke, nil)
		if err != nil {
			return nil, err
		}
		reference, err := references(s, o)
		if err != nil {
			return nil, err
		}
		r, err := Run(ctx, s, o)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		out = append(out, o.Gate()(e.ID, reference, r.Files)...)
		broken = append(broken, r.Set.Err)
	}
	return out, errors.Join(broken...)
}

// Gate returns the function that compares new curves with references, as chosen by Exact and OverSeeds.
func (o Options) Gate() func(experiment string, reference, fresh []*trace.File) []gate.Comparison {
	compare := gate.Exact
	if !o.Exact {
		var metrics []string // names of columns whose values are means over validation examples
		for _, e := range catalogue.Models() {
			metrics = append(metrics, e.Metrics...)
		}
		compare = gate.Within(metrics...)
	}
	if o.OverSeeds {
		return gate.OverSeeds(compare)
	}
	return compare
}

// references returns the references of an experiment in the results folder, or those in Options.Shipped. In a checkout
// that contains the spec, a missing reference must not go unnoticed, so only the results folder counts there. If there
// are no references, it returns an ErrNoResults. If one cannot be parsed, it returns an error that wraps
// trace.ErrDamaged or trace.ErrFormat.
func references(s *lang.Spec, o Options) ([]*trace.File, error) {
	kept := store.Keep(o.Root)
	files, err := kept.Read(s.ID, lang.ScaleSmoke)
	spec := filepath.Join(filepath.Dir(o.Root), committed, filepath.FromSlash(s.ID)+".yaml")
	if _, there := os.Stat(spec); there != nil && errors.Is(err, fs.ErrNotExist) {
		if come, missing := o.Shipped.Kept(s.ID, lang.ScaleSmoke); missing == nil {
			kept = come
			files, err = kept.Read(s.ID, lang.ScaleSmoke)
			o.Shipped.Tell(s.ID, kept)
		}
	}
	path, update := kept.Path(s.ID, lang.ScaleSmoke), "gaplab baseline update "+argument(s.File, s.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0:
		return nil, fmt.Errorf("%w: no reference for %s in %s; create it with `%s`", ErrNoResults, s.ID, path, update)
	// for example, the user has no permission to read the file
	case err != nil && !errors.Is(err, trace.ErrDamaged) && !errors.Is(err, trace.ErrFormat):
		return nil, fmt.Errorf("%w: the reference of %s cannot be read: %w", ErrNoResults, s.ID, err)
	case err != nil:
		return nil, fmt.Errorf("%w; create it again with `%s`", err, update)
	}
	return files, nil
}
