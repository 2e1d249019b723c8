package expr

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Evidence holds what the expressions of claims are evaluated on: the curves of one experiment, and what they are
// compared with.
type Evidence struct {
	Set *trace.Set
	// Other returns the curves of another experiment, or an error if there are none. It may be nil.
	Other func(experiment string) (*trace.Set, error)
	// Printed reads a CSV file of printed numbers next to the spec. It is nil if the spec has none.
	Printed func(name string) ([]byte, error)
}

// OnWall returns the evidence with wall-clock times in place of CPU times where a run has no CPU time (see trace.Set).
// Use it for display, not for verdicts.
func (on Evidence) OnWall() Evidence {
	other := on.Other
	on.Set, _ = on.Set.OnWall()
	if other != nil {
		on.Other = func(experiment string) (*trace.Set, error) {
			set, err := other(experiment)
			if err == nil {
				set, _ = set.OnWall()
			}
			return set, err
		}
	}
	return on
}

// reader gives the functions of the language access to the evidence. It collects doubts about the values that it
// reads.
type reader struct {
	on         Evidence
	labels     func() []string // all labels of the set
	varying    func() []string // the labels that distinguish its curves
	warnings   []string
	bootstraps map[string]fields // results of paired, by the resampled counts
	curves     []*trace.Curve    // the curves whose values were read
	early      []*trace.Curve    // those of them that a warning says have ended early
}

func newReader(on Evidence) *reader {
	return &reader{on: on, labels: sync.OnceValue(on.Set.LabelNames), varying: sync.OnceValue(on.Set.Varying)}
}

func (r *reader) warn(format string, args ...any) {
	if w := fmt.Sprintf(format, args...); !slices.Contains(r.warnings, w) {
		r.warnings = append(r.warnings, w)
	}
}

// get evaluates x.name.
func (r *reader) get(x any, name string) (any, error) {
	switch x := x.(type) {
	case *trace.Curve:
		if v, ok := x.Labels[name]; ok {
			return v, nil
		}
		if !x.Has(name) && slices.Contains(r.labels(), name) {
			return nil, nil // another curve's label
		}
		return r.column(x, name)
	case fields:
		if i := slices.Index(x.names, name); i >= 0 {
			return x.values[i], nil
		}
		return nil, fmt.Errorf("no field %q%s", name, nearest.Accepted(name, x.names))
	}
	return nil, fmt.Errorf(".%s: %s has no fields; accepted: a curve, a fit, a printed row", name, typeName(x))
}

// column returns all values of a column.
func (r *reader) column(c *trace.Curve, name string) ([]float64, error) {
	if err := r.usable(c, name); err != nil {
		return nil, err
	}
	switch c.Status {
	case trace.Interrupted:
		return nil, cannot("the run %s was interrupted", r.describe(c))
	case trace.Budget, trace.Diverged:
		if !slices.Contains(r.early, c) {
			r.early = append(r.early, c)
			r.warn("the run %s ended early: %s", r.describe(c), ended(c))
		}
	}
	return c.Columns[name], nil
}

// read returns the curve and the column that the first arguments of a function name.
func (r *reader) read(curve, column any) (*trace.Curve, string, error) {
	c, ok := curve.(*trace.Curve)
	if !ok {
		return nil, "", fmt.Errorf("the first argument is %s; accepted: a curve", typeName(curve))
	}
	name, ok := column.(string)
	if !ok {
		return nil, "", fmt.Errorf(`the column is %s; accepted: its name in quotes, such as "primal"`, typeName(column))
	}
	return c, name, r.usable(c, name)
}

// usable returns an error unless the curve has the column. It warns of a doubt about the column.
func (r *reader) usable(c *trace.Curve, name string) error {
	if !slices.Contains(r.curves, c) {
		r.curves = append(r.curves, c)
	}
	switch {
	case c.Status == trace.Failed || c.Len() == 0:
		return cannot("the run %s has no result: %s", r.describe(c), ended(c))
	case !c.Has(name) && trace.CPUClock(name) && !c.Has(trace.CPUSeconds) && c.Has(trace.WallClock(name)):
		return &untestable{fmt.Sprintf("the run %s has wall-clock time only, no CPU time (%s): it is older than this "+
			"column, or its system has no CPU clock", r.describe(c), name), true}
	case !c.Has(name) && (name == trace.PeakBytes || name == trace.DataCPUSeconds):
		return &untestable{fmt.Sprintf("the run %s did not measure %s: it is older than this column, it shared its "+
			"process with other runs, or its system does not report it", r.describe(c), name), true}
	case !c.Has(name):
		columns := c.ColumnNames()
		return fmt.Errorf("the run %s has no column %q%s; its labels are %v, its columns %v", r.describe(c), name,
			nearest.DidYouMean(name, columns), r.labels(), columns)
	}
	switch name {
	case trace.Opt, trace.OptLow, trace.GapPercent, trace.ExcessPercent:
		if c.Doubt != "" {
			r.warn("%s: %s", r.describe(c), c.Doubt)
		}
	}
	return nil
}

// known returns an error unless a curve has a value at x, either within its records or after them if it has converged.
func (r *reader) known(c *trace.Curve, x float64) error {
	last := c.Final(trace.Passes)
	if x <= last || !c.Cut() {
		return nil
	}
	return cannot("the run %s ended at %.4g passes: %s", r.describe(c), last, ended(c))
}

// whole returns an error unless a run came to its own end, so that its last value is a result.
func (r *reader) whole(c *trace.Curve) error {
	if c.Status != trace.Done {
		return cannot("the run %s ended early: %s", r.describe(c), ended(c))
	}
	return nil
}

// describe names a curve by the labels that distinguish it. The curve may belong to another experiment.
func (r *reader) describe(c *trace.Curve) string {
	if s := c.Describe(r.varying()); s != "" {
		return s
	}
	return c.Describe([]string{"as", trace.C})
}

// ended returns how a run ended, with the reason if there is one.
func ended(c *trace.Curve) string {
	if c.Why == "" {
		return string(c.Status)
	}
	return fmt.Sprintf("%s (%s)", c.Status, c.Why)
}
