package lang

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Limits on what grids may multiply out to. Real plans stay below a few hundred runs.
const (
	maxVariants = 10_000  // of one data set, model or solver
	maxRuns     = 100_000 // of one experiment
)

// builder turns the tree of one problem at one scale into a Spec and a Problem, section by section: a fault in one
// section does not keep the others from being checked.
type builder struct {
	*grammar
	*faults
	tree    *yaml.Node
	bad     map[string]bool // sections with faults
	spec    *Spec
	problem Problem

	variants []string // of the experiment's other problems
}

// buildOne builds an experiment on one problem. Other problems' variants may be named in its figure and claims.
func (g *grammar) buildOne(p *faults, tree *yaml.Node, variants []string) (*Spec, Problem) {
	g.validate(p, tree)
	b := &builder{
		grammar: g, faults: p, tree: tree, bad: sections(p.list), spec: &Spec{}, variants: variants,
	}
	if b.bad[""] {
		return b.spec, b.problem
	}
	clean := *tree
	drop(&clean, slices.Collect(maps.Keys(b.bad))...)
	before := len(p.list)
	for _, to := range []any{b.spec, &b.problem} {
		if err := clean.Decode(to); err != nil {
			addDecode(p, tree, "", err)
		}
	}
	if len(p.list) > before {
		return b.spec, b.problem
	}
	b.identity()
	b.datasets()
	b.models()
	b.solvers()
	b.regularisation()
	b.running()
	b.figure()
	b.claims()
	b.expressions()
	if len(p.list) == 0 {
		b.choose()
	}
	return b.spec, b.problem
}

// fault reports a fault at a dotted path of the tree.
func (b *builder) fault(path, format string, args ...any) {
	b.add(lineOf(b.tree, strings.Split(path, ".")...), path, format, args...)
}

// datasets multiplies out the grids of the data set.
func (b *builder) datasets() {
	for _, c := range b.alternatives("dataset") {
		d := Dataset{axes: c.axes, Line: c.node.Line}
		if v := at(c.node, "name"); v != nil {
			d.Name = v.Value
		}
		if v := at(c.node, "format"); v != nil {
			d.Format = v.Value
		}
		if (d.Name == "") == (d.Format == "") {
			b.fault("dataset", "give either name or format; accepted: name %s; format %s",
				strings.Join(names(b.catalogue.Datasets, false), ", "), strings.Join(names(b.catalogue.Datasets, true), ", "))
			return
		}
		key := []string{"name"}
		if d.Format != "" {
			key[0] = "format"
		}
		if isGrid(at(b.tree, "dataset", key[0])) && !b.validItem(b.faults, b.tree, datasetKind, c.node, "dataset") {
			return
		}
		noun, _ := b.catalogue.Dataset(d)
		if b.params(noun, c.node, "dataset", &d.Params, &d.differing, "name", "format") {
			b.problem.Datasets = append(b.problem.Datasets, d)
		}
	}
}

// models multiplies out the grids of the model.
func (b *builder) models() {
	for _, c := range b.alternatives("model") {
		if isGrid(at(b.tree, "model", "name")) && !b.validItem(b.faults, b.tree, modelKind, c.node, "model") {
			return
		}
		m := Model{Name: at(c.node, "name").Value, axes: c.axes, Line: c.node.Line}
		if v := at(c.node, "loss"); v != nil {
			m.Loss = v.Value
		}
		noun, _ := b.catalogue.Model(m)
		if b.params(noun, c.node, "model", &m.Params, &m.differing, "name", "loss") {
			b.problem.Models = append(b.problem.Models, m)
		}
	}
}

// solvers multiplies out the grids of each solver.
func (b *builder) solvers() {
	list := at(b.tree, "solvers")
	if list == nil || b.bad["solvers"] {
		return
	}
	first := make(map[string]int)
	for i, n := range list.Content {
		path := join("solvers", strconv.Itoa(i))
		if count(n, maxVariants, "C", "lambda") > maxVariants {
			b.fault(path, "its grids have more than %d combinations", maxVariants)
			continue
		}
		for j, c := range expand(n, []string{"solver"}, "C", "lambda") {
			s := Solver{Line: n.Line, axes: c.axes}
			if err := c.node.Decode(&s); err != nil {
				addDecode(b.faults, c.node, path, err)
				break
			}
			item, ok := b.resolve(&s, c.node, path)
			if !ok {
				break
			}
			if s.As == "" {
				s.As = s.Name
			}
			if line, ok := first[s.As]; ok && j == 0 {
				b.fault(path, "second variant named %q, first on line %d; accepted: another name, by as", s.As, line)
				break
			}
			first[s.As] = n.Line
			noun, _ := b.catalogue.Solver(s)
			b.params(noun, item, path, &s.Params, &s.differing, "as", "name", "C", "lambda", "path", "anneal", "stop",
				"budget", "workers", "seeds")
			b.problem.Solvers = append(b.problem.Solvers, s)
		}
	}
}

// alternatives multiplies out the grids of a section.
func (b *builder) alternatives(key string) []choice {
	n := at(b.tree, key)
	if n == nil || b.bad[key] {
		return nil
	}
	if count(n, maxVariants) > maxVariants {
		b.fault(key, "its grids have more than %d combinations", maxVariants)
		return nil
	}
	return expand(n, []string{key})
}

// params decodes the noun's own keys of an item, and stores all of them with the defaults filled in, and those that
// differ from the defaults. It reports whether that went well.
func (b *builder) params(noun Noun, item *yaml.Node, path string, to *yaml.Node, differing *map[string]any,
	language ...string) bool {
	own := *item
	drop(&own, language...)
	settings, err := noun.Decode(own)
	if err == nil {
		err = to.Encode(settings)
	}
	if err == nil {
		*differing, err = noun.Differing(*to)
	}
	if err != nil {
		addDecode(b.faults, item, path, err)
	}
	return err == nil
}
