package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Form is a schema of an experiment, or of one data set, model or solver in it.
type Form struct {
	schema Object // without descriptions
	// Described returns the schema as plain values, with the descriptions of the keys. Its numbers are json.Number.
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

// Get returns the form of a name. The first call for a name makes the form with the schema that build makes. The
// argument of build gives the descriptions in the schema; if it is nil, the schema has none. Descriptions are read only
// when a message or an editor needs them.
func (f *Forms) Get(name string, build func(describe Describe) Object) (*Form, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if found := f.made[name]; found != nil {
		return found, nil
	}
	bare := build(nil)
	if err := supported(bare); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	made := &Form{bare, sync.OnceValue(func() Object {
		doc, err := values(build(f.describe))
		if err != nil { // impossible: all of a schema's values are plain
			panic("schema of " + name + ": " + err.Error())
		}
		return doc
	})}
	f.made[name] = made
	return made, nil
}

// values converts a schema to the Go values that encoding/json decodes, with numbers as json.Number.
func values(s Object) (Object, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var doc Object
	err = decoder.Decode(&doc)
	return doc, err
}

// Check reports where the node n does not match the form. n is the node at the given path below root, or a copy of that
// node in which grids are replaced by values.
func (f *Form) Check(p *tree.Faults, root, n *yaml.Node, path ...string) {
	var c validation
	c.check(f.schema, tree.Value(n), nil, nil)
	for _, m := range c.list {
		spot := place{node: tree.At(n, m.at...), path: extended(path, m.at...), line: tree.LineOf(n, m.at...),
			schema: f.lookup(m.steps)}
		if len(m.at) == 0 {
			spot.line = tree.LineOf(root, path...)
		}
		spot.report(p, m)
	}
}

// lookup returns the piece of the schema at a JSON pointer, given as steps. If that piece is a branch of a condition
// (then, else) and has no type, lookup returns the schema with the condition.
func (f *Form) lookup(steps []string) Object {
	s := f.part(steps)
	for last := len(steps) - 1; s["type"] == nil && last >= 0 && (steps[last] == "then" || steps[last] == "else"); last-- {
		s = f.part(steps[:last])
	}
	return s
}

// part returns the piece of the schema at a JSON pointer, given as steps; nil if there is no such piece.
func (f *Form) part(steps []string) Object {
	var here any = f.Described()
	for _, step := range steps {
		switch v := here.(type) {
		case Object:
			here = v[step]
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
