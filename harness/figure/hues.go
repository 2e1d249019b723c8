package figure

import (
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// How many colours and patterns a drawing has to tell lines apart. Lines of one pattern more than patternsOfOne are
// hard to follow, so that beyond it each gets a colour of its own.
const (
	Hues   = 7
	Dashes = 6

	patternsOfOne = 3
)

// name is what a line is called: by its method, by all that tells its runs from others, and by its y. Two lines of a
// figure that have one name look alike.
type name struct{ method, run, y string }

// Methods lists what the lines of a figure are called as far as that is known before its runs: their method, or the
// setting of the plan that tells them apart. set and unknown are as in Foresee.
func Methods(f *lang.Figure, set *trace.Set, unknown []string) []string {
	r := &resolver{set: set}
	var out []string
	for _, p := range panelsOf(f) {
		passing, _, err := expr.Foresee(p.Where, set, unknown)
		if err != nil {
			continue // a fault that Foresee reports
		}
		list := p.Series
		if len(list) == 0 {
			list = lang.SeriesList{{}}
		}
		for _, s := range list {
			curves, _, err := expr.Foresee(s.Where, &trace.Set{Curves: passing}, unknown)
			if err != nil {
				continue
			}
			curves = r.of(s, curves)
			sweep := slices.ContainsFunc(slices.Concat(p.Y, s.Y), func(y string) bool { return strings.Contains(y, "final.") })
			groups, shown := r.groupsOf(p, s.Label, curves, sweep)
			if slices.ContainsFunc(shown, func(label string) bool { return slices.Contains(unknown, label) }) {
				shown = slices.DeleteFunc(shown, func(label string) bool { return label != "as" && label != problemLabel })
			}
			for _, g := range groups {
				_, n, err := legend(s.Label, shown, g.curves[0], "", false)
				switch {
				case err != nil:
				case n.method != "":
					out = include(out, n.method)
				case !slices.ContainsFunc(unknown, func(label string) bool { return strings.Contains(s.Label, "{"+label+"}") }):
					out = include(out, n.run)
				}
			}
		}
	}
	return out
}

// AssignHues gives each method of a paper its colour, from 0, for all figures. It goes through lists of the methods
// that share a figure, the shortest lists first, and takes for each new method the first colour that fewest methods
// beside it have.
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

// paintPanels gives lines their looks by their names. Panels whose legends are their own are painted one by one.
func paintPanels(panels []Panel, names [][]name, assigned map[string]int) {
	var together []Panel // their lines are those of panels
	var shared [][]name
	for i, shares := range Together(panels) {
		if shares {
			together, shared = append(together, panels[i]), append(shared, names[i])
		} else {
			paint(panels[i:i+1], names[i:i+1], assigned)
		}
	}
	paint(together, shared, assigned)
}

// paint gives each line the hue of its method, which the paper may have assigned, and a dash of its own among those of
// that hue. If there is one method only, or more lines of one than can be told apart by their dashes, it is runs that
// have hues.
func paint(panels []Panel, names [][]name, assigned map[string]int) {
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
	var methods []string // whose hue has been taken
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
		for k, n := range list {
			l := &panels[i].Lines[k]
			l.Hue = hues[key(n)]
			if l.Style != Bound {
				l.Dash = dashes[n]
			}
		}
	}
}

// manyMethods reports whether there are several methods, each with so few lines that dashes tell these apart.
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
