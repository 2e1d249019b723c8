package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// checkIdentity checks the id of the experiment, and fills in the key "kind" if it is not given.
func (b *builder) checkIdentity() {
	s := b.spec
	if s.Paper != nil && !b.bad["id"] && !strings.HasPrefix(s.ID, s.Paper.Key+"/") {
		b.fault("id", "%q does not begin with the key of its paper; accepted: %s/ITEM", s.ID, s.Paper.Key)
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

// checkRegularisation checks the convention, and that every solver has values of C or λ in this convention.
func (b *builder) checkRegularisation() {
	if b.bad["regularisation"] || b.bad["model"] || b.bad["solvers"] {
		return
	}
	var solvers []*yaml.Node
	if list := tree.At(b.root, "solvers"); list != nil {
		solvers = list.Content
	}
	r := b.problem.Regularisation
	if r.Convention == "" {
		if e, _ := b.catalogue.Model(b.oneModel()); len(e.Losses) > 0 && !e.Free {
			b.fault("regularisation", "missing; accepted: a map with convention (eg, svm-struct, lambda) and C or lambda")
		}
		for i := range solvers {
			for _, key := range []string{"C", "lambda", "path", "anneal"} {
				if path := fmt.Sprintf("solvers.%d.%s", i, key); b.has(path) {
					b.fault(path, `needs a convention; add the key "regularisation"`)
				}
			}
		}
		return
	}
	key, other := r.Convention.key(), "lambda"
	if key == "lambda" {
		other = "C"
	}
	wrong := func(path string) {
		if b.has(tree.Join(path, other)) {
			b.fault(tree.Join(path, other), "cannot be used with convention %s; accepted: the key %q", r.Convention, key)
		}
	}
	wrong("regularisation")
	for i := range solvers {
		path := tree.Join("solvers", strconv.Itoa(i))
		wrong(path)
		wrong(tree.Join(path, "path"))
	}
	for _, s := range b.problem.Solvers {
		if path := b.solverPath(s); s.Path != nil {
			b.checkPath(path, key, s)
		} else if len(b.problem.values(s)) == 0 {
			b.fault("regularisation", "no value for solver %s; accepted: %s with a number > 0, a list, or {grid: [...]}", s.As,
				key)
		} else if s.Anneal != nil {
			b.checkAnneal(path, s)
		}
	}
}

// checkPath checks the key "path" of a solver. path is the path of the solver in the tree, and key is C or lambda.
func (b *builder) checkPath(path, key string, s Solver) {
	for _, beside := range []string{"anneal", "C", "lambda"} {
		if b.has(tree.Join(path, beside)) {
			b.fault(tree.Join(path, beside), `cannot be given together with "path"; remove one of the two`)
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
		b.fault(path+".path."+key+".factor", "a factor of 1 repeats one value; accepted: a number > 0 other than 1")
	}
	if last := sequence.values()[sequence.Steps-1]; !(last > 0 && last < 1e300) {
		b.fault(path+".path."+key, "the last value is %g; accepted: a path with all values > 0 and < 1e300", last)
	}
	if s.Path.Until.Gap == 0 {
		b.fault(path+".path.until.gap", "missing; accepted: a number > 0, the relative gap that ends a stage")
	}
}

// checkAnneal checks that the key "anneal" moves C (or λ) from stronger to weaker regularisation. In convention
// svm-struct, where a larger C means weaker regularisation, both directions are accepted.
func (b *builder) checkAnneal(path string, s Solver) {
	if b.problem.Regularisation.Convention == ConventionSVMStruct {
		return
	}
	for _, target := range b.problem.values(s) {
		if s.Anneal.From < target {
			b.fault(path+".anneal.from", "%g is less than the target %g; accepted: a number ≥ the target", s.Anneal.From, target)
		}
	}
}

// checkRunning checks the keys that determine how long runs are, how often they are repeated, and when they record
// rows.
func (b *builder) checkRunning() {
	p, repeat := &b.problem, &b.spec.Repeat
	if len(p.Seeds) > 0 && len(repeat.Seeds) > 0 {
		b.fault("repeat.seeds", "seeds are also given at the top level; remove one of the two")
	}
	p.Seeds = append(p.Seeds, repeat.Seeds...)
	repeat.Seeds = nil
	if len(p.Seeds) == 0 {
		p.Seeds = []uint64{1}
	}
	for _, v := range p.Solvers {
		path := b.solverPath(v)
		if p.Stop.with(v.Stop) == (Stop{}) && v.Path == nil && !b.bad["stop"] {
			b.fault("stop", "no rule ends the runs of %s; accepted: at least one of passes, epochs, gap, seconds", v.As)
		}
		if v.Stop != nil && *v.Stop == (Stop{}) {
			b.fault(path+".stop", "the key stop sets no rule; accepted: at least one of passes, epochs, gap, seconds")
		}
		b.checkBudget(path+".budget", v.Budget)
	}
	b.checkBudget("budget", p.Budget)
	every := &p.Record.Every
	switch {
	case every.Passes > 0 && every.Epochs > 0:
		b.fault("record.every",
			`"passes" and "epochs" are both given; remove one of them (in an overlay, set it to null)`)
	case *every == (Cadence{}):
		*every = b.spec.cadence(p.Keep)
	case every.Passes == 0 && every.Epochs == 0:
		every.Passes = 1
	}
	b.checkMetrics("record.metrics", p.Record.Metrics, "all")
	if slices.Contains(p.Record.Metrics, "all") {
		p.Record.Metrics = nil
	}
	b.checkMetrics("record.examples", p.Record.Examples)
	if p.Keep != nil {
		b.checkMetrics("keep.by", []string{p.Keep.By})
		if p.Keep.Best == "" {
			p.Keep.Best = b.direction(p.Keep.By)
		}
	}
}

// checkBudget checks the budget t and fills in its default; t may be nil, which means no budget.
func (b *builder) checkBudget(path string, t *Budget) {
	if t == nil {
		return
	}
	if t.Passes == 0 && t.Seconds == 0 {
		b.fault(path, "the budget sets no limit; accepted: at least one of passes, seconds")
	}
	t.Then = "censored"
}
