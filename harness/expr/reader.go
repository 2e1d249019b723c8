package expr

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Evidence contains everything that the expressions of claims can read: the curves of one experiment, other
// experiments, and printed numbers of the paper.
type Evidence struct {
	Set *trace.Set
	// Other returns the curves of another experiment, or an error if there are none. Other may be nil.
	Other func(experiment string) (*trace.Set, error)
	// Printed reads a CSV file with printed numbers from the folder of the spec. Printed may be nil.
	Printed func(name string) ([]byte, error)
}

// OnWall returns the same evidence, except that the columns of CPU time contain wall-clock times for runs without CPU
// times (see trace.Set). Use it to show times, not to judge claims.
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

// reader reads the curves for the functions of the language. It collects warnings about the values that it reads.
type reader struct {
	meter
	on         Evidence
	labels     func() []string // returns the names of all labels of the set
	varying    func() []string // the labels that distinguish the curves of the set
	warnings   []warning
	bootstraps map[[sha256.Size]byte]fields // results of paired, by the hash of their input counts
	curves     []*trace.Curve               // the curves whose values were read
	timed      []*trace.Curve               // the curves whose times were read
	early      []*trace.Curve               // the curves with a warning that they ended early
	selected   bool                         // whether curves were selected, even if there are none
}

// newReader returns a reader of the evidence.
func newReader(on Evidence) *reader {
	return &reader{meter: meter{most: mostSteps}, on: on, labels: sync.OnceValue(on.Set.LabelNames),
		varying: sync.OnceValue(on.Set.Varying)}
}

// get returns the value of the expression x.name: a label or column of a curve, or a field of another value.
func (r *reader) get(x any, name string) (any, error) {
	switch x := x.(type) {
	case *trace.Curve:
		if v, ok := x.Labels[name]; ok {
			return v, nil
		}
		if !x.Has(name) && slices.Contains(r.labels(), name) {
			return nil, nil // name is a label that only other curves have
		}
		return r.column(x, name)
	case fields:
		if i := slices.Index(x.names, name); i >= 0 {
			return x.values[i], nil
		}
		return nil, fmt.Errorf("no field %q%s", name, nearest.Accepted(name, x.names))
	}
	instead := ""
	if _, isList := elements(x); isList {
		instead = fmt.Sprintf("; write map(list, .%s)", name)
	} else if label, isText := x.(string); isText {
		instead = fmt.Sprintf("; write curve(%q).%s", label, name)
	}
	return nil, fmt.Errorf(".%s: %s has no fields%s; accepted: a curve, a fit, a printed row", name, typeName(x), instead)
}

// column returns all values of a column.
func (r *reader) column(c *trace.Curve, name string) ([]float64, error) {
	if err := r.usable(c, name); err != nil {
		return nil, err
	}
	switch c.Status {
	case trace.Budget, trace.Stalled, trace.Diverged:
		if !slices.Contains(r.early, c) {
			r.early = append(r.early, c)
			r.warnOf(c, "the run ", " ended early: %s", c.Reason())
		}
	}
	return c.Columns[name], nil
}

// read converts two arguments of a function, a curve and the name of one of its columns, to Go values and checks them.
// If the first one is a text, it is the label "as" of the curve.
func (r *reader) read(curve, column any) (*trace.Curve, string, error) {
	if name, ok := curve.(string); ok {
		var err error
		if curve, err = oneCurve(r, []any{map[string]any{"as": name}}); err != nil {
			return nil, "", err
		}
	}
	c, ok := curve.(*trace.Curve)
	if !ok {
		return nil, "", fmt.Errorf("the first argument is %s; accepted: a curve, or the name of its solver in quotes",
			typeName(curve))
	}
	name, ok := column.(string)
	if !ok {
		return nil, "", fmt.Errorf(`the column is %s; accepted: its name in quotes, such as "primal"`, typeName(column))
	}
	if err := r.spend(c.Len()/scan + len(r.curves)/scan); err != nil {
		return nil, "", err
	}
	return c, name, r.usable(c, name)
}

// measuredAlone reports whether a column is measured only in a run that is alone in its process.
func measuredAlone(name string) bool {
	switch name {
	case trace.PeakBytes, trace.DataCPUSeconds, trace.ArithmeticCPUSeconds, trace.MemoryCPUSeconds:
		return true
	}
	return false
}

// usable returns an error if the curve does not have the column. It adds a warning if the values of the column are
// uncertain.
func (r *reader) usable(c *trace.Curve, name string) error {
	if !slices.Contains(r.curves, c) {
		r.curves = append(r.curves, c)
	}
	if trace.Clock(name) && !slices.Contains(r.timed, c) {
		r.timed = append(r.timed, c)
	}
	switch {
	case c.Status == trace.Failed || c.Len() == 0:
		return cannot("the run %s has no result: %s", r.describe(c), c.Reason())
	case !c.Has(name) && measuredAlone(name):
		return &untestable{why: fmt.Sprintf("the run %s did not measure %s: it was made before gaplab recorded "+
			"this column, it shared its process with other runs, or its system does not report the value", r.describe(c),
			name), unmeasured: true}
	case !c.Has(name) && trace.CPUClock(name) && !c.Has(trace.CPUSeconds) && c.Has(trace.WallClock(name)):
		return &untestable{why: fmt.Sprintf("the run %s has only wall-clock time, no CPU time (%s): it was made "+
			"before gaplab recorded this column, or its system has no CPU clock", r.describe(c), name), unmeasured: true}
	case !c.Has(name):
		columns := c.ColumnNames()
		return fmt.Errorf("the run %s has no column %q%s; its labels are %s, and its columns are %s", r.describe(c), name,
			nearest.DidYouMean(name, columns), strings.Join(r.labels(), ", "), strings.Join(columns, ", "))
	}
	switch name {
	case trace.Opt, trace.OptLow, trace.GapPercent, trace.ExcessPercent:
		if m := r.on.Set.BoundLacking(c); m != nil {
			if err := r.lack(m, name+" depends on the optimum, which the other runs do not certify: "); err != nil {
				return err
			}
		}
		if c.Doubt != "" {
			r.warnOf(c, "", ": %s", c.Doubt)
		}
	}
	return nil
}

// lack returns the error of an expression that reads c, a run without a result. If the user asked for claims over the
// runs that have results (Set.Partial), lack returns no error but adds a warning. The warning begins with the share of
// these runs.
func (r *reader) lack(c *trace.Curve, because string) error {
	name := r.describe(c)
	if c.File == nil {
		name = c.DescribeRun()
	}
	if !r.on.Set.Partial {
		return lost("%sthe run %s has no result: %s", because, name, c.Reason())
	}
	r.warn("%s: %sthe run %s is left out: %s", r.on.Set.Share(), because, name, c.Reason())
	return nil
}

// known returns an error if the value of a curve at x passes is unknown. The value is known up to the last row and, if
// the run has converged, also after it.
func (r *reader) known(c *trace.Curve, x float64) error {
	last := c.Final(trace.Passes)
	if x <= last || !c.Cut() {
		return nil
	}
	return cannot("the run %s ended at %.4g passes: %s", r.describe(c), last, c.Reason())
}

// whole returns an error if a run did not end normally, because then its last value is not a result.
func (r *reader) whole(c *trace.Curve) error {
	if c.Status != trace.Done {
		return cannot("the run %s ended early: %s", r.describe(c), c.Reason())
	}
	return nil
}

// describe returns the labels that distinguish a curve from the others. The curve may belong to another experiment.
func (r *reader) describe(c *trace.Curve) string { return c.Describe(r.distinguishing(c)) }

// distinguishing returns the names of the labels in the description of a curve.
func (r *reader) distinguishing(c *trace.Curve) []string {
	if names := r.varying(); c.Describe(names) != "" {
		return names
	}
	return []string{"as", trace.C}
}
