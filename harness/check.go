package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Check runs the smoke scale of experiments into a folder of its own and compares every curve with the reference in the
// results folder, as Options.Exact and OverSeeds say. An experiment without a reference is an ErrNoResults. Fresh rows
// with a primal below a dual are an error, whatever the references are.
func Check(ctx context.Context, exps []*Experiment, o Options) ([]gate.Comparison, error) {
	scratch, err := os.MkdirTemp("", "gaplab-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	o.Root, o.Out = o.root(), scratch
	adjust := o.adjust
	o.adjust = func(s *schedule.Options) {
		s.Untimed = true // nobody looks at seconds: runs may share the machine
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
		reference, err := references(s, store.Keep(o.Root))
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

// Gate returns the comparison that Exact and OverSeeds ask for.
func (o Options) Gate() func(experiment string, reference, fresh []*trace.File) []gate.Comparison {
	compare := gate.Exact
	if !o.Exact {
		var metrics []string // the columns that are means over validation examples, of any model
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

// references returns those of an experiment: at least one, or an ErrNoResults or trace.ErrDamaged.
func references(s *lang.Spec, kept *store.Kept) ([]*trace.File, error) {
	files, err := kept.Read(s.ID, lang.ScaleSmoke)
	path, update := kept.Path(s.ID, lang.ScaleSmoke), "gaplab baseline update "+argument(s.File, s.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0:
		return nil, fmt.Errorf("%w: no reference for %s in %s: `%s` makes it", ErrNoResults, s.ID, path, update)
	case err != nil && !errors.Is(err, trace.ErrDamaged) && !errors.Is(err, trace.ErrFormat): // a folder, no permission
		return nil, fmt.Errorf("%w: the reference of %s cannot be read: %w", ErrNoResults, s.ID, err)
	case err != nil:
		return nil, fmt.Errorf("%w; `%s` makes it again", err, update)
	}
	return files, nil
}
