package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/internal/nearest"
)

// figure gathers the panels and checks them.
func (b *builder) figure() {
	f := b.spec.Figure
	if f == nil {
		return
	}
	prefix := func(int) string { return "figure" }
	if len(f.Panels) == 0 {
		f.Panels = []Panel{f.Panel}
	} else {
		prefix = func(i int) string { return fmt.Sprint("figure.panels.", i) }
		for i := range f.Panels {
			f.Panels[i] = f.Panels[i].inherit(f.Panel)
		}
	}
	for i, panel := range f.Panels {
		b.panel(prefix(i), panel)
	}
}

func (b *builder) panel(path string, p Panel) {
	if p.X == "" {
		b.fault(path+".x", "missing; accepted: a column, a label, or final.COLUMN")
	}
	bare := len(p.Series) == 0
	for i, s := range p.Series {
		bare = bare || len(s.Y) == 0
		if s.Of != "" {
			b.variant(fmt.Sprintf("%s.series.%d.of", path, i), s.Of)
		}
	}
	if len(p.Y) == 0 && bare {
		b.fault(path+".y", "missing; accepted: a column, a list of them, or final.COLUMN")
	}
	for key, ends := range map[string]*[2]float64{"xrange": p.XRange, "yrange": p.YRange} {
		if ends != nil && !(ends[0] < ends[1]) {
			b.fault(join(path, key), "[%g, %g] is empty; accepted: two numbers, the smaller first", ends[0], ends[1])
		}
	}
}

// variant refuses a name that no solver of the experiment has. It reports whether there is one.
func (b *builder) variant(path, name string) bool {
	if b.bad["solvers"] {
		return true
	}
	known := slices.Clone(b.variants)
	for _, s := range b.problem.Solvers {
		known = append(known, s.As)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if slices.Contains(known, name) {
		return true
	}
	b.fault(path, "no solver %q%s; accepted: %s", name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
	return false
}

// claims checks what a claim needs to be decided.
func (b *builder) claims() {
	first := make(map[string]int)
	for i, c := range b.spec.Claims {
		path := join("claims", strconv.Itoa(i))
		if line, ok := first[c.ID]; ok {
			b.fault(path+".id", "second claim %s, first on line %d; accepted: each id once", c.ID, line)
		}
		first[c.ID] = c.Line
		if c.Assert == "" && c.Tested == "" {
			b.fault(path, "nothing checks the claim; accepted: assert with an expression, or tested with the name of a Go test")
		}
		if len(c.Scales) > 0 && c.Because == "" {
			b.fault(path+".because", "missing; accepted: the reason why the other scales cannot decide the claim")
		}
		if c.Kind == "M" && c.Tested == "" {
			b.fault(path+".tested", "missing; accepted: the name of the Go test that checks the claim, which kind M needs")
		}
	}
}

// expressions has the caller's check look at every expression.
func (b *builder) expressions() {
	if b.catalogue.CheckExpr == nil {
		return
	}
	for _, pattern := range []string{
		"figure.where", "figure.series.*.where", "figure.panels.*.where", "figure.panels.*.series.*.where",
		"figure.bound", "figure.panels.*.bound", "table.where", "claims.*.assert", "claims.*.measure",
	} {
		steps := strings.Split(pattern, ".")
		if b.bad[steps[0]] {
			continue
		}
		kind := steps[len(steps)-1]
		b.each(nil, steps, func(path, text string) {
			if text == "" {
				return
			}
			if err := b.checkExpression(kind, text); err != nil {
				b.fault(path, "%s", strings.TrimSpace(err.Error()))
			}
		})
	}
}

// each calls visit with the texts at a pattern, in which * stands for every item of a list.
func (b *builder) each(done, steps []string, visit func(path, text string)) {
	n := at(b.tree, done...)
	switch {
	case n == nil:
	case len(steps) == 0:
		visit(strings.Join(done, "."), n.Value)
	case steps[0] == "*":
		for i := range n.Content {
			b.each(append(done[:len(done):len(done)], strconv.Itoa(i)), steps[1:], visit)
		}
	default:
		b.each(append(done[:len(done):len(done)], steps[0]), steps[1:], visit)
	}
}
