package figure

import "slices"

// Together says of each panel whether the legend of the whole figure names its lines. If two panels have a line in
// common, that legend names all lines, as long as there is a colour for each. Of more lines it names those of the
// largest group of panels that have lines in common, themselves or by way of others; groups of one size are named
// together, and all other panels have legends of their own.
func Together(panels []Panel) []bool {
	group := make([]int, len(panels)) // the first panel of each one's group
	var labels []string
	for i, p := range panels {
		group[i] = i
		for k := range i {
			if from, to := group[k], group[i]; from != to && share(panels[k], p) {
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

// share reports whether two panels have a line of one label, bounds apart.
func share(a, b Panel) bool {
	return slices.ContainsFunc(a.Lines, func(l Line) bool {
		return l.Label != "" && l.Style != Bound && slices.ContainsFunc(b.Lines, func(o Line) bool {
			return o.Label == l.Label && o.Style != Bound
		})
	})
}
