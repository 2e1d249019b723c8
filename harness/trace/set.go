package trace

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Set contains the curves of several runs. The curves of a problem together bound its optimum.
type Set struct {
	Curves   []*Curve
	Missing  []*Curve // planned runs without a readable trace, of status Missing or Damaged; they have no rows
	Partial  bool     // the user asked to judge claims by the other runs if some runs have no result
	Warnings []string
	Err      error // a primal lies below a dual: the rows contradict weak duality, so do not trust them
}

// NewSet returns the curves of files, one per run or one per stage of a path run. It adds the derived columns opt,
// opt_low, gap_percent and excess_percent (see Opt). The repetitions of a run are one curve.
func NewSet(files []*File) *Set {
	s := &Set{}
	for _, f := range files {
		s.Warnings = append(s.Warnings, f.Warnings...)
		curves := curvesOf(f)
		s.Curves = append(s.Curves, curves...)
		s.Warnings = append(s.Warnings, doubts(f)...)
	}
	s.derive()
	s.join()
	return s
}

// LabelNames lists the labels of all curves: first the standard labels in a fixed order, then the others by name.
func (s *Set) LabelNames() []string {
	names := map[string]bool{}
	for _, c := range s.Curves {
		for name := range c.Labels {
			names[name] = true
		}
	}
	return ordered(maps.Keys(names), standardLabels())
}

// Varying lists the labels that distinguish the curves of the set, in the order of LabelNames. It leaves out status,
// stage, lambda, solver and chosen if the remaining labels distinguish the curves equally well.
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

// curvesOf returns the curves of a file: one, or one per stage of a path run.
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
	if least, passes := f.Manifest.Least, c.Columns[Passes]; least != nil && passes != nil {
		n := float64(f.Manifest.N)
		c.Columns[ArithmeticCPUSeconds] = scaled(passes, n*least.Arithmetic)
		c.Columns[MemoryCPUSeconds] = scaled(passes, n*least.Memory)
	}
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

// fill sets a column to v in the n rows of the curve, except that rows with an index below the argument "from" get NaN.
// If v is 0, which means not known, it adds no column.
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

// scaled returns the values, each multiplied by factor.
func scaled(values []float64, factor float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * factor
	}
	return out
}

// setStage labels the curve as a stage of a path, with C and lambda from its rows.
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

// label converts a number to float64. Then labels of a new run compare equal to those that are read from its file.
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

// doubts returns the warnings of a file's manifest and rows. Each message appears once.
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

// name returns the run's name for messages.
func (f *File) name() string {
	c := Curve{Labels: map[string]any{}}
	for name, v := range f.Manifest.Labels {
		c.Labels[name] = label(v)
	}
	return f.Manifest.Experiment + " (" + c.Describe([]string{"as", C, "seed"}) + ")"
}
