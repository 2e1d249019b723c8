package figure_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestTogether checks which panels are in the common legend.
func TestTogether(t *testing.T) {
	const many = "1 2 3 4 5 6 7 8"
	var colours []string // as many labels as there are colours
	for i := range figure.Hues {
		colours = append(colours, fmt.Sprint("c", i))
	}
	all := strings.Join(colours, " ")
	for _, c := range []struct {
		name   string
		panels []string // labels of the lines; labels in brackets belong to bounds
		want   []bool
	}{
		{"none", nil, []bool{}},
		{"one", []string{"a"}, []bool{false}},
		{"a line in common", []string{"a b", "b c"}, []bool{true, true}},
		{"a bound in common", []string{"a [b]", "c [b]"}, []bool{false, false}},
		{"no names", []string{"", ""}, []bool{false, false}},
		{"few lines", []string{"a", "b", "c", "a b"}, []bool{true, true, true, true}},
		{"connected by a third panel", []string{"a", "b", many, "a b"}, []bool{true, true, false, true}},
		{"the larger group", []string{"a", "a", "b", "a", "b", many}, []bool{true, true, false, true, false, false}},
		{"as many lines as colours", []string{"c0", "c0 [bound]", all}, []bool{true, true, true}},
		{"the last lines in panels of their own", []string{"c0", "c0", strings.Join(colours[1:], " ")},
			[]bool{true, true, true}},
		{"one line more than colours", []string{"c0", "c0", strings.Join(colours[1:], " ") + " more"},
			[]bool{true, true, false}},
		{"two groups of one size", []string{"a", "a", "b", "b", many}, []bool{true, true, true, true, false}},
	} {
		var panels []figure.Panel
		for _, labels := range c.panels {
			var p figure.Panel
			for _, label := range strings.Split(labels, " ") {
				l := figure.Line{Label: strings.Trim(label, "[]")}
				if l.Label != label {
					l.Style = figure.Bound
				}
				p.Lines = append(p.Lines, l)
			}
			panels = append(panels, p)
		}
		if diff := cmp.Diff(c.want, figure.Together(panels)); diff != "" {
			t.Errorf("%s: Together differs (-want +got):\n%s", c.name, diff)
		}
	}
}
