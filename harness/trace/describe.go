package trace

import (
	"fmt"
	"maps"
	"slices"
)

// Describe returns a short description of the run for messages: its variant, C (or λ) and the labels of its grids.
func (f *File) Describe() string {
	l := f.Manifest.Labels
	text := fmt.Sprint(l["as"])
	implied := []string{"as", "solver", "dataset", "model", "loss", "n", C, Lambda}
	for _, k := range []string{C, Lambda} {
		if v, ok := l[k]; ok {
			text += fmt.Sprintf(" %s=%s", k, FormatLabel(v))
			break
		}
	}
	for _, k := range slices.Sorted(maps.Keys(l)) {
		if !slices.Contains(implied, k) {
			text += fmt.Sprintf(" %s=%s", k, FormatLabel(l[k]))
		}
	}
	return text
}
