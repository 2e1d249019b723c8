package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
	"github.com/gaplab/gaplab/internal/nearest"
)

// checkChoices checks the rules under the key "choose", which compare runs, against the planned runs. It fills in their
// defaults, and makes the runs record the columns that the rules read.
func (b *builder) checkChoices() {
	if len(b.problem.Choose) == 0 {
		return
	}
	if b.problem.size(b.spec.Repeat) > maxRuns {
		b.fault("choose", "the plan has more than %d runs; make its grids smaller", maxRuns)
		return
	}
	rules := b.problem.Choose
	b.problem.Choose = nil // to plan the runs without the runs that the rules add
	runs := b.problem.plan(b.spec)
	names := b.problem.axisNames()
	first := make(map[string]int)
	for i := range rules {
		c, path := &rules[i], tree.Join("choose", strconv.Itoa(i))
		if n := tree.At(b.root, "choose"); n != nil && n.Kind == yaml.MappingNode {
			path = "choose"
		}
		if c.Solver != "" && !b.checkVariant(path+".solver", c.Solver) {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return c.Solver != "" && r.Solver.As != c.Solver })
		b.checkOnce(path, c, own, first)
		if len(own) == 0 {
			continue
		}
		b.checkOver(path, c, own, names)
		if c.Early() || b.has(path+".at") {
			b.checkPoint(path+".at", c.At, own[0])
		}
		b.checkFolds(path, c)
		b.checkMetrics(path+".by", []string{c.By})
		if c.Ties != "" {
			b.checkMetrics(path+".ties", []string{c.Ties})
		}
		if c.Best == "" {
			c.Best = b.direction(c.By)
		}
		if !c.Early() {
			b.problem.record(c.By, c.Ties)
		}
	}
	b.problem.Choose = rules
}

// checkOnce checks that no earlier rule compares a run in own, the runs that the rule c compares. first maps the names
// of solvers to the lines of the rules that compare their runs.
func (b *builder) checkOnce(path string, c *Choose, own []Run, first map[string]int) {
	for _, name := range variantsOf(own) {
		if line, ok := first[name]; ok {
			b.fault(path+".solver", "two rules compare the runs of %s, the first on line %d; write one rule per solver", name,
				line)
			return
		}
		first[name] = c.Line
	}
}

// variantsOf lists the solvers of runs, by the names of their curves, each once.
func variantsOf(runs []Run) (names []string) {
	for _, r := range runs {
		if !slices.Contains(names, r.Solver.As) {
			names = append(names, r.Solver.As)
		}
	}
	return names
}

// checkOver checks the keys "over" and "per" of a rule c, which compares the runs in own. names maps the path of a grid
// to the name of its label. Over must list settings that may have several values: C or λ, and keys with a grid. Per
// must list other labels of the runs.
func (b *builder) checkOver(path string, c *Choose, own []Run, names map[string]string) {
	r := own[0]
	var accepted []string
	for _, axes := range [][]tree.Axis{r.Solver.axes, r.Model.axes, r.Dataset.axes} {
		for _, a := range axes {
			name := names[strings.Join(a.Path, ".")]
			if name == "" { // a grid over the name of a data set or a model, or over the loss
				if name = a.Path[0]; a.Path[1] == "loss" {
					name = "loss"
				}
			}
			accepted = append(accepted, name)
		}
	}
	if r.Convention != "" {
		accepted = append(accepted, r.Convention.key())
	}
	if len(variantsOf(own)) > 1 {
		accepted = append(accepted, "as")
	}
	for _, name := range c.Over {
		if !slices.Contains(accepted, name) {
			list := strings.Join(accepted, ", ")
			if list == "" {
				list = "a setting with a grid"
			}
			b.fault(path+".over", "%q is not a setting with several values%s; accepted: %s", name,
				nearest.DidYouMean(name, accepted), list)
		}
	}
	known := labelNames(r, c.implied())
	for i, name := range c.Per {
		if !slices.Contains(known, name) {
			b.fault(fmt.Sprintf("%s.per.%d", path, i), "%q is not a label for the key \"per\"%s", name,
				nearest.Accepted(name, known))
		}
	}
}

// checkFolds checks the keys "folds" and "one_se" of a rule c.
func (b *builder) checkFolds(path string, c *Choose) {
	repeated := b.spec.Repeat.Folds > 0 && !c.Early()
	switch {
	case c.Folds > 0 && c.Early():
		b.fault(path+".folds", "folds cannot be given together with at; remove one of the two")
	case c.Folds > 0 && repeated:
		b.fault(path+".folds", "folds are also given in repeat; remove one of the two")
	case repeated:
		b.fault("repeat.folds", "each run is made once per fold, and none is trained on all data; move folds into choose")
	}
	if c.OneSE && c.Folds == 0 {
		b.fault(path+".one_se", "one_se needs folds, from which the standard error is computed; add folds to choose")
	}
	if c.OneSE && !c.OfRegularisation() {
		b.fault(path+".one_se", "one_se chooses the strongest regularisation; accepted: only lambda or C in the key over")
	}
}

// direction returns "max" if larger values of a column are better, otherwise "min".
func (b *builder) direction(column string) string {
	for _, m := range b.problem.Models {
		if e, _ := b.catalogue.Model(m); slices.Contains(e.Larger, column) {
			return "max"
		}
	}
	if column == "dual" {
		return "max"
	}
	return "min"
}

// record makes the runs record columns. Empty names are ignored.
func (p *Problem) record(columns ...string) {
	for _, name := range columns {
		if p.Record.Metrics != nil && name != "" && !slices.Contains(p.Record.Metrics, name) {
			p.Record.Metrics = append(p.Record.Metrics, name)
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
