package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Form is a compiled schema of an experiment, or of one data set, model or solver in it.
type Form struct {
	compiled *jsonschema.Schema
	// Described returns the uncompiled schema as plain values, with the descriptions of the keys.
	Described func() Object
}

// Forms caches forms by name. It is safe for concurrent use.
type Forms struct {
	describe Describe
	mu       sync.Mutex
	made     map[string]*Form
}

// NewForms returns an empty cache. describe may be nil.
func NewForms(describe Describe) *Forms { return &Forms{describe: describe, made: map[string]*Form{}} }

// formURL is the start of the names of compiled schemas. Nothing is loaded from this address. The library treats
// schemas below this address as parts of the JSON Schema standard, so it does not check them against that standard. A
// test checks all of them once.
const formURL = "https://json-schema.org/gaplab/"

// Get returns the form (a compiled JSON Schema) with a name. The first call for a name compiles the schema that build
// returns. The argument of build gives the descriptions in the schema; if it is nil, the schema has none. Descriptions
// are read only when a message or an editor needs them.
func (f *Forms) Get(name string, build func(describe Describe) Object) (*Form, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if found := f.made[name]; found != nil {
		return found, nil
	}
	compiler := jsonschema.NewCompiler()
	location := formURL + url.PathEscape(name)
	doc, err := values(build(nil))
	if err == nil {
		err = compiler.AddResource(location, doc)
	}
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	compiled, err := compiler.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	made := &Form{compiled, sync.OnceValue(func() Object {
		doc, err := values(build(f.describe))
		if err != nil { // impossible: the same schema without descriptions had no error
			panic("schema of " + name + ": " + err.Error())
		}
		return doc
	})}
	f.made[name] = made
	return made, nil
}

// values converts a schema to the Go values that the decoder of the library jsonschema returns.
func values(s Object) (Object, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	return doc.(Object), nil
}

// Check reports where the node n does not match the form. n is the node at the given path below root, or a copy of that
// node in which grids are replaced by values.
func (f *Form) Check(p *tree.Faults, root, n *yaml.Node, path ...string) {
	var fault *jsonschema.ValidationError
	if err := f.compiled.Validate(tree.Value(n)); errors.As(err, &fault) {
		f.report(p, root, n, path, fault)
	} else if err != nil {
		p.Add(tree.LineOf(root, path...), strings.Join(path, "."), "%v", err)
	}
}

// report adds one message for each leaf of a tree of faults.
func (f *Form) report(p *tree.Faults, root, n *yaml.Node, path []string, fault *jsonschema.ValidationError) {
	for _, cause := range fault.Causes {
		f.report(p, root, n, path, cause)
	}
	if len(fault.Causes) > 0 {
		return
	}
	at := fault.InstanceLocation
	spot := place{node: tree.At(n, at...), path: append(path[:len(path):len(path)], at...), line: tree.LineOf(n, at...),
		schema: f.lookup(fault.SchemaURL)}
	if len(at) == 0 {
		spot.line = tree.LineOf(root, path...)
	}
	spot.report(p, fault.ErrorKind)
}

// lookup returns the piece of the schema to which the fragment of a URL points. If that piece is a branch of a
// condition (then, else) and has no type, lookup returns the schema with the condition.
func (f *Form) lookup(location string) Object {
	_, fragment, _ := strings.Cut(location, "#")
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	steps := strings.Split(fragment, "/")[1:]
	s := f.part(steps)
	for last := len(steps) - 1; s["type"] == nil && last >= 0 && (steps[last] == "then" || steps[last] == "else"); last-- {
		s = f.part(steps[:last])
	}
	return s
}

// part returns the piece of the schema at a JSON pointer, given as steps; nil if there is no such piece.
func (f *Form) part(steps []string) Object {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	var here any = f.Described()
	for _, step := range steps {
		switch v := here.(type) {
		case Object:
			here = v[unescape.Replace(step)]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			here = v[i]
		}
	}
	s, _ := here.(Object)
	return s
}
