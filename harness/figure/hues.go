package figure

import (
	"slices"
)

// patternsOfOne is the largest number of dash patterns that are easy to tell apart in one colour. If a method has more
// lines than this, each line gets its own colour.
const patternsOfOne = 3

// AssignHues assigns each method of a paper one colour, a number from 0, for all figures of the paper. figures lists
// the methods of each figure. AssignHues starts with the shortest lists. For each new method it counts how many methods
// of each colour occur in the figures with the new method, and chooses the first colour with the smallest count.
func AssignHues(figures [][]string) map[string]int {
	figures = slices.Clone(figures)
	slices.SortStableFunc(figures, func(a, b []string) int { return len(a) - len(b) })
	together := map[[2]string]int{}
	for _, list := range figures {
		for _, a := range list {
			for _, b := range list {
				together[[2]string{a, b}]++
			}
		}
	}
	hues := map[string]int{}
	for _, list := range figures {
		for _, method := range list {
			if _, has := hues[method]; has {
				continue
			}
			var cost [Hues]int
			for other, hue := range hues {
				cost[hue] += together[[2]string{method, other}]
			}
			hues[method] = slices.Index(cost[:], slices.Min(cost[:]))
		}
	}
	return hues
}

// paintPanels sets the hue and the dash pattern of each line according to the name of the line. Panels in the common
// legend are coloured together; each other panel is coloured separately.
func paintPanels(panels []Panel, names [][]name, assigned map[string]int) {
	var together []Panel // panels in the common legend; their Lines are those of panels, not copies
	var shared [][]name
	common := Together(panels)
	for i, shares := range common {
		if shares {
			together, shared = append(together, panels[i]), append(shared, names[i])
		} else {
			panels[i].Ends = paint(panels[i:i+1], names[i:i+1], assigned)
		}
	}
	ends := paint(together, shared, assigned)
	for i, shares := range common {
		if shares {
			panels[i].Ends = ends
		}
	}
}

// paint sets the hue of each line to the hue of its method, which may be assigned by AssignHues. It gives lines of one
// hue different dash patterns. If there is only one method, or if a method has more lines than dash patterns can tell
// apart, each run gets its own hue instead. paint reports whether a panel needs more hues than there are.
func paint(panels []Panel, names [][]name, assigned map[string]int) (crowded bool) {
	var all []name
	for i, list := range names {
		for k, n := range list {
			if panels[i].Lines[k].Style != Bound && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	byMethod := manyMethods(all)
	hues, used := map[string]int{}, make([]int, Hues)
	take := func(key string, hue int) {
		hues[key] = hue
		used[hue]++
	}
	key := func(n name) string {
		if byMethod {
			return n.method
		}
		return n.run
	}
	var methods []string // methods whose assigned hue is in use
	for _, n := range all {
		for _, known := range []string{key(n), n.method} {
			hue, ok := assigned[known]
			if _, has := hues[key(n)]; ok && !has && !slices.Contains(methods, known) {
				take(key(n), hue)
				methods = append(methods, known)
			}
		}
	}
	for _, n := range all {
		if _, has := hues[key(n)]; !has {
			take(key(n), slices.Index(used, slices.Min(used)))
		}
	}
	dashes, next := map[name]int{}, make([]int, Hues)
	for _, n := range all {
		hue := hues[key(n)]
		dashes[n] = next[hue]
		next[hue]++
	}
	for i, list := range names {
		own := map[string]bool{}
		for k, n := range list {
			l := &panels[i].Lines[k]
			l.Hue = hues[key(n)]
			if l.Style != Bound {
				l.Dash, own[key(n)] = dashes[n], true
			}
		}
		crowded = crowded || len(own) > Hues
	}
	return crowded
}

// manyMethods reports whether there are several methods and each has so few lines that dashes can distinguish them.
func manyMethods(all []name) bool {
	lines := map[string]int{}
	for _, n := range all {
		lines[n.method]++
		if n.method == "" || lines[n.method] > patternsOfOne {
			return false
		}
	}
	return len(lines) > 1
}
