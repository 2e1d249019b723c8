package lang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// checkFigure fills in the defaults of the figure's panels and checks the panels.
func (b *builder) checkFigure() {
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
		b.checkPanel(prefix(i), panel)
	}
}

// checkPanel checks one panel.
func (b *builder) checkPanel(path string, p Panel) {
	if p.X == "" {
		b.fault(path+".x", "missing; accepted: a column, a label, or final.COLUMN")
	}
	bare := len(p.Series) == 0
	for i, s := range p.Series {
		bare = bare || len(s.Y) == 0
		if s.Of != "" {
			b.checkVariant(fmt.Sprintf("%s.series.%d.of", path, i), s.Of)
		}
	}
	if len(p.Y) == 0 && bare {
		b.fault(path+".y", "missing; accepted: a column, a list of them, or final.COLUMN")
	}
	for key, ends := range map[string]*[2]float64{"xrange": p.XRange, "yrange": p.YRange} {
		if ends != nil && !(ends[0] < ends[1]) {
			b.fault(tree.Join(path, key), "[%g, %g] is an empty range; accepted: two numbers, the smaller first", ends[0],
				ends[1])
		}
	}
}

// checkClaims checks that each claim has what a verdict needs.
func (b *builder) checkClaims() {
	first := make(map[string]int)
	for i, c := range b.spec.Claims {
		path := tree.Join("claims", strconv.Itoa(i))
		if line, ok := first[c.ID]; ok {
			b.fault(path+".id", "two claims have the id %s, the first on line %d; give one of them another id", c.ID, line)
		}
		first[c.ID] = c.Line
		if c.Assert == "" && c.Tested == "" {
			b.fault(path, `nothing checks the claim; accepted: "assert" with an expression, or "tested" with a Go test's name`)
		}
		if len(c.Scales) > 0 && c.Because == "" {
			b.fault(path+".because", "missing; give the reason why the other scales cannot decide the claim")
		}
		if c.Kind == "M" && c.Tested == "" {
			b.fault(path+".tested",
				"missing, because the claim has kind: M; accepted: the name of the Go test that checks the claim")
		}
	}
}

// checkExpressions calls the catalogue's CheckExpr with every expression of the spec.
func (b *builder) checkExpressions() {
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

// each calls visit with every text of the tree whose path matches a pattern; * in the pattern matches every item of a
// list. done is the resolved beginning of the path, and steps is the rest of the pattern.
func (b *builder) each(done, steps []string, visit func(path, text string)) {
	n := tree.At(b.root, done...)
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
