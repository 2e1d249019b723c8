package harness

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// DiffBaselines compares the results that two folders keep at a scale, of all experiments or of those with the given
// ids: a as the references, b as the fresh runs. An experiment that only one of them has is a curve that moved.
func DiffBaselines(a, b, scale string, ids []string, opts ...Option) ([]Comparison, error) {
	o := newOptions(opts)
	before, after := store.Keep(a), store.Keep(b)
	if len(ids) == 0 {
		for _, kept := range []*store.Kept{before, after} {
			there, err := kept.Experiments(scale)
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
		was, err := filesOf(before, id, scale)
		if err != nil {
			return nil, err
		}
		is, err := filesOf(after, id, scale)
		if err != nil {
			return nil, err
		}
		out = append(out, o.comparer()(id, was, is)...)
	}
	return out, nil
}

// comparer is the comparison that is asked for.
func (o *options) comparer() func(experiment string, reference, fresh []*trace.File) []Comparison {
	if o.exact {
		return gate.Exact
	}
	return gate.Within(metrics()...)
}

// filesOf are the kept runs of an experiment; none if nothing is kept.
func filesOf(kept *store.Kept, id, scale string) ([]*trace.File, error) {
	files, err := kept.Read(id, scale)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return files, err
}
