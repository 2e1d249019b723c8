package lang

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Place is where a cursor stands in the text of a spec or of a notebook's cell, which may be unfinished.
type Place struct {
	Start, End int      // bytes of the word at the cursor
	Path       []string // keys and indices down to the map or list that the word is in; of a value, with its key
	Hints      []Hint   // what may stand there
}

// Hint is a word that may stand at a place: a key, or a value of one.
type Hint struct {
	Word    string
	Key     bool
	Says    string // what it means; "" if nothing is known
	Accepts string // of a key: its values, in words
	Default string // of a key; "": it has none
	Of      string // of a setting: whose it is, such as "solver eg"; "": a key of the language
}

// Hints says what may stand at a cursor, which counts bytes of the text. At a place that no schema knows there are no
// hints.
func (r *Parser) Hints(text string, cursor int) Place {
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
	w := walk{r.grammar, root}
	if isKey {
		p.Hints = w.keys(path)
	} else {
		p.Hints = w.values(path)
		if len(p.Hints) == 0 && len(path) > 0 && at(root, path[:len(path)-1]...).Kind == yaml.MappingNode {
			p.Hints = w.keys(path) // dataset: n… is the beginning of its keys
		}
	}
	return p
}

// inWord says whether a byte is one of a key or a value without spaces.
func inWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("_-/.", b) >= 0
}

// cursorMark stands for the word at the cursor. It is of the private use area, so no text has it.
const cursorMark = "\uE000"

// locate parses a text with a mark in the place of a word, as a key or as a value, whichever is YAML. What is open
// where the rest of the text does not fit is closed.
func locate(before, after string) (root *yaml.Node, path []string, isKey bool) {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	words := []string{cursorMark, cursorMark + ": 0"}
	if s := strings.TrimSpace(line); (s == "" || s == "-") && !strings.HasPrefix(strings.TrimLeft(after, " "), ":") {
		slices.Reverse(words)
	}
	end := closing(before)
	tails := []string{after, end, end + "\n"}
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		tails = []string{after, end + after[i:], end}
	}
	for _, tail := range tails {
		for _, word := range words {
			var doc yaml.Node
			if yaml.Unmarshal([]byte(before+word+tail), &doc) != nil || len(doc.Content) == 0 {
				continue
			}
			if path, isKey, ok := marked(doc.Content[0]); ok {
				return doc.Content[0], path, isKey
			}
		}
	}
	return nil, nil, false
}

// Unclosed says whether a text has brackets or quotes that are not closed.
func Unclosed(text string) bool { return closing(text) != "" }

// closing are the brackets that a text leaves open, closed.
func closing(text string) string {
	var open []byte
	var quote byte
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			if i == 0 || strings.IndexByte(" [{,:\n", text[i-1]) >= 0 { // not an apostrophe
				quote = c
			}
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	if quote != 0 {
		return string(quote) + string(open)
	}
	return string(open)
}

// marked is the path to the mark below a node.
func marked(n *yaml.Node) (path []string, isKey, ok bool) {
	if n.Kind == yaml.ScalarNode {
		return nil, false, n.Value == cursorMark
	}
	for i, below := range n.Content {
		step := strconv.Itoa(i)
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				if below.Value == cursorMark {
					return nil, true, true
				}
				continue
			}
			step = n.Content[i-1].Value
		}
		if path, isKey, ok := marked(below); ok {
			return append([]string{step}, path...), isKey, true
		}
	}
	return nil, false, false
}

// walk goes down a schema along a tree.
type walk struct {
	grammar *grammar
	root    *yaml.Node
}

// holding is one of the schemas that hold at a node.
type holding struct {
	schema object
	of     string // whose setting it describes; "": of the language
}

// experiment is the schema of a whole cell.
func (w walk) experiment() []holding {
	f, err := w.grammar.forms.get("experiment", func(cat Catalogue) object { return cat.experimentSchema(false) })
	if err != nil {
		return nil
	}
	s := maps.Clone(f.described())
	properties := maps.Clone(s["properties"].(object))
	maps.Copy(properties, cellKeys())
	properties["scales"] = object{"type": "object",
		"description": "the same experiment at other sizes: smoke, quick, paper"}
	s["properties"] = properties
	return []holding{{s, ""}}
}

// at are the schemas that hold at a path.
func (w walk) at(path []string) []holding {
	n, parts := w.root, w.experiment()
	if len(path) > 0 && len(parts) > 0 && parts[0].schema["properties"].(object)[path[0]] == nil {
		n, path = child(n, path[0]), path[1:] // a cell below a name
	}
	for i, step := range path {
		own := n
		n = child(n, step)
		switch {
		case (step == problemsKey || step == "scales") && i+1 < len(path):
			continue
		case i > 0 && (path[i-1] == problemsKey || path[i-1] == "scales"):
			parts = w.experiment()
			continue
		}
		var below []holding
		for _, p := range parts {
			for _, s := range branches(p.schema, own) {
				properties, _ := s["properties"].(object)
				sub, _ := properties[step].(object)
				if own != nil && own.Kind == yaml.SequenceNode {
					sub, _ = s["items"].(object)
				}
				if sub != nil {
					below = append(below, holding{sub, p.of})
				}
			}
		}
		parts = append(below, w.settings(path[:i+1], n)...)
	}
	return parts
}

// settings is the schema of the data set, the model or the solver that a node at a path names.
func (w walk) settings(path []string, n *yaml.Node) []holding {
	kind := slices.IndexFunc(nounKinds(), func(k nounKind) bool {
		last := len(path) - 1
		return k != solverKind && path[last] == k.String() || k == solverKind && last > 0 && path[last-1] == "solvers"
	})
	if kind < 0 {
		return nil
	}
	k := nounKinds()[kind]
	for i, key := range k.keys() {
		name := at(n, key)
		if name == nil {
			continue
		}
		if noun, ok := find(k.list(w.grammar.catalogue), name.Value, i > 0); ok {
			f, err := w.grammar.forms.get(k.definition(noun), func(cat Catalogue) object { return k.schema(cat, noun) })
			if err == nil {
				return []holding{{f.described(), k.String() + " " + noun.Name}}
			}
		}
	}
	return nil
}

// branches are a schema and what its conditions add for a node. While a value is being written, either may come.
func branches(s object, n *yaml.Node) []object {
	out := []object{s}
	condition, ok := s["if"].(object)
	if !ok {
		return out
	}
	kinds := map[string]yaml.Kind{"object": yaml.MappingNode, "array": yaml.SequenceNode}
	kind, known := kinds[fmt.Sprint(condition["type"])]
	holds := known && n != nil && n.Kind == kind && (!isGridable(s) || isGrid(n))
	open := known && (n == nil || n.Kind == yaml.ScalarNode)
	if then, ok := s["then"].(object); ok && (holds || open && !isGridable(s)) {
		out = append(out, branches(then, n)...)
	}
	if otherwise, ok := s["else"].(object); ok && !holds {
		out = append(out, branches(otherwise, n)...)
	}
	return out
}

// keys are those of a map at a path. Those that are there already are left out.
func (w walk) keys(path []string) (out []Hint) {
	n := at(w.root, path...)
	seen, own := map[string]bool{}, solverKeys(w.grammar.catalogue, true)
	for _, p := range w.at(path) {
		for _, s := range branches(p.schema, n) {
			properties, _ := s["properties"].(object)
			for key, v := range properties {
				sub, ok := v.(object)
				if k, _ := entry(n, key); !ok || k != nil || seen[key] {
					continue
				}
				seen[key] = true
				h := keyHint(key, sub, p.of)
				if own[key] != nil { // any solver has it
					h.Of = ""
				}
				out = append(out, h)
			}
		}
	}
	slices.SortFunc(out, func(a, b Hint) int { return strings.Compare(a.Word, b.Word) })
	return out
}

// keyHint is what a schema says of a key.
func keyHint(key string, s object, of string) Hint {
	h := Hint{Word: key, Key: true, Of: of}
	h.Says, _ = s["description"].(string)
	bare := maps.Clone(s)
	for _, b := range branches(s, nil) {
		if d, ok := b["default"]; ok {
			h.Default = fmt.Sprint(d)
		}
		if isGridable(bare) { // every setting takes a grid
			bare = maps.Clone(b)
		}
	}
	delete(bare, "description")
	if h.Accepts = accepted(bare); h.Accepts == "a value" {
		h.Accepts = ""
	}
	return h
}

// values are those that a key at a path accepts, where they can be listed.
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

// about is what the catalogue says of a data set, a model or a solver that a path names.
func (w walk) about(path []string, name string) string {
	last := len(path) - 1
	for _, k := range nounKinds() {
		i := slices.Index(k.keys(), path[last])
		if i < 0 || last == 0 || path[last-1] != k.String() && (k != solverKind || last < 2 || path[last-2] != "solvers") {
			continue
		}
		if n, ok := find(k.list(w.grammar.catalogue), name, i > 0); ok {
			return n.About
		}
	}
	return ""
}
