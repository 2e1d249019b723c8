// Package compare compares two runs: their settings, their final values and the passes to reach given gaps.
//
//	list := compare.Runs(a, b)
//	err := compare.Table(list).Markdown(os.Stdout)
package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/tabular"
)

// Line is one line of a comparison of two runs.
type Line struct {
	What string   `json:"what"`     // a setting, a column of the last row, or the work to reach a gap
	A    string   `json:"a"`        // value of the first run; "" if it has none
	B    string   `json:"b"`        // value of the second run; "" if it has none
	Over *float64 `json:"b_over_a"` // ratio B/A of numbers; nil if there is none
}

// Runs compares two runs. It lists the settings that differ, the status and the final values, and the passes that each
// run needed to reach the gaps that both reached.
func Runs(a, b *trace.File) []Line {
	out := []Line{{What: "run", A: a.Manifest.Key, B: b.Manifest.Key}}
	if a.Manifest.Experiment != b.Manifest.Experiment || a.Manifest.Scale != b.Manifest.Scale {
		out = append(out, Line{What: "experiment", A: a.Manifest.Experiment + ", " + a.Manifest.Scale,
			B: b.Manifest.Experiment + ", " + b.Manifest.Scale})
	}
	out = append(out, differing(flat(a), flat(b))...)
	out = append(out, Line{What: "status", A: string(a.Status()), B: string(b.Status())})
	set := trace.NewSet([]*trace.File{single(a), single(b)})
	// A run through several values of C (path) has several curves, one for each value.
	if len(set.Curves) != 2 {
		return out
	}
	for _, name := range set.Curves[0].ColumnNames() {
		if slices.Contains([]string{trace.C, trace.Lambda, trace.Opt, trace.OptLow, trace.GapPercent}, name) {
			continue // a column about the problem, or one that is listed in another form
		}
		if x, y := set.Curves[0].Final(name), set.Curves[1].Final(name); !math.IsNaN(x) && !math.IsNaN(y) {
			out = append(out, numbers("final "+name, x, y))
		}
	}
	on := expr.NewEvaluation(expr.Evidence{Set: set})
	for _, gap := range []string{"1e-1", "1e-2", "1e-3", "1e-4", "1e-6"} {
		values, err := on.Values(fmt.Sprintf(`[reach(series[0], "gap", %s), reach(series[1], "gap", %s)]`, gap, gap))
		if err != nil {
			break // one of the runs has no gap
		}
		x, isX := values[0].(float64)
		if y, isY := values[1].(float64); isX && isY && !math.IsInf(max(x, y), 1) {
			out = append(out, numbers("passes to a gap of "+gap, x, y))
		}
	}
	return out
}

// single returns the run without the label repetition, since a set makes one curve of the repetitions of a run.
func single(f *trace.File) *trace.File {
	out := *f
	out.Manifest.Labels = trace.Unrepeated(f.Manifest.Labels)
	return &out
}

// numbers returns the line of a comparison for two numbers.
func numbers(what string, x, y float64) Line {
	c := Line{What: what, A: fmt.Sprintf("%.6g", x), B: fmt.Sprintf("%.6g", y)}
	if ratio := y / x; x > 0 && y > 0 {
		c.Over = &ratio
	}
	return c
}

// flat returns the settings, data and revisions of a run as texts; the keys are dotted names such as solver.name.
func flat(f *trace.File) map[string]string {
	out := map[string]string{"data set": f.Manifest.Data.Name, "data": f.Manifest.Data.Checksum}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			out[path] = trace.FormatLabel(v)
			return
		}
		for key, below := range m {
			if key == "params" { // settings of a data set, model or solver: their names are clear without "params"
				walk(path, below)
				continue
			}
			walk(strings.TrimPrefix(path+"."+key, "."), below)
		}
	}
	walk("", f.Manifest.Spec)
	for part, revision := range f.Manifest.Revisions {
		out["revision of "+part] = fmt.Sprint(revision)
	}
	return out
}

// differing returns a line for each name whose values in the two maps differ.
func differing(a, b map[string]string) (out []Line) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if a[name] != b[name] {
			out = append(out, Line{What: name, A: a[name], B: b[name]})
		}
	}
	return out
}

// Table returns the lines of a comparison as a table.
func Table(list []Line) *tabular.Listing {
	t := &tabular.Listing{Head: []string{"", "A", "B", "B/A"}, Right: []string{"A", "B", "B/A"}}
	for _, c := range list {
		over := ""
		if c.Over != nil {
			over = fmt.Sprintf("%.4g", *c.Over)
		}
		t.Add(c.What, c.A, c.B, over)
	}
	return t
}
