package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/tabular"
)

// runTable returns a table of the runs of a result: the labels in which they differ, the last row, and why the run
// ended. It omits runs that lost a comparison (lang.Choose) and returns their number as losers.
func runTable(result *harness.Result) (lines *tabular.Listing, losers int) {
	summaries := summariesOf(result)
	names := slices.DeleteFunc(varying(labelsOf(result.Files)), func(name string) bool { return name == trace.Repetition })
	short := trace.Abbreviate(labelsOf(result.Files))
	repeats := repetitions(result.Files, summaries)
	metrics := metricNames(summaries)
	var status []string // the column is omitted if all runs are done
	if slices.ContainsFunc(summaries, func(s summary.Summary) bool { return s.Status != trace.Done }) {
		status = []string{"status"}
	}
	lines = &tabular.Listing{
		Head: slices.Concat(names, status, []string{"passes", "primal", "dual", "gap"}, headings(metrics),
			[]string{"seconds", "why"}),
		Right: slices.Concat([]string{"C", "lambda", "passes", "primal", "dual", "gap", "seconds"}, headings(metrics)),
	}
	for i, s := range summaries {
		if repeats[i] == nil {
			continue // a later repetition of an earlier line
		}
		if s.Chosen != nil && !*s.Chosen {
			losers++
			continue
		}
		row := labelCells(names, short.Of(result.Files[i].Manifest.Labels))
		if status != nil {
			row = append(row, string(s.Status))
		}
		row = append(row, term.Decimals(s.Passes, 1), term.Decimals(s.Primal, 6), term.Decimals(s.Dual, 6),
			term.Exponent(s.Gap))
		for _, m := range metrics {
			var value *float64
			if v, ok := s.Metrics[m]; ok {
				value = &v
			}
			row = append(row, term.Decimals(value, 4))
		}
		why := strings.TrimPrefix(term.FirstLine(s.Why), string(s.Status)+": ")
		lines.Add(append(row, secondsOf(repeats[i]), why)...)
	}
	return lines, losers
}

// repetitions returns, for each run, the seconds of all its repetitions that ended in the same way. The list of a run
// that is a later repetition of an earlier run is nil.
func repetitions(files []*trace.File, summaries []summary.Summary) [][]*float64 {
	out := make([][]*float64, len(files))
	first := map[string]int{}
	for i, f := range files {
		key := fmt.Sprint(trace.Unrepeated(f.Manifest.Labels), f.Status())
		if _, repeated := f.Manifest.Labels[trace.Repetition]; !repeated {
			key = fmt.Sprint(i)
		}
		at, ok := first[key]
		if !ok {
			at, first[key] = i, i
		}
		out[at] = append(out[at], summaries[i].Seconds)
	}
	return out
}

// secondsOf formats the seconds of the repetitions of a run: the median, and their range if there are several.
func secondsOf(repeats []*float64) string {
	var known []float64
	for _, s := range repeats {
		if s != nil {
			known = append(known, *s)
		}
	}
	if len(known) < 2 {
		return term.Decimals(repeats[0], 2)
	}
	slices.Sort(known)
	n := len(known)
	median := (known[(n-1)/2] + known[n/2]) / 2
	return fmt.Sprintf("%.2f (%.2f to %.2f)", median, known[0], known[n-1])
}

// varying returns the names of the labels in which runs differ. If they differ in none, it returns only the label "as",
// which holds the name of the solver's curves.
func varying(labels []map[string]any) []string {
	set := &trace.Set{}
	for _, l := range labels {
		set.Curves = append(set.Curves, &trace.Curve{Labels: l})
	}
	if len(set.Curves) == 0 {
		return nil
	}
	if names := set.Varying(); len(names) > 0 {
		return names
	}
	return []string{"as"}
}

// labelsOf returns the labels of the runs of files.
func labelsOf(files []*trace.File) []map[string]any {
	var out []map[string]any
	for _, f := range files {
		out = append(out, f.Manifest.Labels)
	}
	return out
}

// labelsOfPlan returns the labels of the runs of a plan.
func labelsOfPlan(plan []lang.Run) []map[string]any {
	var out []map[string]any
	for _, r := range plan {
		out = append(out, r.Labels)
	}
	return out
}

// metricNames returns the names of all metrics, sorted.
func metricNames(summaries []summary.Summary) []string {
	names := map[string]bool{}
	for _, s := range summaries {
		for name := range s.Metrics {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// headings returns the names of columns with blanks for underscores.
func headings(columns []string) []string {
	out := make([]string, len(columns))
	for i, name := range columns {
		out[i] = strings.ReplaceAll(name, "_", " ")
	}
	return out
}

// labelCells returns the cells of the labels with the given names. If a run lacks a label, the cell is empty.
func labelCells(names []string, labels map[string]any) []string {
	row := make([]string, len(names))
	for i, name := range names {
		if v := labels[name]; v != nil {
			row[i] = trace.FormatLabel(v)
		}
	}
	return row
}

// newProgress returns a term.Progress that shows the progress of a plan's runs on standard error.
func newProgress(sys system, id string, plan []lang.Run) *term.Progress {
	labels := labelsOfPlan(plan)
	return term.NewProgress(sys.err, id, len(plan), varying(labels), trace.Abbreviate(labels))
}
