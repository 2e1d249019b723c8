package lang

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// schemaURL names the compiled schema. Nothing is loaded from it.
const schemaURL = "https://gaplab.invalid/schema.json"

// grammar is the schema of an experiment, compiled for one catalogue.
type grammar struct {
	catalogue Catalogue
	doc       any // the schema as plain JSON values, to look up what a place accepts
	whole     *jsonschema.Schema
	dataset   *jsonschema.Schema
	model     *jsonschema.Schema
}

func newGrammar(cat Catalogue) (*grammar, error) {
	if err := cat.check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(experimentSchema(cat))
	if err != nil {
		return nil, fmt.Errorf("lang: schema: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("lang: schema: %w", err)
	}
	g := &grammar{catalogue: cat, doc: doc}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaURL, doc); err != nil {
		return nil, fmt.Errorf("lang: schema: %w", err)
	}
	for _, part := range []struct {
		to      **jsonschema.Schema
		pointer string
	}{{&g.whole, ""}, {&g.dataset, "#/properties/dataset"}, {&g.model, "#/properties/model"}} {
		if *part.to, err = compiler.Compile(schemaURL + part.pointer); err != nil {
			return nil, fmt.Errorf("lang: schema: %w", err)
		}
	}
	return g, nil
}

// validate reports how n, which stands at path below root, departs from a schema.
func (g *grammar) validate(p *faults, s *jsonschema.Schema, root, n *yaml.Node, path ...string) {
	var fault *jsonschema.ValidationError
	before := len(p.list)
	if err := s.Validate(value(n)); errors.As(err, &fault) {
		g.report(p, root, n, path, fault)
	} else if err != nil {
		p.add(lineOf(root, path...), strings.Join(path, "."), "%v", err)
	}
	// The validator walks over maps in no fixed order.
	slices.SortFunc(p.list[before:],
		func(a, b *Fault) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Reason, b.Reason)) })
}

// report turns the leaves of a tree of faults into messages.
func (g *grammar) report(p *faults, root, n *yaml.Node, path []string, fault *jsonschema.ValidationError) {
	for _, cause := range fault.Causes {
		g.report(p, root, n, path, cause)
	}
	if len(fault.Causes) > 0 {
		return
	}
	where := append(path[:len(path):len(path)], fault.InstanceLocation...)
	spot := place{
		node: at(n, fault.InstanceLocation...), path: where,
		line: lineOf(n, fault.InstanceLocation...), schema: g.lookup(fault.SchemaURL),
	}
	if len(fault.InstanceLocation) == 0 {
		spot.line = lineOf(root, path...)
	}
	spot.report(p, fault.ErrorKind)
}

// lookup returns the part of the schema that a URL's fragment points to. A branch of a condition, which says only what
// it adds, is replaced by the schema that it belongs to.
func (g *grammar) lookup(location string) object {
	_, fragment, _ := strings.Cut(location, "#")
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	steps := strings.Split(fragment, "/")[1:]
	s := g.part(steps)
	for last := len(steps) - 1; s["type"] == nil && last >= 0 && (steps[last] == "then" || steps[last] == "else"); last-- {
		s = g.part(steps[:last])
	}
	return s
}

// part follows a JSON pointer, nil if it leads nowhere.
func (g *grammar) part(steps []string) object {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	here := g.doc
	for _, step := range steps {
		switch v := here.(type) {
		case object:
			here = v[unescape.Replace(step)]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			here = v[i]
		}
	}
	s, _ := here.(object)
	return s
}
