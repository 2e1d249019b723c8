package lang

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// form is the schema of one part of the language: compiled, and as plain values, to say what a place accepts.
type form struct {
	compiled  *jsonschema.Schema
	described func() object // with descriptions of the keys, which are read from the program's own sources
}

// forms makes each form when it is first needed.
type forms struct {
	catalogue Catalogue
	mu        sync.Mutex
	made      map[string]*form
}

// formURL names a compiled schema. Nothing is loaded from it. The library takes schemas below this address to be the
// standard's own and does not check them against it: a test does that once, for all of them.
const formURL = "https://json-schema.org/gaplab/"

// get returns a form by its name; schema makes it of a catalogue. An error is a fault of the catalogue.
func (f *forms) get(name string, schema func(Catalogue) object) (*form, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if found := f.made[name]; found != nil {
		return found, nil
	}
	silent := f.catalogue
	silent.Comment = nil
	compiler := jsonschema.NewCompiler()
	location := formURL + url.PathEscape(name)
	doc, err := values(schema(silent))
	if err == nil {
		err = compiler.AddResource(location, doc)
	}
	if err != nil {
		return nil, fmt.Errorf("lang: schema of %s: %w", name, err)
	}
	compiled, err := compiler.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("lang: schema of %s: %w", name, err)
	}
	made := &form{compiled, sync.OnceValue(func() object {
		doc, err := values(schema(f.catalogue))
		if err != nil { // it was none without descriptions
			panic("lang: schema of " + name + ": " + err.Error())
		}
		return doc
	})}
	f.made[name] = made
	return made, nil
}

// values turns a schema into the values that encoding/json would decode.
func values(s object) (object, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	return doc.(object), nil
}

// lookup returns the part of the schema that a URL's fragment points to. A branch of a condition, which holds only what
// it adds, is replaced by its parent.
func (f *form) lookup(location string) object {
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

// part follows a JSON pointer, nil if it leads nowhere.
func (f *form) part(steps []string) object {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	var here any = f.described()
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
