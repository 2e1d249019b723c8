package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/harness/lang/tree"
	"github.com/gaplab/gaplab/internal/nearest"
)

// checkChoices checks that the rules under the key "choose" fit the planned runs. Such a rule compares runs and
// continues only the best.
func (b *builder) checkChoices() {
	if len(b.problem.Choose) == 0 {
		return
	}
	runs := b.problem.plan(b.spec)
	names := b.problem.axisNames()
	first := make(map[string]int)
	for i, c := range b.problem.Choose {
		path := tree.Join("choose", strconv.Itoa(i))
		if !b.checkVariant(path+".solver", c.Solver) {
			continue
		}
		if line, ok := first[c.Solver]; ok {
			b.fault(path+".solver", "second choice among the runs of %s, first on line %d; make one choice per variant",
				c.Solver, line)
		}
		first[c.Solver] = c.Line
		own := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Solver.As != c.Solver })
		if len(own) == 0 {
			continue
		}
		b.checkOver(path, c, own[0], names)
		b.checkPoint(path+".at", c.At, own[0])
		b.checkMetrics(path+".by", []string{c.By})
		if c.Ties != "" {
			b.checkMetrics(path+".ties", []string{c.Ties})
		}
	}
}

// checkOver checks the keys "over" and "per" of a rule c. Over must be a grid of the solver, and Per must list other
// labels of the solver's runs.
func (b *builder) checkOver(path string, c Choose, r Run, names map[string]string) {
	var grids []string
	for _, a := range r.Solver.axes {
		grids = append(grids, names[strings.Join(a.Path, ".")])
	}
	if !slices.Contains(grids, c.Over) {
		list := strings.Join(grids, ", ")
		if list == "" {
			list = "a setting of " + c.Solver + " with a grid"
		}
		b.fault(path+".over", "%q is not a grid of %s%s; accepted: %s", c.Over, c.Solver, nearest.DidYouMean(c.Over, grids),
			list)
	}
	known := labelNames(r, c.Over)
	for i, name := range c.Per {
		if !slices.Contains(known, name) {
			b.fault(fmt.Sprintf("%s.per.%d", path, i), "%q is not a label for the key \"per\"%s", name,
				nearest.Accepted(name, known))
		}
	}
}

// checkPoint checks that the point at, where runs are compared, comes before the runs stop.
func (b *builder) checkPoint(path string, at At, r Run) {
	switch {
	case (at.Passes > 0) == (at.Epochs > 0):
		b.fault(path, `needs exactly one of "passes" and "epochs"; accepted: {passes: NUMBER} or {epochs: NUMBER}`)
	case at.Passes > 0 && r.Stop.Passes > 0 && at.Passes >= r.Stop.Passes:
		b.fault(path+".passes", "%g is not before the stop; accepted: a number < %g", at.Passes, r.Stop.Passes)
	case at.Epochs > 0 && r.Stop.Epochs > 0 && at.Epochs >= r.Stop.Epochs:
		b.fault(path+".epochs", "%d is not before the stop; accepted: a number < %d", at.Epochs, r.Stop.Epochs)
	}
}
