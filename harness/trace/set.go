package trace

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Set is the curves of some runs, with what only all of them together determine: the optimum of each problem.
type Set struct {
	Curves   []*Curve
	Warnings []string
	Err      error // a primal below a dual: the rows contradict weak duality, and nothing read from them is safe
}

// NewSet makes curves of files, one per run and one per stage of a path run, and adds the derived columns opt,
// opt_low, gap_percent and excess_percent (see Opt).
func NewSet(files []*File) *Set {
	s := &Set{}
	for _, f := range files {
		s.Warnings = append(s.Warnings, f.Warnings...)
		curves := curvesOf(f)
		s.Curves = append(s.Curves, curves...)
		s.Warnings = append(s.Warnings, doubts(f)...)
	}
	s.derive()
	return s
}

// LabelNames lists the labels that any curve has: the standard ones first, then the others by name.
func (s *Set) LabelNames() []string {
	names := map[string]bool{}
	for _, c := range s.Curves {
		for name := range c.Labels {
			names[name] = true
		}
	}
	return ordered(maps.Keys(names), standardLabels())
}

// Varying lists the labels that tell the curves of the set apart, in the order of LabelNames. Labels that follow from
// another (lambda and stage from C, solver from as) and status are left out when the others suffice.
func (s *Set) Varying() []string {
	var names []string
	for _, name := range s.LabelNames() {
		if slices.ContainsFunc(s.Curves, func(c *Curve) bool {
			return FormatLabel(c.Labels[name]) != FormatLabel(s.Curves[0].Labels[name])
		}) {
			names = append(names, name)
		}
	}
	for _, name := range []string{"status", Stage, Lambda, "solver", "chosen"} {
		less := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
		if len(less) < len(names) && s.distinct(less) == s.distinct(names) {
			names = less
		}
	}
	return names
}

func (s *Set) distinct(labels []string) int {
	seen := map[string]bool{}
	for _, c := range s.Curves {
		seen[c.Describe(labels)] = true
	}
	return len(seen)
}

// curvesOf splits a file into curves.
func curvesOf(f *File) []*Curve {
	var curves []*Curve
	for start := 0; start < len(f.Rows); {
		end := start + 1
		stage, isPath := f.Rows[start].Values[Stage]
		for end < len(f.Rows) && (!isPath || f.Rows[end].Values[Stage] == stage) {
			end++
		}
		c := newCurve(f, f.Rows[start:end], end == len(f.Rows))
		if isPath {
			c.setStage(int(stage))
		}
		curves = append(curves, c)
		start = end
	}
	if curves == nil {
		curves = []*Curve{newCurve(f, nil, true)}
	}
	return curves
}

func newCurve(f *File, rows []Row, last bool) *Curve {
	c := &Curve{Labels: map[string]any{}, Columns: map[string][]float64{}, Status: Done, Stage: -1, File: f}
	if last {
		c.Status = f.Status()
		if f.End != nil {
			c.Why, c.Rule = f.End.Why, f.End.Rule
		}
	}
	for i, r := range rows {
		for name, v := range r.Values {
			if c.Columns[name] == nil {
				c.Columns[name] = missing(len(rows))
			}
			c.Columns[name][i] = v
		}
	}
	c.fill(DataCPUSeconds, f.Manifest.DataCPUSeconds, 0, len(rows))
	if last && f.End != nil {
		c.fill(PeakBytes, float64(f.End.PeakBytes), len(rows)-1, len(rows))
	}
	for name, v := range f.Manifest.Labels {
		c.Labels[name] = label(v)
	}
	if f.End != nil {
		for name, v := range f.End.Labels {
			c.Labels[name] = label(v)
		}
	}
	c.Labels["status"] = string(c.Status)
	c.Labels["scale"] = f.Manifest.Scale
	return c
}

// fill gives a column one value in rows from on, of n in all; 0 is none.
func (c *Curve) fill(column string, v float64, from, n int) {
	if v == 0 || n == 0 {
		return
	}
	values := missing(n)
	for i := from; i < n; i++ {
		values[i] = v
	}
	c.Columns[column] = values
}

// setStage labels the curve as a stage of a path: C and lambda are those of its rows.
func (c *Curve) setStage(stage int) {
	c.Stage = stage
	c.Labels[Stage] = float64(stage)
	for _, name := range []string{C, Lambda} {
		if v := c.Final(name); !math.IsNaN(v) {
			c.Labels[name] = v
		}
	}
}

func missing(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.NaN()
	}
	return values
}

// label gives every number the type float64, so that labels compare the same whether a run was just made or read.
func label(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case float32:
		return float64(v)
	}
	return v
}

// doubts gathers the warnings of a file's manifest and rows, each message once.
func doubts(f *File) []string {
	var messages []string
	count := map[string]int{}
	first := map[string]float64{}
	note := func(message string, passes float64) {
		if count[message] == 0 {
			messages = append(messages, message)
			first[message] = passes
		}
		count[message]++
	}
	for _, r := range f.Rows {
		for _, w := range r.Warnings {
			note(w, r.Values[Passes])
		}
	}
	var warnings []string
	for _, w := range f.Manifest.Warnings {
		warnings = append(warnings, fmt.Sprintf("%s: %s", f.name(), w))
	}
	for _, m := range messages {
		warnings = append(warnings,
			fmt.Sprintf("%s: %s (first at %.4g passes; %d of %d rows)", f.name(), m, first[m], count[m], len(f.Rows)))
	}
	return warnings
}

// name is how messages call a run.
func (f *File) name() string {
	c := Curve{Labels: map[string]any{}}
	for name, v := range f.Manifest.Labels {
		c.Labels[name] = label(v)
	}
	return f.Manifest.Experiment + " (" + c.Describe([]string{"as", C, "seed"}) + ")"
}
