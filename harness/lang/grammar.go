package lang

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// grammar checks the trees of specs, for one catalogue: the schema of an experiment, and those of the
// data sets, models and solvers that are named.
type grammar struct {
	catalogue   Catalogue
	forms       forms
	expressions sync.Map // errors of the catalogue's CheckExpr, by expression: most are the same at every scale
}

func newGrammar(cat Catalogue) (*grammar, error) {
	if err := cat.check(); err != nil {
		return nil, err
	}
	return &grammar{catalogue: cat, forms: forms{catalogue: cat, made: map[string]*form{}}}, nil
}

// expression is a text of a kind of expressions, as CheckExpr knows them.
type expression struct{ kind, text string }

// checkExpression reports what is wrong with an expression.
func (g *grammar) checkExpression(kind, text string) error {
	key := expression{kind, text}
	if known, ok := g.expressions.Load(key); ok {
		err, _ := known.(error)
		return err
	}
	err := g.catalogue.CheckExpr(kind, text)
	g.expressions.Store(key, err)
	return err
}

// validate reports how the tree of an experiment departs from the schema.
func (g *grammar) validate(p *faults, tree *yaml.Node) {
	before := len(p.list)
	g.apply(p, tree, tree, "experiment", func(cat Catalogue) object { return cat.experimentSchema(false) })
	g.settings(p, tree, datasetKind, at(tree, "dataset"), "dataset")
	g.settings(p, tree, modelKind, at(tree, "model"), "model")
	if list := at(tree, "solvers"); list != nil && list.Kind == yaml.SequenceNode {
		for i, n := range list.Content {
			g.settings(p, tree, solverKind, n, "solvers", strconv.Itoa(i))
		}
	}
	sortFaults(p.list[before:])
}

// validItem reports how one alternative of a section departs from the schema. The section's name is a grid, so the
// whole tree does not show which noun's settings it has. The result is true if there is no fault.
func (g *grammar) validItem(p *faults, tree *yaml.Node, kind nounKind, n *yaml.Node, path ...string) bool {
	before := len(p.list)
	g.apply(p, tree, n, kind.String(), func(cat Catalogue) object { return kind.itemSchema(cat, false) }, path...)
	g.settings(p, tree, kind, n, path...)
	sortFaults(p.list[before:])
	return len(p.list) == before
}

// settings checks an item by the schema of the noun that it names. A missing or unknown name is a fault by the
// experiment's own schema.
func (g *grammar) settings(p *faults, tree *yaml.Node, kind nounKind, item *yaml.Node, path ...string) {
	for i, key := range kind.keys() {
		n := at(item, key)
		if n == nil || n.Kind != yaml.ScalarNode {
			continue
		}
		name, _ := value(n).(string)
		noun, ok := find(kind.list(g.catalogue), name, i > 0)
		if !ok {
			continue
		}
		g.apply(p, tree, item, kind.definition(noun), func(cat Catalogue) object { return kind.schema(cat, noun) },
			path...)
	}
}

// apply reports how n, which stands at path below root, departs from a form.
func (g *grammar) apply(p *faults, root, n *yaml.Node, name string, schema func(Catalogue) object, path ...string) {
	f, err := g.forms.get(name, schema)
	if err != nil {
		p.add(lineOf(root, path...), strings.Join(path, "."), "%v", err)
		return
	}
	var fault *jsonschema.ValidationError
	if err := f.compiled.Validate(value(n)); errors.As(err, &fault) {
		f.report(p, root, n, path, fault)
	} else if err != nil {
		p.add(lineOf(root, path...), strings.Join(path, "."), "%v", err)
	}
}

// report turns a tree of faults into messages, one for each leaf.
func (f *form) report(p *faults, root, n *yaml.Node, path []string, fault *jsonschema.ValidationError) {
	for _, cause := range fault.Causes {
		f.report(p, root, n, path, cause)
	}
	if len(fault.Causes) > 0 {
		return
	}
	where := append(path[:len(path):len(path)], fault.InstanceLocation...)
	spot := place{
		node: at(n, fault.InstanceLocation...), path: where,
		line: lineOf(n, fault.InstanceLocation...), schema: f.lookup(fault.SchemaURL),
	}
	if len(fault.InstanceLocation) == 0 {
		spot.line = lineOf(root, path...)
	}
	spot.report(p, fault.ErrorKind)
}

// sortFaults orders faults by their keys: the validator walks over maps in no fixed order.
func sortFaults(list []*Fault) {
	slices.SortFunc(list,
		func(a, b *Fault) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Reason, b.Reason)) })
}
