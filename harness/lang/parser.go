package lang

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Parser reads specs with one catalogue. It compiles the schema of each entry when a spec first names the entry. It is
// safe for concurrent use.
type Parser struct {
	catalogue   Catalogue
	forms       *schema.Forms
	expressions sync.Map // cache of the errors of CheckExpr: most expressions are the same at every scale
	trusting    bool     // specs are not checked against the schemas
}

// NewParser checks a catalogue and returns a parser with it. An error means that the catalogue has a fault.
func NewParser(c Catalogue) (*Parser, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return &Parser{catalogue: c, forms: schema.NewForms(c.Describe)}, nil
}

// Trusting returns a parser for specs that are known to match the schemas. It makes the same specs, without compiling
// the schemas. A key that the schemas would refuse is ignored.
func (r *Parser) Trusting() *Parser {
	return &Parser{catalogue: r.catalogue, forms: r.forms, trusting: true}
}

// Catalogue returns the catalogue of the parser.
func (r *Parser) Catalogue() Catalogue { return r.catalogue }

// expression is the text of an expression and its kind for CheckExpr.
type expression struct{ kind, text string }

// checkExpression returns the error of CheckExpr for an expression; it calls CheckExpr once for each expression.
func (r *Parser) checkExpression(kind, text string) error {
	key := expression{kind, text}
	if known, ok := r.expressions.Load(key); ok {
		err, _ := known.(error)
		return err
	}
	err := r.catalogue.CheckExpr(kind, text)
	r.expressions.Store(key, err)
	return err
}

// Experiment returns the compiled schema of an experiment at one scale. This schema accepts any settings of data sets,
// models and solvers.
func (r *Parser) Experiment() (*schema.Form, error) {
	return r.forms.Get("experiment", func(d schema.Describe) schema.Object {
		return r.describing(d).experimentSchema(false)
	})
}

// Settings returns the entry of the catalogue that an item of a spec names, and the compiled schema of the item; the
// schema is nil if the item names no entry.
func (r *Parser) Settings(kind EntryKind, item *yaml.Node) (Entry, *schema.Form, error) {
	for _, key := range kind.Keys() {
		n := tree.At(item, key)
		if n == nil || n.Kind != yaml.ScalarNode {
			continue
		}
		name, _ := tree.Value(n).(string)
		e, ok := r.catalogue.Find(kind, key, name)
		if !ok {
			continue
		}
		f, err := r.forms.Get(kind.definition(e), func(d schema.Describe) schema.Object {
			return r.describing(d).entrySchema(kind, e)
		})
		return e, f, err
	}
	return Entry{}, nil, nil
}

// describing returns the catalogue with d as the source of descriptions.
func (r *Parser) describing(d schema.Describe) Catalogue {
	c := r.catalogue
	c.Describe = d
	return c
}

// validate reports where the tree of an experiment does not match the schemas.
func (r *Parser) validate(p *tree.Faults, root *yaml.Node) {
	if r.trusting {
		return
	}
	before := len(p.List)
	f, err := r.Experiment()
	if err != nil {
		p.Add(root.Line, "", "%v", err)
		return
	}
	f.Check(p, root, root)
	r.checkSettings(p, root, DatasetKind, tree.At(root, "dataset"), "dataset")
	r.checkSettings(p, root, ModelKind, tree.At(root, "model"), "model")
	if list := tree.At(root, "solvers"); list != nil && list.Kind == yaml.SequenceNode {
		for i, n := range list.Content {
			r.checkSettings(p, root, SolverKind, n, "solvers", strconv.Itoa(i))
		}
	}
	sortFaults(p.List[before:])
}

// validItem checks n against the schemas and returns true if n has no fault. n is a copy of a section (dataset or
// model) in which a grid of names is replaced by one of its names. The section itself cannot be checked, because the
// accepted settings depend on the name.
func (r *Parser) validItem(p *tree.Faults, root *yaml.Node, kind EntryKind, n *yaml.Node, path ...string) bool {
	before := len(p.List)
	f, err := r.forms.Get(kind.String(), func(d schema.Describe) schema.Object {
		return r.describing(d).itemSchema(kind, false)
	})
	if err != nil {
		p.Add(root.Line, "", "%v", err)
		return false
	}
	f.Check(p, root, n, path...)
	r.checkSettings(p, root, kind, n, path...)
	sortFaults(p.List[before:])
	return len(p.List) == before
}

// checkSettings checks an item against the schema of the entry that the item names. If it names no entry, another check
// reports that: the check against the schema of the whole experiment.
func (r *Parser) checkSettings(p *tree.Faults, root *yaml.Node, kind EntryKind, item *yaml.Node, path ...string) {
	before := len(p.List)
	switch e, f, err := r.Settings(kind, item); {
	case err != nil:
		p.Add(root.Line, "", "%v", err)
	case f != nil:
		f.Check(p, root, item, path...)
		for _, fault := range p.List[before:] {
			if key, ok := strings.CutPrefix(fault.Key, strings.Join(path, ".")+"."); ok && !slices.Contains(e.Keys(), key) {
				fault.Reason += r.elsewhere(kind, key)
			}
		}
	}
}

// elsewhere returns the end of the message about a key that an entry does not have: the description of the key, and the
// entries of the same kind that have it as a setting. It returns "" if no entry has it.
func (r *Parser) elsewhere(kind EntryKind, key string) string {
	var owners []string
	about := ""
	for _, e := range kind.entries(r.catalogue) {
		if !slices.Contains(e.Keys(), key) {
			continue
		}
		if owners = append(owners, e.Name); len(owners) == 1 {
			s, _ := r.describing(r.catalogue.Describe).entrySchema(kind, e)["properties"].(schema.Object)[key].(schema.Object)
			if text, ok := s["description"].(string); ok {
				about = " (" + text + ")"
			}
		}
	}
	if owners == nil {
		return ""
	}
	return fmt.Sprintf("; %s%s is a setting of %s", key, about, strings.Join(owners, ", "))
}

// sortFaults orders faults by key, because the validator walks over maps in no fixed order.
func sortFaults(list []*tree.Fault) {
	slices.SortFunc(list,
		func(a, b *tree.Fault) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Reason, b.Reason)) })
}
