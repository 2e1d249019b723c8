package harness

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Foresee reports what of a spec's figure and table its runs cannot fill, whatever they find: a filter that none
// passes, a legend with a label that one of them lacks. Each error is a *lang.Fault. Run and Estimate begin with it.
func Foresee(s *lang.Spec) error {
	runs, err := s.Plan()
	if err != nil {
		return err
	}
	set, unknown := planned(runs)
	var faults []figure.Fault
	if s.Figure != nil {
		faults = figure.Foresee(s.Figure, set, unknown)
	}
	if t := s.Table; t != nil {
		passing, _, err := expr.Foresee(t.Where, set, unknown)
		if err == nil && len(passing) == 0 {
			err = fmt.Errorf("no run passes %s", t.Where)
		}
		if err != nil {
			faults = append(faults, figure.Fault{Line: t.Line, Key: "table.where", Err: err})
		}
	}
	var all []error
	for _, f := range faults {
		reason := strings.TrimPrefix(f.Err.Error(), "where: ")
		all = append(all, &lang.Fault{File: s.File, Line: f.Line, Key: f.Key, Reason: reason})
	}
	return errors.Join(all...)
}

// planned are the curves of runs before they have results. unknown lists the labels that they will have but whose
// values only the run knows: on a path each stage has its own C.
func planned(runs []lang.Run) (set *trace.Set, unknown []string) {
	set, unknown = &trace.Set{}, []string{"n", "status", "chosen", trace.Lambda, trace.Stage}
	for _, r := range runs {
		c := &trace.Curve{Labels: map[string]any{"n": math.NaN(), "status": "", "scale": r.Scale}}
		if r.Convention != "" {
			c.Labels[trace.Lambda] = math.NaN()
		}
		if r.Choose != nil {
			c.Labels["chosen"] = true
		}
		if r.Solver.Path != nil {
			c.Labels[trace.Stage], unknown = math.NaN(), append(unknown, trace.C)
		}
		for name, v := range r.Labels {
			c.Labels[name] = v
		}
		set.Curves = append(set.Curves, c)
	}
	return set, unknown
}
