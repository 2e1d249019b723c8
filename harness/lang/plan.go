package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Plan multiplies the experiment out into single runs, those with equal labels once. The order is fixed: data set,
// model, solver, C (or λ) as listed, the solver's grids, seed, fold; the first grid of an item is slowest.
//
// Changes to the exported fields of s since At, such as other Seeds, are taken as they are and not checked.
func (s *Spec) Plan() ([]Run, error) {
	if len(s.Parts) > 0 {
		return s.planParts()
	}
	if n := s.size(); n > maxRuns {
		return nil, fmt.Errorf("%s: more than %d runs; accepted: smaller grids", s.File, maxRuns)
	}
	var runs []Run
	seen := make(map[string]bool)
	names := s.axisNames()
	for _, d := range s.Datasets {
		for _, m := range s.Models {
			for _, t := range s.targets() {
				for _, seed := range s.seedsOf(t.solver) {
					for _, fold := range s.folds() {
						r := s.run(d, m, t, seed, fold, names)
						if key := fmt.Sprintf("%#v", r.Labels); !seen[key] {
							seen[key] = true
							runs = append(runs, r)
						}
					}
				}
			}
		}
	}
	for _, c := range s.Choose {
		compete(runs, c)
	}
	return runs, nil
}

// target is a solver with one value of C or λ.
type target struct {
	solver Solver
	value  float64
}

// targets lists the solvers with their values: variant by variant, value by value, then the variant's grids.
func (s *Spec) targets() []target {
	var out []target
	for group := range groups(s.Solvers) {
		if group[0].Path != nil || s.Regularisation.Convention == "" {
			for _, v := range group {
				t := target{solver: v}
				if v.Path != nil {
					t.value = v.Path.Values()[0]
				}
				out = append(out, t)
			}
			continue
		}
		for _, value := range s.values(group[0]) {
			for _, v := range group {
				out = append(out, target{v, value})
			}
		}
	}
	return out
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

// Reseed runs everything with one seed, whatever seeds the spec and its solvers name.
func (s *Spec) Reseed(seed uint64) {
	for _, part := range s.Parts {
		part.Reseed(seed)
	}
	s.Seeds = []uint64{seed}
	for i := range s.Solvers {
		s.Solvers[i].Seeds = nil
	}
}

// seedsOf lists the solver's own seeds, or those of the experiment.
func (s *Spec) seedsOf(v Solver) []uint64 {
	if len(v.Seeds) > 0 {
		return v.Seeds
	}
	return s.Seeds
}

func (s *Spec) folds() []int {
	if s.Repeat.Folds == 0 {
		return []int{0}
	}
	out := make([]int, s.Repeat.Folds)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// size is the number of runs before equal ones are dropped; maxRuns+1 if it is larger.
func (s *Spec) size() int {
	targets := 0 // with their seeds
	for _, t := range s.targets() {
		targets += len(s.seedsOf(t.solver))
	}
	total := 1
	for _, n := range []int{len(s.Datasets), len(s.Models), targets, max(1, s.Repeat.Folds)} {
		if total *= n; total > maxRuns {
			return maxRuns + 1
		}
	}
	return total
}

func (s *Spec) run(d Dataset, m Model, t target, seed uint64, fold int, names map[string]string) Run {
	r := Run{
		Experiment: s.ID, Scale: s.Scale, Dataset: d, Model: m, Convention: s.Regularisation.Convention, C: t.value,
		Solver: t.solver, Seed: seed, Fold: fold, Stop: s.Stop.over(t.solver.Stop), Budget: s.Budget, Record: s.Record,
		Keep: s.Keep,
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

// axisNames gives each grid its label: the last element of its path, or the whole path where two grids end alike or a
// label that every run has is called so. Grids over name, format and loss have their labels already.
func (s *Spec) axisNames() map[string]string {
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
	for _, d := range s.Datasets {
		add(d.axes)
	}
	for _, m := range s.Models {
		add(m.axes)
	}
	for _, v := range s.Solvers {
		add(v.axes)
	}
	for path, name := range short {
		if name != "" && taken[name] > 1 {
			short[path] = path
		}
	}
	return short
}

// lastStep is the last element of a path; an index takes the element before it along.
func lastStep(path []string) string {
	last := len(path) - 1
	if _, err := strconv.Atoi(path[last]); err == nil && last > 1 {
		return path[last-1] + "." + path[last]
	}
	return path[last]
}
