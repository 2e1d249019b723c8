package editor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Place is the place of a cursor in the text of a spec or of a cell. The text need not be complete.
type Place struct {
	Start, End int      // offsets in bytes of the word at the cursor
	Path       []string // keys and indices from the root to the word: to its map or list, or to its key if it is a value
	Hints      []Hint   // the accepted words
}

// Hint is a word that is accepted at a place: a key, or a value of a key.
type Hint struct {
	Word    string
	Key     bool
	Says    string // the description; "" if there is none
	Accepts string // the accepted values of a key, in words
	Default string // the default of a key; "" if there is none
	Of      string // what the setting belongs to, such as "solver eg"; "" for a key of the language
}

// Hints returns the words that are accepted at a cursor, which is an offset in bytes. It returns no hints at a place
// that no schema describes.
func Hints(parser *lang.Parser, text string, cursor int) Place {
	p := Place{Start: cursor, End: cursor}
	for p.Start > 0 && inWord(text[p.Start-1]) {
		p.Start--
	}
	for p.End < len(text) && inWord(text[p.End]) {
		p.End++
	}
	root, path, isKey := locate(text[:p.Start], text[p.End:])
	if root == nil {
		return p
	}
	p.Path = path
	w := walk{parser, root}
	if isKey {
		p.Hints = w.keys(path)
	} else {
		p.Hints = w.values(path)
		if len(p.Hints) == 0 && len(path) > 0 && tree.At(root, path[:len(path)-1]...).Kind == yaml.MappingNode {
			p.Hints = w.keys(path) // in "dataset: n", n may be the start of a key below dataset
		}
	}
	return p
}

// walk finds the schemas that describe the nodes of a tree.
type walk struct {
	parser *lang.Parser
	root   *yaml.Node
}

// holding is one of the schemas that a node must match.
type holding struct {
	schema schema.Object
	of     string   // the data set, model or solver whose settings it describes, such as "solver eg"; "" for the language
	own    []string // the keys of these settings; the other keys belong to the language
}

// experiment returns the schema of a whole cell.
func (w walk) experiment() []holding {
	f, err := w.parser.Experiment()
	if err != nil {
		return nil
	}
	s := maps.Clone(f.Described())
	properties := maps.Clone(s["properties"].(schema.Object))
	maps.Copy(properties, keys())
	properties["scales"] = schema.Object{"type": "object",
		"description": "the same experiment at other sizes: smoke, quick, paper"}
	s["properties"] = properties
	return []holding{{schema: s}}
}

// at returns the schemas that describe the node at a path.
func (w walk) at(path []string) []holding {
	n, parts := w.root, w.experiment()
	if len(path) > 0 && len(parts) > 0 && parts[0].schema["properties"].(schema.Object)[path[0]] == nil {
		n, path = tree.Child(n, path[0]), path[1:] // the cell is written below a name
	}
	for i, step := range path {
		own := n
		n = tree.Child(n, step)
		switch {
		case (step == "problems" || step == "scales") && i+1 < len(path):
			continue
		case i > 0 && (path[i-1] == "problems" || path[i-1] == "scales"):
			parts = w.experiment()
			continue
		}
		var below []holding
		for _, p := range parts {
			for _, s := range branches(p.schema, own) {
				properties, _ := s["properties"].(schema.Object)
				sub, _ := properties[step].(schema.Object)
				if own != nil && own.Kind == yaml.SequenceNode {
					sub, _ = s["items"].(schema.Object)
				}
				if sub != nil {
					below = append(below, holding{sub, p.of, p.own})
				}
			}
		}
		parts = append(below, w.settings(path[:i+1], n)...)
	}
	return parts
}

// settings returns the schema of the data set, model or solver that the node at a path names.
func (w walk) settings(path []string, n *yaml.Node) []holding {
	for _, kind := range lang.EntryKinds() {
		if !isItem(kind, path) {
			continue
		}
		if e, f, err := w.parser.Settings(kind, n); err == nil && f != nil {
			return []holding{{f.Described(), kind.String() + " " + e.Name, e.Keys()}}
		}
	}
	return nil
}

// isItem reports whether a path leads to the value of the key "dataset" or "model", or to a solver in the list under
// "solvers".
func isItem(kind lang.EntryKind, path []string) bool {
	last := len(path) - 1
	if kind == lang.SolverKind {
		return last > 0 && path[last-1] == "solvers"
	}
	return last >= 0 && path[last] == kind.String()
}

// branches returns a schema and the schemas that its conditions add for a node. For a value that is still being
// written, it returns both branches of a condition.
func branches(s schema.Object, n *yaml.Node) []schema.Object {
	out := []schema.Object{s}
	condition, ok := s["if"].(schema.Object)
	if !ok {
		return out
	}
	kinds := map[string]yaml.Kind{"object": yaml.MappingNode, "array": yaml.SequenceNode}
	kind, known := kinds[fmt.Sprint(condition["type"])]
	holds := known && n != nil && n.Kind == kind && (!schema.IsGridable(s) || tree.IsGrid(n))
	open := known && (n == nil || n.Kind == yaml.ScalarNode)
	if then, ok := s["then"].(schema.Object); ok && (holds || open && !schema.IsGridable(s)) {
		out = append(out, branches(then, n)...)
	}
	if otherwise, ok := s["else"].(schema.Object); ok && !holds {
		out = append(out, branches(otherwise, n)...)
	}
	return out
}

// keys returns the keys that the map at a path accepts and does not have yet.
func (w walk) keys(path []string) (out []Hint) {
	n := tree.At(w.root, path...)
	seen := map[string]bool{}
	for _, p := range w.at(path) {
		for _, s := range branches(p.schema, n) {
			properties, _ := s["properties"].(schema.Object)
			for key, v := range properties {
				sub, ok := v.(schema.Object)
				if k, _ := tree.Entry(n, key); !ok || k != nil || seen[key] {
					continue
				}
				seen[key] = true
				h := keyHint(key, sub)
				if slices.Contains(p.own, key) {
					h.Of = p.of
				}
				out = append(out, h)
			}
		}
	}
	slices.SortFunc(out, func(a, b Hint) int { return strings.Compare(a.Word, b.Word) })
	return out
}

// keyHint returns a hint with what a schema states about a key.
func keyHint(key string, s schema.Object) Hint {
	h := Hint{Word: key, Key: true}
	h.Says, _ = s["description"].(string)
	bare := maps.Clone(s)
	for _, b := range branches(s, nil) {
		if d, ok := b["default"]; ok {
			h.Default = fmt.Sprint(d)
		}
		if schema.IsGridable(bare) { // do not mention the grid, which every setting accepts
			bare = maps.Clone(b)
		}
	}
	delete(bare, "description")
	if h.Accepts = schema.Accepted(bare); h.Accepts == "a value" {
		h.Accepts = ""
	}
	return h
}

// values returns the values that a key at a path accepts, if they can be listed.
func (w walk) values(path []string) (out []Hint) {
	add := func(word, says string) {
		if !slices.ContainsFunc(out, func(h Hint) bool { return h.Word == word }) {
			out = append(out, Hint{Word: word, Says: says})
		}
	}
	for _, p := range w.at(path) {
		for _, s := range branches(p.schema, nil) {
			list, _ := s["enum"].([]any)
			for _, v := range list {
				add(fmt.Sprint(v), w.about(path, fmt.Sprint(v)))
			}
			if s["type"] == "boolean" {
				add("true", "")
				add("false", "")
			}
		}
	}
	return out
}

// about returns the catalogue's description of a data set, model or solver, if the path leads to its name.
func (w walk) about(path []string, name string) string {
	last := len(path) - 1
	for _, kind := range lang.EntryKinds() {
		if slices.Contains(kind.Keys(), path[last]) && isItem(kind, path[:last]) {
			e, _ := w.parser.Catalogue().Find(kind, path[last], name)
			return e.About
		}
	}
	return ""
}
