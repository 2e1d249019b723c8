package lang

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// maxRuns is the largest number of runs of one experiment. Real plans have at most a few hundred.
const maxRuns = 100_000

// Plan returns the runs of the experiment; runs with equal labels occur once. The problems come in the order of the
// spec. The runs of a problem are the Cartesian product of data set, model, solver, C (or λ), the solver's grids, seed
// and fold, in this order; the last varies fastest. If problems have names, the label "problem" tells their runs apart.
// If runs are repeated, the first repetition of all runs comes first, then the second of all runs, and so on.
//
// The caller may change exported fields of s after At, such as Seeds; Plan does not check these changes.
func (s *Spec) Plan() ([]Run, error) {
	var runs []Run
	for _, p := range s.Problems {
		if p.size(s.Repeat) > maxRuns {
			return nil, fmt.Errorf("%s: the plan has more than %d runs; make its grids smaller", s.File, maxRuns)
		}
		own := p.plan(s)
		for i := range own {
			if p.From == "" {
				continue
			}
			base, err := baseOf(runs, p.From, own[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.File, err)
			}
			own[i].Base = base
		}
		runs = append(runs, own...)
	}
	return s.Repeat.repeated(runs), nil
}

// repeated returns each run as often as it is repeated. Two runs that are compared belong to the same repetition.
// Every repetition starts from the same base, which is a first repetition.
func (r Repeat) repeated(runs []Run) []Run {
	if r.Times == 0 {
		return runs
	}
	out := make([]Run, 0, r.Times*len(runs))
	for repetition := range r.Times {
		for _, run := range runs {
			run.Repetition = repetition + 1
			run.Labels = maps.Clone(run.Labels)
			run.Labels["repetition"] = float64(run.Repetition)
			if run.Choose != nil && repetition > 0 {
				c := *run.Choose
				c.Group = fmt.Sprintf("%s repetition %d", c.Group, run.Repetition)
				run.Choose = &c
			}
			out = append(out, run)
		}
	}
	return out
}

// plan returns the runs of one problem of s, without their field Base.
func (p *Problem) plan(s *Spec) []Run {
	var runs []Run
	seen := make(map[string]bool)
	names := p.axisNames()
	for _, d := range p.Datasets {
		for _, m := range p.Models {
			for t := range p.targets() {
				for _, seed := range p.seedsOf(t.solver) {
					for _, fold := range s.Repeat.folds() {
						r := p.run(s, d, m, t, seed, fold, names)
						if key := fmt.Sprintf("%#v", r.Labels); !seen[key] {
							seen[key] = true
							runs = append(runs, r)
						}
					}
				}
			}
		}
	}
	for _, c := range p.Choose {
		runs = compete(runs, c)
	}
	if p.Name == "" {
		return runs
	}
	for i := range runs {
		runs[i].Labels["problem"] = p.Name
		if c := runs[i].Choose; c != nil {
			c.Group = p.Name + " " + c.Group
		}
	}
	return runs
}

// target is a solver with one value of C or λ.
type target struct {
	solver Solver
	value  float64
}

// targets yields every solver with every value of C or λ, in the order of Plan: first by the solvers of the spec, then
// by the values of C or λ, then by the grids of the solver.
func (p *Problem) targets() iter.Seq[target] {
	return func(yield func(target) bool) {
		for group := range groups(p.Solvers) {
			values := []float64{0}
			if group[0].Path == nil && p.Regularisation.Convention != "" {
				values = p.values(group[0])
			}
			for _, value := range values {
				for _, v := range group {
					if v.Path != nil {
						value = v.Path.Values()[0]
					}
					if !yield(target{v, value}) {
						return
					}
				}
			}
		}
	}
}

// groups splits the list into groups of successive solvers with the same As. A solver of the spec with grids is
// expanded to several solvers of the list, which form one group.
func groups(list []Solver) iter.Seq[[]Solver] {
	return func(yield func([]Solver) bool) {
		for len(list) > 0 {
			end := slices.IndexFunc(list, func(v Solver) bool { return v.As != list[0].As })
			if end < 0 {
				end = len(list)
			}
			if !yield(list[:end]) {
				return
			}
			list = list[end:]
		}
	}
}

// Reseed replaces all seeds of the problems and of their solvers by one seed.
func (s *Spec) Reseed(seed uint64) {
	s.Overrides = append(s.Overrides, fmt.Sprintf("seed=%d", seed))
	for i := range s.Problems {
		p := &s.Problems[i]
		p.Seeds = []uint64{seed}
		for j := range p.Solvers {
			p.Solvers[j].Seeds = nil
		}
	}
}

// size returns the number of runs before runs with equal labels are dropped, at most maxRuns+1.
func (p *Problem) size(repeat Repeat) int {
	targets := 0 // the sum, over all targets, of the number of seeds
	for t := range p.targets() {
		if targets += len(p.seedsOf(t.solver)); targets > maxRuns {
			break
		}
	}
	total := 1
	for _, n := range []int{len(p.Datasets), len(p.Models), targets, max(1, repeat.Folds), max(1, repeat.Times)} {
		if total *= n; total > maxRuns {
			return maxRuns + 1
		}
	}
	for _, c := range p.Choose {
		if total *= 1 + c.Folds; total > maxRuns {
			return maxRuns + 1
		}
	}
	return total
}

// run returns one run with its labels.
func (p *Problem) run(s *Spec, d Dataset, m Model, t target, seed uint64, fold int, names map[string]string) Run {
	r := Run{
		Experiment: s.ID, Scale: s.Scale, Dataset: d, Model: m, Convention: p.Regularisation.Convention, C: t.value,
		Solver: t.solver, Seed: seed, Fold: fold, Stop: p.Stop.with(t.solver.Stop), Budget: p.Budget, Record: p.Record,
		Keep: p.Keep,
		Labels: map[string]any{
			"as": t.solver.As, "solver": t.solver.Name, "dataset": d.Label(), "model": m.Name, "seed": float64(seed),
		},
	}
	if t.solver.Budget != nil {
		r.Budget = t.solver.Budget
	}
	if t.solver.Path != nil {
		r.Stop.Gap = 0 // Path.Until ends each value of C by a gap; the whole run ends after the last value
	}
	if m.Loss != "" {
		r.Labels["loss"] = m.Loss
	}
	if r.Convention != "" {
		r.Labels[r.Convention.key()] = t.value
	}
	if fold > 0 {
		r.Labels["fold"], r.Folds = float64(fold), s.Repeat.Folds
	}
	for _, axes := range [][]tree.Axis{d.axes, m.axes, t.solver.axes} {
		for _, a := range axes {
			if name := names[strings.Join(a.Path, ".")]; name != "" {
				r.Labels[name] = label(a.Value)
			}
		}
	}
	return r
}

// axisNames maps the path of each grid to the name of its label: the last element of the path, or the whole path if
// another label has that name. Grids over name, format and loss map to "", since every run has labels for these.
func (p *Problem) axisNames() map[string]string {
	taken := map[string]int{
		"as": 1, "solver": 1, "dataset": 1, "model": 1, "loss": 1, "C": 1, "lambda": 1, "seed": 1, "fold": 1,
		"repetition": 1,
		// labels that the harness adds
		"status": 1, "scale": 1, "problem": 1,
	}
	short := make(map[string]string)
	add := func(axes []tree.Axis) {
		for _, a := range axes {
			path := strings.Join(a.Path, ".")
			if _, ok := short[path]; ok {
				continue
			}
			switch path {
			case "dataset.name", "dataset.format", "model.name", "model.loss":
				short[path] = ""
				continue
			}
			short[path] = lastStep(a.Path)
			taken[short[path]]++
		}
	}
	for _, d := range p.Datasets {
		add(d.axes)
	}
	for _, m := range p.Models {
		add(m.axes)
	}
	for _, v := range p.Solvers {
		add(v.axes)
	}
	for path, name := range short {
		if name != "" && taken[name] > 1 {
			short[path] = path
		}
	}
	return short
}

// lastStep returns the last element of a path. If that element is an index, lastStep returns the element before it as
// well.
func lastStep(path []string) string {
	last := len(path) - 1
	if _, err := strconv.Atoi(path[last]); err == nil && last > 1 {
		return path[last-1] + "." + path[last]
	}
	return path[last]
}

// labelNames lists the names of a run's labels, sorted, without those in except.
func labelNames(r Run, except []string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.Labels)), func(name string) bool {
		return slices.Contains(except, name)
	})
}
