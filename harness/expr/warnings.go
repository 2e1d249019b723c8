package expr

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// warning is a text about a run, with the run's name between before and after. A warning about no run in particular has
// only the text before.
type warning struct {
	run           *trace.Curve
	before, after string
}

// warn adds a warning about no run in particular, unless the same warning was added before.
func (r *reader) warn(format string, args ...any) {
	r.addWarning(warning{before: fmt.Sprintf(format, args...)})
}

// warnOf adds a warning about a run, unless the same warning was added before.
func (r *reader) warnOf(c *trace.Curve, before, format string, args ...any) {
	r.addWarning(warning{c, before, fmt.Sprintf(format, args...)})
}

// addWarning adds a warning, unless the same warning was added before.
func (r *reader) addWarning(w warning) {
	_ = r.spend(len(r.warnings)) // an error is returned by the next call of spend
	if !slices.Contains(r.warnings, w) {
		_ = r.take(len(w.before) + len(w.after))
		r.warnings = append(r.warnings, w)
	}
}

// Warnings returns the warnings about curves from everything evaluated so far, each warning once. Warnings about runs
// that differ only in a seed or a fold, with the same text, are one warning, which lists the seeds.
func (e *Evaluation) Warnings() []string {
	type group struct {
		warning
		runs []*trace.Curve
	}
	var groups []*group
	index := map[string]*group{}
	for _, w := range e.warnings {
		if w.run == nil {
			groups = append(groups, &group{warning: w})
			continue
		}
		key := fmt.Sprintf("%q %q %q", w.before, w.run.Describe(slices.DeleteFunc(slices.Clone(e.distinguishing(w.run)),
			IsRepetition)), w.after)
		if g := index[key]; g == nil {
			index[key] = &group{w, []*trace.Curve{w.run}}
			groups = append(groups, index[key])
		} else {
			g.runs = append(g.runs, w.run)
		}
	}
	var out []string
	for _, g := range groups {
		for _, name := range e.names(g.runs) {
			out = include(out, g.before+name+g.after)
		}
	}
	if busy := e.busy(); busy != "" {
		out = append(out, busy)
	}
	return out
}

// include appends a text to a list, unless it is in the list.
func include(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// names returns one name for runs that differ in one seed or fold, with all values of it. It returns each run's name if
// they differ in more than one, and an empty name for no runs.
func (r *reader) names(runs []*trace.Curve) []string {
	if len(runs) == 0 {
		return []string{""}
	}
	labels := r.distinguishing(runs[0])
	differing := slices.DeleteFunc(slices.Clone(labels), func(name string) bool {
		return !IsRepetition(name) || !slices.ContainsFunc(runs, func(c *trace.Curve) bool {
			return c.Labels[name] != runs[0].Labels[name]
		})
	})
	if len(differing) != 1 {
		var out []string
		for _, c := range runs {
			out = append(out, r.describe(c))
		}
		return out
	}
	var parts []string
	for _, name := range labels {
		if name == differing[0] {
			parts = append(parts, name+"="+valuesOf(name, runs))
		} else if s := runs[0].Describe([]string{name}); s != "" {
			parts = append(parts, s)
		}
	}
	return []string{strings.Join(parts, ", ")}
}

// valuesOf returns the values of a label, such as "1 to 5" for integers without a gap, and "1, 2 and 4" otherwise.
func valuesOf(label string, runs []*trace.Curve) string {
	var numbers []float64
	var texts []string
	for _, c := range runs {
		v := c.Labels[label]
		texts = include(texts, trace.FormatLabel(v))
		if x, ok := v.(float64); ok && x == math.Trunc(x) {
			numbers = append(numbers, x)
		}
	}
	last := len(texts) - 1
	if len(numbers) == len(runs) && last > 1 && slices.Max(numbers)-slices.Min(numbers) == float64(last) {
		return trace.FormatLabel(slices.Min(numbers)) + " to " + trace.FormatLabel(slices.Max(numbers))
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// IsRepetition reports whether a label is a seed or a fold, of the experiment or of its data.
func IsRepetition(label string) bool {
	return strings.HasSuffix(label, "seed") || strings.HasSuffix(label, "fold")
}
