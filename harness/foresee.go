package harness

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/trace"
)

// foresee finds, before anything runs, the keys of a spec's figure, table and claims that no result of its runs could
// satisfy: a filter that no run passes, a legend with a label that a run lacks, a column that no run records. Each
// error is a *lang.Fault.
func foresee(s *lang.Spec, runs []lang.Run, list lang.Catalogue) error {
	set, unknown, constants := planned(runs, list)
	var faults []figure.Fault
	if s.Figure != nil {
		bounds, err := experiments.Bounds()
		if err != nil {
			return err
		}
		faults = figure.Foresee(s.Figure, set, unknown, bounds, constants)
	}
	if s.Table != nil {
		faults = append(faults, foreseeTable(s.File, s.Table, set, unknown)...)
	}
	faults = append(faults, foreseeClaims(s, set, unknown)...)
	left := unrecorded(runs, list)
	var all []error
	for _, f := range faults {
		reason := f.Err.Error()
		var absent *expr.Absent
		if errors.As(f.Err, &absent) && slices.Contains(left, absent.Name) {
			reason = fmt.Sprintf("record.metrics leaves out %s; add it there, or write metrics: all\n%s", absent.Name, reason)
		}
		all = append(all, &lang.Fault{File: s.File, Line: f.Line, Key: f.Key, Reason: reason})
	}
	return errors.Join(all...)
}

// foreseeTable finds the keys of a table that no result of the runs could satisfy.
func foreseeTable(spec string, t *lang.TableSpec, set *trace.Set, unknown []string) []figure.Fault {
	passing, _, err := expr.Foresee(t.Where, set, unknown)
	if err == nil && len(passing) == 0 {
		err = fmt.Errorf("no run satisfies %s", t.Where)
	}
	if err != nil {
		return []figure.Fault{{Line: t.Line, Key: "table.where", Err: err}}
	}
	var faults []figure.Fault
	check := func(line int, key, expression string) {
		if err := expr.Of(passing).Check("axis", expression); err != nil {
			faults = append(faults, figure.Fault{Line: line, Key: "table." + key, Err: err})
		}
	}
	check(t.Line, "rows", t.Rows)
	if t.Printed != "" {
		if _, err := besideSpec(spec, t.Printed); err != nil {
			faults = append(faults, figure.Fault{Line: t.Line, Key: "table.printed",
				Err: fmt.Errorf("%w; accepted: the name of a CSV file in the folder of the spec", err)})
		}
	}
	for i, c := range t.Columns {
		check(c.Line, fmt.Sprintf("columns.%d.name", i), c.Name)
		if _, _, err := expr.Foresee(c.Where, &trace.Set{Curves: passing}, unknown); err != nil {
			faults = append(faults, figure.Fault{Line: c.Line, Key: fmt.Sprintf("table.columns.%d.where", i), Err: err})
		}
	}
	return faults
}

// foreseeClaims finds the claims of this scale whose expressions use a name that no run has.
func foreseeClaims(s *lang.Spec, set *trace.Set, unknown []string) []figure.Fault {
	expected := expr.Of(set.Curves)
	if expected == nil {
		return nil
	}
	expected.Labels = slices.Compact(slices.Sorted(slices.Values(append(expected.Labels, unknown...))))
	var faults []figure.Fault
	for i, c := range s.Claims {
		for _, e := range []struct{ key, expression string }{{"assert", c.Assert}, {"measure", c.Measure}} {
			if e.expression == "" || len(c.Scales) > 0 && !slices.Contains(c.Scales, s.Scale) {
				continue
			}
			if err := expected.Check(e.key, e.expression); err != nil {
				faults = append(faults, figure.Fault{Line: c.Line, Key: fmt.Sprintf("claims.%d.%s", i, e.key), Err: err})
			}
		}
	}
	return faults
}

// planned returns a set with one curve per run, which has the labels and columns of the run but no values, because
// nothing has run. unknown lists the labels whose values are known only after the run, such as C on a regularisation
// path, where each stage has another C. constants lists the names of the solvers' settings, which the formula of a
// theoretical bound may use.
func planned(runs []lang.Run, list lang.Catalogue) (set *trace.Set, unknown, constants []string) {
	set, unknown = &trace.Set{}, []string{"n", "status", "chosen", trace.Stage}
	constants = []string{"n"}
	for _, r := range runs {
		c := &trace.Curve{Labels: map[string]any{"n": math.NaN(), "status": "", "scale": r.Scale},
			Columns: columns(r, list)}
		if r.Convention != "" {
			c.Labels[trace.Lambda] = math.NaN()
			if _, known := r.Labels[trace.Lambda]; !known { // λ depends on the number of examples
				unknown = append(unknown, trace.Lambda)
			}
		}
		if r.Early() {
			c.Labels["chosen"] = true
		}
		if r.Solver.Path != nil {
			c.Labels[trace.Stage], unknown = math.NaN(), append(unknown, trace.C)
		}
		for name, v := range r.Labels {
			c.Labels[name] = v
		}
		set.Curves = append(set.Curves, c)
		if noun, ok := list.Solver(r.Solver); ok {
			constants = append(constants, noun.Keys()...)
		}
	}
	return set, unknown, constants
}

// columns returns the columns that the rows of a run may have, as keys without values. It returns nil if the columns
// are unknown.
func columns(r lang.Run, list lang.Catalogue) map[string][]float64 {
	model, known := list.Model(r.Model)
	solver, listed := list.Solver(r.Solver)
	if !known || !listed || model.Metrics == nil || solver.Columns == nil {
		return nil
	}
	out := map[string][]float64{}
	for _, name := range trace.Always() {
		out[name] = nil
	}
	for _, name := range slices.Concat(model.Columns, solver.Columns) {
		out[name] = nil
		if phase, ok := strings.CutSuffix(name, "_"+trace.Seconds); ok {
			out[phase+"_"+trace.CPUSeconds] = nil
		}
	}
	for _, name := range evaluated(model) {
		if records(r, name) {
			out[name] = nil
		}
	}
	if _, gap := out[trace.Gap]; gap {
		out[trace.Dual], out[trace.GapPercent] = nil, nil
	}
	for _, name := range model.Metrics {
		if records(r, name) {
			out["train_"+strings.TrimPrefix(name, "validation_")] = nil
		}
	}
	return out
}

// evaluated returns the columns of a model that a spec may leave out with record.metrics.
func evaluated(model lang.Entry) []string {
	return append([]string{trace.Dual, trace.Gap}, model.Metrics...)
}

// records reports whether a run records a column. A run that records the dual also records the gap.
func records(r lang.Run, column string) bool {
	recorded := record.Recorded(r)
	return recorded == nil || slices.Contains(recorded, column) ||
		column == trace.Gap && slices.Contains(recorded, trace.Dual)
}

// unrecorded returns the columns that some run leaves out because of record.metrics.
func unrecorded(runs []lang.Run, list lang.Catalogue) []string {
	var out []string
	for _, r := range runs {
		if model, ok := list.Model(r.Model); ok {
			out = append(out, slices.DeleteFunc(evaluated(model), func(name string) bool { return records(r, name) })...)
		}
	}
	return out
}
