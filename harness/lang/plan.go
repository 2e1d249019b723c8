package lang

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Plan multiplies the experiment out into single runs, those with equal labels once: problem by problem, and within one
// in a fixed order: data set, model, solver, C (or λ) as listed, the solver's grids, seed, fold; the first grid of an
// item is slowest. Where problems have names, the label problem tells their runs apart.
//
// Changes to the exported fields of s since At, such as other Seeds, are taken as they are and not checked.
func (s *Spec) Plan() ([]Run, error) {
	var runs []Run
	for _, p := range s.Problems {
		if p.size(s.Repeat) > maxRuns {
			return nil, fmt.Errorf("%s: more than %d runs; accepted: smaller grids", s.File, maxRuns)
		}
		own := p.plan(s)
		for i := range own {
			if p.From == "" {
				continue
			}
			base, err := beginning(runs, p.From, own[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.File, err)
			}
			own[i].Base = base
		}
		runs = append(runs, own...)
	}
	return runs, nil
}

// plan lists the runs of one problem of s. The runs that they begin with are not looked up yet.
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
		compete(runs, c)
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

// targets lists the solvers with their values: variant by variant, value by value, then the variant's grids.
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

// groups yields the stretches of solvers that share a variant.
func groups(list []Solver) func(yield func([]Solver) bool) {
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

// Reseed runs everything with one seed, whatever seeds the problems and their solvers name.
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

// folds numbers the folds from 1; 0 alone, the whole data set, if there are none.
func (r Repeat) folds() []int {
	if r.Folds == 0 {
		return []int{0}
	}
	out := make([]int, r.Folds)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// size is the number of runs before equal ones are dropped; maxRuns+1 if it is larger.
func (p *Problem) size(repeat Repeat) int {
	targets := 0 // with their seeds
	for t := range p.targets() {
		if targets += len(p.seedsOf(t.solver)); targets > maxRuns {
			break
		}
	}
	total := 1
	for _, n := range []int{len(p.Datasets), len(p.Models), targets, max(1, repeat.Folds)} {
		if total *= n; total > maxRuns {
			return maxRuns + 1
		}
	}
	return total
}

func (p *Problem) run(s *Spec, d Dataset, m Model, t target, seed uint64, fold int, names map[string]string) Run {
	r := Run{
		Experiment: s.ID, Scale: s.Scale, Dataset: d, Model: m, Convention: p.Regularisation.Convention, C: t.value,
		Solver: t.solver, Seed: seed, Fold: fold, Stop: p.Stop.over(t.solver.Stop), Budget: p.Budget, Record: p.Record,
		Keep: p.Keep,
		Labels: map[string]any{
			"as": t.solver.As, "solver": t.solver.Name, "dataset": d.Label(), "model": m.Name, "seed": float64(seed),
		},
	}
	if t.solver.Budget != nil {
		r.Budget = t.solver.Budget
	}
	if t.solver.Path != nil {
		r.Stop.Gap = 0 // Path.Until holds the gap of a stage
	}
	if m.Loss != "" {
		r.Labels["loss"] = m.Loss
	}
	if r.Convention != "" {
		r.Labels[r.Convention.Key()] = t.value
	}
	if fold > 0 {
		r.Labels["fold"] = float64(fold)
	}
	for _, axes := range [][]axis{d.axes, m.axes, t.solver.axes} {
		for _, a := range axes {
			if name := names[strings.Join(a.path, ".")]; name != "" {
				r.Labels[name] = label(a.value)
			}
		}
	}
	return r
}

// axisNames gives each grid its label: the last element of its path, or the whole path if two grids end alike or every
// run has a label of that name already. Grids over name, format and loss have their labels already.
func (p *Problem) axisNames() map[string]string {
	taken := map[string]int{
		"as": 1, "solver": 1, "dataset": 1, "model": 1, "loss": 1, "C": 1, "lambda": 1, "seed": 1, "fold": 1,
		// columns that the harness derives from the run's end
		"status": 1, "scale": 1, "problem": 1,
	}
	short := make(map[string]string)
	add := func(axes []axis) {
		for _, a := range axes {
			path := strings.Join(a.path, ".")
			if _, ok := short[path]; ok {
				continue
			}
			switch path {
			case "dataset.name", "dataset.format", "model.name", "model.loss":
				short[path] = ""
				continue
			}
			short[path] = lastStep(a.path)
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

// lastStep is the last element of a path; for an index, with the element before it.
func lastStep(path []string) string {
	last := len(path) - 1
	if _, err := strconv.Atoi(path[last]); err == nil && last > 1 {
		return path[last-1] + "." + path[last]
	}
	return path[last]
}
