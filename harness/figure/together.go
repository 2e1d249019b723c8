package figure

import (
	"slices"
)

// Together reports for each panel whether its lines are in the common legend of the figure; the other panels have their
// own legends. There is a common legend if a line with the same label occurs in two panels. If there are enough colours
// for the lines of all panels, the common legend contains all of them. Otherwise panels with common lines form groups,
// and the common legend contains only the lines of the largest group, or of all groups of that size.
func Together(panels []Panel) []bool {
	group := make([]int, len(panels)) // for each panel, the index of the first panel of its group
	var labels []string
	for i, p := range panels {
		group[i] = i
		for k := range i {
			if from, to := group[k], group[i]; from != to && haveCommonLine(panels[k], p) {
				for j, g := range group[:i+1] {
					if g == max(from, to) {
						group[j] = min(from, to)
					}
				}
			}
		}
		for _, l := range p.Lines {
			if l.Style != Bound {
				labels = include(labels, l.Label)
			}
		}
	}
	size := make([]int, len(panels))
	for _, g := range group {
		size[g]++
	}
	out := make([]bool, len(panels))
	for i, g := range group {
		largest := slices.Max(size)
		out[i] = largest > 1 && (size[g] == largest || len(labels) <= Hues)
	}
	return out
}

// haveCommonLine reports whether two panels have a line with the same label, except bounds.
func haveCommonLine(a, b Panel) bool {
	return slices.ContainsFunc(a.Lines, func(l Line) bool {
		return l.Label != "" && l.Style != Bound && slices.ContainsFunc(b.Lines, func(o Line) bool {
			return o.Label == l.Label && o.Style != Bound
		})
	})
}
