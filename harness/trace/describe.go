package trace

import (
	"fmt"
	"maps"
	"slices"
)

// Describe returns a short description of the run for messages: the solver's name in the spec, C (or λ), and the labels
// that grids give it.
func (f *File) Describe() string { return DescribeLabels(f.Manifest.Labels) }

// DescribeRun returns a short description of the curve's run, as File.Describe does.
func (c *Curve) DescribeRun() string { return DescribeLabels(c.Labels) }

// DescribeLabels returns a short description of the run with these labels, as File.Describe does.
func DescribeLabels(labels map[string]any) string {
	text := fmt.Sprint(labels["as"])
	implied := []string{"as", "solver", "dataset", "model", "loss", "n", "status", "scale", C, Lambda}
	for _, k := range []string{C, Lambda} {
		if v, ok := labels[k]; ok {
			text += fmt.Sprintf(" %s=%s", k, FormatLabel(v))
			break
		}
	}
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		if !slices.Contains(implied, k) {
			text += fmt.Sprintf(" %s=%s", k, FormatLabel(labels[k]))
		}
	}
	return text
}
