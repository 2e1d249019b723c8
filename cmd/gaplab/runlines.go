package main

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// runLines is the runs of a result for reading: what tells them apart, how they ended and where. The losers of a
// choice are only counted.
func runLines(result *harness.Result) (lines *listing, losers int) {
	summaries := result.Summaries()
	names := varying(labelsOf(result.Files))
	metrics := metricNames(summaries)
	lines = &listing{head: slices.Concat(names, []string{"status", "passes", "primal", "dual", "gap"}, headings(metrics),
		[]string{"seconds", "why"})}
	lines.right = slices.Concat([]string{"C", "lambda", "passes", "primal", "dual", "gap", "seconds"}, headings(metrics))
	for i, s := range summaries {
		if s.Chosen != nil && !*s.Chosen {
			losers++
			continue
		}
		var row []string
		for _, name := range names {
			row = append(row, trace.FormatLabel(orEmpty(result.Files[i].Manifest.Labels[name])))
		}
		row = append(row, string(s.Status), decimals(s.Passes, 1), decimals(s.Primal, 6), decimals(s.Dual, 6),
			exponent(s.Gap))
		for _, m := range metrics {
			var value *float64
			if v, ok := s.Metrics[m]; ok {
				value = &v
			}
			row = append(row, decimals(value, 4))
		}
		lines.add(append(row, decimals(s.Seconds, 2), strings.TrimPrefix(firstLine(s.Why), string(s.Status)+": "))...)
	}
	return lines, losers
}

// varying lists the labels that tell runs apart; the solver's variant if nothing else does.
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

func labelsOf(files []*trace.File) []map[string]any {
	var out []map[string]any
	for _, f := range files {
		out = append(out, f.Manifest.Labels)
	}
	return out
}

func labelsOfPlan(plan []lang.Run) []map[string]any {
	var out []map[string]any
	for _, r := range plan {
		out = append(out, r.Labels)
	}
	return out
}

func metricNames(summaries []harness.Summary) []string {
	names := map[string]bool{}
	for _, s := range summaries {
		for name := range s.Metrics {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func headings(columns []string) []string {
	out := make([]string, len(columns))
	for i, name := range columns {
		out[i] = strings.ReplaceAll(name, "_", " ")
	}
	return out
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// decimals formats a number that may not be known so that numbers below each other can be compared.
func decimals(v *float64, n int) string {
	switch {
	case v == nil:
		return ""
	case math.Abs(*v) >= 1e7 || *v != 0 && math.Abs(*v) < 0.5*math.Pow10(2-n) && n > 2:
		return strconv.FormatFloat(*v, 'e', 2, 64)
	}
	return strconv.FormatFloat(*v, 'f', n, 64)
}

// exponent formats a small number that may not be known.
func exponent(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'e', 1, 64)
}
