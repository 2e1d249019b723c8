package expr

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/expr-lang/expr/vm"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Evidence is what the expressions of claims are about: the curves of one experiment, and what they are compared with.
type Evidence struct {
	Set *trace.Set
	// Other finds the curves of another experiment; nil, or an error, if there are none.
	Other func(experiment string) (*trace.Set, error)
	// Printed reads a CSV file of printed numbers next to the spec; nil if there are none.
	Printed func(name string) ([]byte, error)
}

// OnWall is the evidence with times of the wall clock in place of CPU time, where a run has no CPU time (see
// trace.Set): for what is shown, not for what decides.
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

// Evaluation evaluates the expressions of one claim. It notes what an assertion compared, and doubts about the
// evidence.
type Evaluation struct {
	on           Evidence
	labels       func() []string // all labels of the set
	varying      func() []string // those that tell its curves apart
	warnings     []string
	sites        []site
	observations []observation
	bootstraps   map[string]fields // of paired, by what was resampled
	read         []*trace.Curve    // whose values were asked for
}

// NewEvaluation begins the evaluation of one claim on the evidence, whose Set is not nil.
func NewEvaluation(on Evidence) *Evaluation {
	return &Evaluation{on: on, labels: sync.OnceValue(on.Set.LabelNames), varying: sync.OnceValue(on.Set.Varying)}
}

// Warnings are the doubts about the evidence of what was evaluated so far, each once.
func (e *Evaluation) Warnings() []string { return e.warnings }

func (e *Evaluation) warn(format string, args ...any) {
	if w := fmt.Sprintf(format, args...); !slices.Contains(e.warnings, w) {
		e.warnings = append(e.warnings, w)
	}
}

// untestable is the error of an expression that is correct but lacks evidence.
type untestable struct {
	why        string
	unmeasured bool // the runs are there, without a quantity that runs of today have
}

// Error says what is lacking.
func (u *untestable) Error() string { return u.why }

// Lacks reports whether the expression is correct and only lacks evidence, such as points for a fit.
func Lacks(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking)
}

// Unmeasured reports whether what the expression lacks is a quantity that its runs did not measure, and that they would
// if they were made again.
func Unmeasured(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking) && lacking.unmeasured
}

func cannot(format string, args ...any) error {
	return &untestable{why: fmt.Sprintf(format, args...)}
}

// StandIns names the curves of generated data whose values were read so far, by the labels that tell them apart.
func (e *Evaluation) StandIns() []string {
	var names []string
	for _, c := range e.read {
		if c.File != nil && c.File.Manifest.Data.Synthetic {
			names = append(names, e.describe(c))
		}
	}
	return names
}

// Assert evaluates an assertion and notes what it compares, for Measured. If Lacks holds for the error, evidence is
// missing; any other error is a fault in the expression, with its position.
func (e *Evaluation) Assert(source string) (bool, error) {
	program, err := e.compile(source, true)
	if err != nil {
		return false, plain(err)
	}
	value, err := vm.Run(program, map[string]any{})
	if err != nil {
		return false, plain(err)
	}
	holds, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("an assertion is true or false, this one is %s", typeName(value))
	}
	return holds, nil
}

// Measure evaluates an expression of any type, and prints its value with four significant digits. Errors are as
// Assert's.
func (e *Evaluation) Measure(source string) (string, error) {
	program, err := e.compile(source, false)
	if err != nil {
		return "", plain(err)
	}
	value, err := vm.Run(program, map[string]any{})
	if err != nil {
		return "", plain(err)
	}
	return format(value), nil
}

// Values evaluates an expression to numbers (float64), texts and truth values: one, or the elements of a list, of lists
// in it, and the fields of a fit, in their order. Errors are as Assert's.
func (e *Evaluation) Values(source string) ([]any, error) {
	program, err := e.compile(source, false)
	if err != nil {
		return nil, plain(err)
	}
	value, err := vm.Run(program, map[string]any{})
	if err != nil {
		return nil, plain(err)
	}
	return flat(nil, value)
}

// flat appends a value, or the elements of a list, to others.
func flat(out []any, v any) ([]any, error) {
	switch v := v.(type) {
	case string, bool:
		return append(out, v), nil
	case fields:
		return flat(out, v.values)
	}
	if x, err := number(v); err == nil {
		return append(out, x), nil
	}
	list, ok := elements(v)
	if !ok {
		return nil, fmt.Errorf("the value is %s; want numbers, texts or truth values", typeName(v))
	}
	for _, element := range list {
		var err error
		if out, err = flat(out, element); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// plain is a lack of evidence without the position that the virtual machine wraps it in; other errors keep theirs.
func plain(err error) error {
	var lacking *untestable
	if errors.As(err, &lacking) {
		return lacking
	}
	return err
}

func (e *Evaluation) compile(source string, observed bool) (*vm.Program, error) {
	r := &rewriter{functions: functions(), names: claimNames(), claim: true, observed: observed}
	program, err := compile(source, r, e)
	if observed {
		e.sites = r.sites
	}
	return program, err
}

// get is the meaning of x.name.
func (e *Evaluation) get(x any, name string) (any, error) {
	switch x := x.(type) {
	case *trace.Curve:
		if v, ok := x.Labels[name]; ok {
			return v, nil
		}
		if x.Has(name) {
			return e.column(x, name)
		}
		if slices.Contains(e.labels(), name) {
			return nil, nil // another curve's label
		}
		return e.column(x, name)
	case fields:
		for i, n := range x.names {
			if n == name {
				return x.values[i], nil
			}
		}
		return nil, fmt.Errorf("no field %q; there are %v", name, x.names)
	}
	return nil, fmt.Errorf(".%s: %s has no fields; curves, fits and printed rows have", name, typeName(x))
}

// column returns all values of a column.
func (e *Evaluation) column(c *trace.Curve, name string) ([]float64, error) {
	if err := e.usable(c, name); err != nil {
		return nil, err
	}
	switch c.Status {
	case trace.Interrupted:
		return nil, cannot("the run %s was interrupted", e.describe(c))
	case trace.Budget, trace.Diverged:
		e.warn("the run %s ended early: %s", e.describe(c), ended(c))
	}
	return c.Columns[name], nil
}

// usable reports whether a curve has the column, and notes a doubt about it.
func (e *Evaluation) usable(c *trace.Curve, name string) error {
	e.reads(c)
	switch {
	case c.Status == trace.Failed || c.Len() == 0:
		return cannot("the run %s has no result: %s", e.describe(c), ended(c))
	case !c.Has(name) && trace.CPUClock(name) && !c.Has(trace.CPUSeconds) && c.Has(trace.WallClock(name)):
		return &untestable{fmt.Sprintf("the run %s has no CPU time (%s), but seconds of the wall only: it was made before "+
			"rows had it, or where the system has no such clock", e.describe(c), name), true}
	case !c.Has(name) && (name == trace.PeakBytes || name == trace.DataCPUSeconds):
		return &untestable{fmt.Sprintf("the run %s does not know its %s: it was made before runs did, not alone in its "+
			"process, or where the system does not tell", e.describe(c), name), true}
	case !c.Has(name):
		columns := c.ColumnNames()
		return fmt.Errorf("the run %s has no column %q%s; its labels are %v, its columns %v", e.describe(c), name,
			nearest.DidYouMean(name, columns), e.labels(), columns)
	}
	switch name {
	case trace.Opt, trace.OptLow, trace.GapPercent, trace.ExcessPercent:
		if c.Doubt != "" {
			e.warn("%s: %s", e.describe(c), c.Doubt)
		}
	}
	return nil
}

func (e *Evaluation) reads(c *trace.Curve) {
	if !slices.Contains(e.read, c) {
		e.read = append(e.read, c)
	}
}

// describe names a curve by the labels that tell it apart; it may be another experiment's.
func (e *Evaluation) describe(c *trace.Curve) string {
	if s := c.Describe(e.varying()); s != "" {
		return s
	}
	return c.Describe([]string{"as", trace.C})
}

func ended(c *trace.Curve) string {
	if c.Why == "" {
		return string(c.Status)
	}
	return fmt.Sprintf("%s (%s)", c.Status, c.Why)
}

// fields is a value with named parts: a fit, a printed row.
type fields struct {
	names  []string
	values []any
}
