package trace

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Repetition is the label with the number of a repetition, from 1. Runs that are not repeated do not have it.
const Repetition = "repetition"

// Unrepeated returns a copy of the labels without Repetition. All repetitions of a run have the same such labels.
func Unrepeated(labels map[string]any) map[string]any {
	labels = maps.Clone(labels)
	delete(labels, Repetition)
	return labels
}

// join replaces the repetitions of a run by one curve, the first repetition. Its columns of times (see Clock) and of
// memory contain, in each row, the median over the repetitions, and its field Repeats has the curves of all of them. A
// repetition without a result stays a curve of its own. All other columns must be equal in all repetitions, since only
// times may differ; join warns if they are not.
func (s *Set) join() {
	first := map[string]*Curve{}
	var out []*Curve
	for _, c := range s.Curves {
		if _, ok := c.Labels[Repetition]; !ok || c.Lacks() || c.Len() == 0 {
			out = append(out, c)
			continue
		}
		labels := Unrepeated(c.Labels)
		delete(labels, "status")
		key := fmt.Sprint(labels)
		if to := first[key]; to != nil {
			to.Repeats = append(to.Repeats, c)
			continue
		}
		joined := *c
		joined.Labels, joined.Repeats = labels, []*Curve{c}
		joined.Labels["status"] = string(c.Status)
		first[key] = &joined
		out = append(out, &joined)
	}
	for _, c := range out {
		if len(c.Repeats) > 1 {
			if why := c.average(); why != "" {
				s.Warnings = append(s.Warnings, why)
			}
		}
	}
	s.Curves = out
}

// average sets the columns of times and memory to the medians over the repetitions. If the repetitions differ in other
// columns, or ended in different ways, average returns a text that says so.
func (c *Curve) average() (why string) {
	c.Columns = maps.Clone(c.Columns)
	for name, values := range c.Columns {
		if !varies(name) {
			continue
		}
		values = slices.Clone(values)
		for i := range values {
			values[i] = c.median(name, i)
		}
		c.Columns[name] = values
	}
	for _, other := range c.Repeats[1:] {
		switch name := c.differs(other); {
		case other.Status != c.Status:
			return fmt.Sprintf("the repetitions of %s ended in different ways: %s, but %s in repetition %v",
				c.DescribeRun(), c.Reason(), other.Reason(), other.Labels[Repetition])
		case name != "" && !c.File.Manifest.Outside:
			return fmt.Sprintf("the repetitions of %s differ not only in times: repetition %v has other values of %s",
				c.DescribeRun(), other.Labels[Repetition], name)
		}
	}
	return ""
}

// varies reports whether a column may differ between the repetitions of a run.
func varies(column string) bool { return Clock(column) || column == PeakBytes }

// median returns the median of a column in row i, over the repetitions that have a value there; NaN if none has one.
func (c *Curve) median(column string, i int) float64 {
	var values []float64
	for _, r := range c.Repeats {
		if own := r.Columns[column]; i < len(own) && !math.IsNaN(own[i]) {
			values = append(values, own[i])
		}
	}
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// differs returns the name of a column, other than times and memory, in which two curves differ by any bit in a row
// that both have; "" if there is none.
func (c *Curve) differs(other *Curve) string {
	for _, name := range c.ColumnNames() {
		if varies(name) {
			continue
		}
		a, b := c.Columns[name], other.Columns[name]
		for i := range min(len(a), len(b)) {
			if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
				return name
			}
		}
	}
	return ""
}

// Repetitions returns how often the run of the curve was made.
func (c *Curve) Repetitions() int { return max(1, len(c.Repeats)) }

// Repetitions returns the largest number of repetitions of a curve in the set.
func (s *Set) Repetitions() int {
	most := 1
	for _, c := range s.Curves {
		most = max(most, c.Repetitions())
	}
	return most
}

// OfRepetition returns a copy of the set in which each curve has the values of its repetition k, counted from 0, in
// place of medians; the field Repeats stays the same. A curve with fewer repetitions has the values of repetition k
// modulo their number.
func (s *Set) OfRepetition(k int) *Set {
	out := *s
	out.Curves = slices.Clone(s.Curves)
	for i, c := range s.Curves {
		if len(c.Repeats) > 0 {
			own := *c.Repeats[k%len(c.Repeats)]
			own.Labels, own.Repeats = c.Labels, c.Repeats
			out.Curves[i] = &own
		}
	}
	return &out
}

// Sitting describes where and when the times of repetition k of a curve were measured: the machine and, if the trace
// names it, the process that made the run. Times may be compared only if both are the same. The text is for messages.
func (c *Curve) Sitting(k int) string {
	f := c.File
	if len(c.Repeats) > 0 {
		f = c.Repeats[k%len(c.Repeats)].File
	}
	if f == nil {
		return ""
	}
	m := f.Manifest
	text := strings.TrimSpace(m.CPU + " " + m.Platform)
	if m.Sitting != "" {
		text += ", sitting " + m.Sitting
	}
	if f.End != nil && f.End.Resumed > 0 {
		text += fmt.Sprintf(", resumed %d times by other processes", f.End.Resumed)
	}
	return text
}

// Slowdown returns the largest Pace.Slowdown of the run and its repetitions; 0 if it was not measured.
func (c *Curve) Slowdown() (most float64) {
	repeats := c.Repeats
	if len(repeats) == 0 {
		repeats = []*Curve{c}
	}
	for _, r := range repeats {
		if r.File != nil && r.File.End != nil {
			most = max(most, r.File.End.Slowdown)
		}
	}
	return most
}
