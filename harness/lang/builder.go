package lang

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
	"github.com/gaplab/gaplab/internal/nearest"
)

// builder makes a Spec and a Problem from the tree of one problem at one scale, section by section. If a section has
// faults, the other sections are still checked.
type builder struct {
	*Parser
	*tree.Faults
	root    *yaml.Node
	bad     map[string]bool // the sections (top-level keys) with faults
	spec    *Spec
	problem Problem

	variants []string // names of the solvers of the experiment's other problems
}

// fault adds a fault at a dotted path of the tree, such as solvers.0.eta.
func (b *builder) fault(path, format string, args ...any) {
	b.Add(tree.LineOf(b.root, strings.Split(path, ".")...), path, format, args...)
}

// has reports whether the tree has a node at a dotted path.
func (b *builder) has(path string) bool { return tree.At(b.root, strings.Split(path, ".")...) != nil }

// solverPath returns the path of a solver in the tree, such as solvers.0.
func (b *builder) solverPath(s Solver) string {
	for i, n := range tree.At(b.root, "solvers").Content {
		if itemName(n) == s.As {
			return fmt.Sprint("solvers.", i)
		}
	}
	return "solvers"
}

// oneModel returns the first model of the experiment; the zero Model if it has none.
func (b *builder) oneModel() Model {
	if len(b.problem.Models) == 0 {
		return Model{}
	}
	return b.problem.Models[0]
}

// checkVariant reports whether the experiment has a solver with the given name. If it has none, checkVariant adds a
// fault at path.
func (b *builder) checkVariant(path, name string) bool {
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
	b.fault(path, "no solver %q%s", name, nearest.Accepted(name, known))
	return false
}

// checkMetrics reports each name in given that is neither a column of a model of the experiment nor one of the words in
// more. It checks nothing if the catalogue does not list the columns of some model.
func (b *builder) checkMetrics(path string, given []string, more ...string) {
	if b.bad["model"] || b.bad[tree.Section(path)] {
		return
	}
	known := append([]string{"primal", "dual", "gap"}, more...)
	for _, m := range b.problem.Models {
		e, _ := b.catalogue.Model(m)
		if e.Metrics == nil {
			return
		}
		known = append(known, e.Metrics...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range given {
		if !slices.Contains(known, name) {
			b.fault(path, "unknown metric %q%s", name, nearest.Accepted(name, known))
		}
	}
}
