package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/internal/nearest"
)

// identity checks what names the experiment, and fills in its kind if that is not given.
func (b *builder) identity() {
	s := b.spec
	if s.Paper != nil && !b.bad["id"] && !strings.HasPrefix(s.ID, s.Paper.Key+"/") {
		b.fault("id", "%q is not below its paper; accepted: %s/ITEM", s.ID, s.Paper.Key)
	}
	if s.Kind != "" {
		return
	}
	switch {
	case s.Paper == nil:
		s.Kind = "own"
	case s.Paper.Table > 0, s.Table != nil && s.Figure == nil:
		s.Kind = "table"
	case s.Paper.Figure > 0, s.Figure != nil:
		s.Kind = "figure"
	default:
		s.Kind = "theorem"
	}
}

// regularisation checks the convention, and that every solver has values in it.
func (b *builder) regularisation() {
	if b.bad["regularisation"] || b.bad["model"] || b.bad["solvers"] {
		return
	}
	r := b.problem.Regularisation
	if r.Convention == "" {
		if noun, _ := b.catalogue.Model(b.oneModel()); len(noun.Losses) > 0 && !noun.Free {
			b.fault("regularisation", "missing; accepted: a map with convention (eg, svm-struct, lambda) and C or lambda")
		}
		for i := range b.items("solvers") {
			for _, key := range []string{"C", "lambda", "path", "anneal"} {
				if path := fmt.Sprintf("solvers.%d.%s", i, key); at(b.tree, strings.Split(path, ".")...) != nil {
					b.fault(path, "not without a convention; accepted: with regularisation given")
				}
			}
		}
		return
	}
	key, other := r.Convention.Key(), "lambda"
	if key == "lambda" {
		other = "C"
	}
	wrong := func(path string) {
		if at(b.tree, strings.Split(join(path, other), ".")...) != nil {
			b.fault(join(path, other), "not with convention %s; accepted: %s", r.Convention, key)
		}
	}
	wrong("regularisation")
	for i := range b.items("solvers") {
		path := join("solvers", strconv.Itoa(i))
		wrong(path)
		wrong(join(path, "path"))
	}
	for _, s := range b.problem.Solvers {
		if path := b.solverPath(s); s.Path != nil {
			b.path(path, key, s)
		} else if len(b.problem.values(s)) == 0 {
			b.fault("regularisation", "no value for solver %s; accepted: %s with a number > 0, a list, or {grid: [...]}", s.As,
				key)
		} else if s.Anneal != nil {
			b.anneal(path, s)
		}
	}
}

// path checks a solver with a path.
func (b *builder) path(path, key string, s Solver) {
	for _, beside := range []string{"anneal", "C", "lambda"} {
		if at(b.tree, strings.Split(join(path, beside), ".")...) != nil {
			b.fault(join(path, beside), "cannot be given together with path; accepted: one of the two")
		}
	}
	sequence := s.Path.C
	if key == "lambda" {
		sequence = s.Path.Lambda
	}
	if sequence == nil {
		b.fault(path+".path", "no values; accepted: %s: {from: NUMBER, factor: NUMBER, steps: NUMBER}", key)
		return
	}
	if sequence.Factor == 1 {
		b.fault(path+".path."+key+".factor", "1 gives one value only; accepted: a number > 0 other than 1")
	}
	if last := sequence.Values()[sequence.Steps-1]; !(last > 0 && last < 1e300) {
		b.fault(path+".path."+key, "its last value is %g; accepted: from, factor and steps whose values stay within range",
			last)
	}
	if s.Path.Until.Gap == 0 {
		b.fault(path+".path.until.gap", "missing; accepted: a number > 0, the relative gap that ends a stage")
	}
}

// anneal checks that C moves from stronger regularisation to weaker. In convention svm-struct a larger C regularises
// less; there either direction is accepted.
func (b *builder) anneal(path string, s Solver) {
	if b.problem.Regularisation.Convention == ConventionSVMStruct {
		return
	}
	for _, target := range b.problem.values(s) {
		if s.Anneal.From < target {
			b.fault(path+".anneal.from", "%g is less than the target %g; accepted: a number ≥ the target", s.Anneal.From, target)
		}
	}
}

// running checks the keys that say how long runs are, how often they are repeated and what they record.
func (b *builder) running() {
	p, repeat := &b.problem, &b.spec.Repeat
	if len(p.Seeds) > 0 && len(repeat.Seeds) > 0 {
		b.fault("repeat.seeds", "seeds are also given at the top level; accepted: one of the two")
	}
	p.Seeds = append(p.Seeds, repeat.Seeds...)
	repeat.Seeds = nil
	if len(p.Seeds) == 0 {
		p.Seeds = []uint64{1}
	}
	for _, v := range p.Solvers {
		path := b.solverPath(v)
		if p.Stop.over(v.Stop) == (Stop{}) && v.Path == nil && !b.bad["stop"] {
			b.fault("stop", "no rule ends the runs of %s; accepted: at least one of passes, epochs, gap, seconds", v.As)
		}
		if v.Stop != nil && *v.Stop == (Stop{}) {
			b.fault(path+".stop", "no rule; accepted: at least one of passes, epochs, gap, seconds")
		}
		b.budget(path+".budget", v.Budget)
	}
	b.budget("budget", p.Budget)
	every := &p.Record.Every
	switch {
	case every.Passes > 0 && every.Epochs > 0:
		b.fault("record.every", "both passes and epochs; accepted: one of the two (in an overlay, null removes the other)")
	case every.Passes == 0 && every.Epochs == 0:
		every.Passes = 1
	}
	b.metrics("record.metrics", p.Record.Metrics, "all")
	if slices.Contains(p.Record.Metrics, "all") {
		p.Record.Metrics = nil
	}
	b.metrics("record.examples", p.Record.Examples)
	if p.Keep != nil {
		b.metrics("keep.by", []string{p.Keep.By})
		if p.Keep.Best == "" {
			p.Keep.Best = "min"
		}
	}
}

// budget checks a budget, which may be nil.
func (b *builder) budget(path string, t *Budget) {
	if t == nil {
		return
	}
	if t.Passes == 0 && t.Seconds == 0 {
		b.fault(path, "no limit; accepted: at least one of passes, seconds")
	}
	t.Then = "censored"
}

// metrics refuses columns that no model of the experiment reports, as far as the catalogue knows them.
func (b *builder) metrics(path string, given []string, more ...string) {
	if b.bad["model"] || b.bad[section(path)] {
		return
	}
	known := append([]string{"primal", "dual", "gap"}, more...)
	for _, m := range b.problem.Models {
		noun, _ := b.catalogue.Model(m)
		if noun.Metrics == nil {
			return
		}
		known = append(known, noun.Metrics...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range given {
		if !slices.Contains(known, name) {
			b.fault(path, "unknown metric %q%s; accepted: %s", name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
		}
	}
}

// items ranges over the indices of a list of the tree.
func (b *builder) items(key string) []int {
	n := at(b.tree, key)
	if n == nil || b.bad[key] {
		return nil
	}
	out := make([]int, len(n.Content))
	for i := range out {
		out[i] = i
	}
	return out
}

// solverPath is the path of a solver's item.
func (b *builder) solverPath(s Solver) string {
	for i, n := range at(b.tree, "solvers").Content {
		if itemName(n) == s.As {
			return fmt.Sprint("solvers.", i)
		}
	}
	return "solvers"
}

// oneModel is the first model of the experiment; the zero Model if it has none.
func (b *builder) oneModel() Model {
	if len(b.problem.Models) == 0 {
		return Model{}
	}
	return b.problem.Models[0]
}
