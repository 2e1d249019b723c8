package schema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
	"github.com/gaplab/gaplab/internal/nearest"
)

// place is a value of a spec that does not match the schema, with the piece of the schema that the value should match.
type place struct {
	node   *yaml.Node
	path   []string
	line   int
	schema Object
}

// report adds a message that states what is wrong at the place and which values are accepted there.
func (s place) report(p *tree.Faults, fault jsonschema.ErrorKind) {
	key := strings.Join(s.path, ".")
	switch k := fault.(type) {
	case *kind.AdditionalProperties:
		s.unknownKeys(p, k.Properties)
	case *kind.Required:
		for _, name := range k.Missing {
			p.Add(s.line, tree.Join(key, name), "missing%s; accepted: %s", s.misplaced(name), s.acceptedAt(name))
		}
	case *kind.DependentRequired:
		for _, name := range k.Missing {
			p.Add(s.line, tree.Join(key, name), "missing, because %q is given; accepted: %s", k.Prop, s.acceptedAt(name))
		}
	case *kind.Enum:
		p.Add(s.line, key, "unknown value %s%s; accepted: %s", tree.Quote(s.node), s.suggestion(), accepted(key, s.schema))
	case *kind.Minimum, *kind.Maximum, *kind.ExclusiveMinimum, *kind.ExclusiveMaximum:
		p.Add(s.line, key, "%s is out of range; accepted: %s", s.node.Value, Accepted(s.schema))
	case *kind.MinItems, *kind.MaxItems:
		p.Add(s.line, key, "got %d items; accepted: %s", len(s.node.Content), Accepted(s.schema))
	case *kind.UniqueItems:
		second := s.node.Content[k.Duplicates[1]]
		p.Add(second.Line, key, "item %s is repeated; list each item once", tree.Quote(second))
	case *kind.MaxLength:
		p.Add(s.line, key, "%s has %d characters; accepted: at most %d", tree.Quote(s.node), k.Got, k.Want)
	case *kind.Type, *kind.Const, *kind.Pattern, *kind.MinLength:
		p.Add(s.line, key, "got %s%s; accepted: %s", tree.Quote(s.node), s.hint(), Accepted(s.schema))
	default: // a keyword of JSON Schema that only a jsonschema tag of an entry's settings may use
		p.Add(s.line, key, "%s", fault.LocalizedString(message.NewPrinter(language.English)))
	}
}

// unknownKeys reports keys that the map at the place does not accept, each key with its own line.
func (s place) unknownKeys(p *tree.Faults, names []string) {
	properties, _ := s.schema["properties"].(Object)
	keys := slices.Sorted(maps.Keys(properties))
	list := strings.Join(keys, ", ")
	if list == "" {
		list = "no keys"
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(s.node.Content); i += 2 {
		lines[s.node.Content[i].Value] = s.node.Content[i].Line
	}
	for _, name := range names {
		line := cmp.Or(lines[name], s.line)
		path := tree.Join(strings.Join(s.path, "."), name)
		if name == tree.GridKey {
			p.Add(line, path, "a grid is not allowed here; accepted: %s", list)
			continue
		}
		meant := nearest.Word(name, keys)
		p.Add(line, path, "unknown key%s; accepted: %s", nearest.Ask(meant), list)
		if k, _ := tree.Entry(s.node, meant); meant != "" && k == nil {
			p.List[len(p.List)-1].Meant = tree.Join(strings.Join(s.path, "."), meant)
		}
	}
}

// suggestion returns ", did you mean ...?" with the accepted values nearest to the given one; "" if none is near. For
// another word for a model, it is the model with its loss. For the name of a file in place of the name of a data set,
// it is the form of a data set in a file.
func (s place) suggestion() string {
	words := names(s.schema)
	if n := len(s.path); n > 1 && s.path[n-2] == modelKey && s.path[n-1] == nameKey {
		if form := nearest.Model(s.node.Value, words); form != "" {
			return ", did you mean " + form + "?"
		}
	}
	switch key := strings.Join(s.path, "."); {
	case key == datasetKey+"."+nameKey && strings.ContainsAny(s.node.Value, "./"):
		return fmt.Sprintf("; write {format: ..., path: %s} for a file of your own", s.node.Value)
	case strings.HasSuffix(key, "."+nameKey):
		return nearest.Names(s.node.Value, words)
	}
	return nearest.DidYouMean(s.node.Value, words)
}

// The keys of specs for which messages have a form of their own.
const (
	nameKey    = "name"
	datasetKey = "dataset"
	modelKey   = "model"
	solversKey = "solvers"
)

// maxListed is the largest number of names of data sets, models or solvers that a message lists.
const maxListed = 12

// accepted describes the values that a schema accepts at a key, as Accepted does. A long list of names of data sets,
// models or solvers becomes the command that lists them.
func accepted(key string, at Object) string {
	if section, last, _ := strings.Cut(key, "."); last == nameKey || strings.HasSuffix(last, "."+nameKey) {
		if list := names(at); len(list) > 0 {
			return NameList(section, list)
		}
	}
	return Accepted(at)
}

// NameList joins names that the section dataset, model or solvers of a spec may have. In place of a long list, it
// states which command prints the names.
func NameList(section string, names []string) string {
	command := map[string]string{datasetKey: "gaplab data list", modelKey: "gaplab help models",
		solversKey: "gaplab help solvers"}[section]
	if command == "" || len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return "a name that `" + command + "` prints"
}

// names returns the texts that a schema accepts; nil if it is not a list of texts.
func names(s Object) []string {
	var words []string
	if otherwise, ok := s["else"].(Object); ok { // a schema that accepts a grid, too
		s = otherwise
	}
	values, _ := s["enum"].([]any)
	for _, v := range values {
		if word, ok := v.(string); ok {
			words = append(words, word)
		}
	}
	return words
}

// misplaced returns a text "; write ..." if the map at the place lacks the key "name" because this key is misspelt, or
// because the only key is the name, as in {eg: {eta: 0.5}}.
func (s place) misplaced(missing string) string {
	if missing != nameKey || s.node.Kind != yaml.MappingNode {
		return ""
	}
	if key := Misspelt(s.node, nameKey); key != "" {
		return fmt.Sprintf("; write name in place of %s", key)
	}
	if len(s.node.Content) != 2 {
		return ""
	}
	properties, _ := s.schema["properties"].(Object)
	name, _ := properties[nameKey].(Object)
	word, settings := s.node.Content[0].Value, s.node.Content[1]
	form := s.form(word, names(name))
	if form == "" {
		return ""
	}
	if settings.Kind == yaml.MappingNode && len(settings.Content) > 0 {
		form = strings.TrimSuffix(form, "}") + ", " + settings.Content[0].Value + ": ...}"
	}
	return "; write " + form
}

// Misspelt returns the first key of a map that is probably a misspelling of the given key, which the map lacks; "" if
// there is none.
func Misspelt(n *yaml.Node, key string) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if word := n.Content[i].Value; nearest.Word(word, []string{key}) == key {
			return word
		}
	}
	return ""
}

// form returns the form {name: word} of a word that stands in place of a map, or "" if the word is not among the
// accepted ones. For another word, it uses the accepted word with the same meaning.
func (s place) form(word string, accepted []string) string {
	if len(s.path) > 0 && s.path[len(s.path)-1] == modelKey {
		if form := nearest.Model(word, accepted); form != "" {
			return form
		}
	}
	if slices.Contains(accepted, word) {
		return fmt.Sprintf("{name: %s}", word)
	}
	return ""
}

// hint returns the usual cause of a value of the wrong type, or what to write instead. The text begins with a comma or
// a semicolon.
func (s place) hint() string {
	text := s.node.Kind == yaml.ScalarNode && s.node.ShortTag() == "!!str"
	switch {
	case tree.IsGrid(s.node):
		return ", which is not allowed here"
	case s.schema["type"] == "array" && !tree.IsNull(s.node):
		return s.list()
	case text && s.assertion():
		return fmt.Sprintf("; write {id: c1, says: ..., assert: '%s'}", s.node.Value)
	case text && s.named():
		return "; write " + s.mapping()
	case s.schema["type"] == "object" && s.node.Kind == yaml.ScalarNode && !tree.IsNull(s.node):
		return s.keyed()
	case text && s.unquoted():
		return "; remove the quotes"
	case text && s.schema["type"] == "number" && strings.Contains(s.node.Value, ","):
		return "; write a list: [" + s.node.Value + "]"
	case s.schema["type"] == "string" && s.node.Kind == yaml.ScalarNode && !tree.IsNull(s.node) && !text:
		return ", which is not text unless quoted"
	}
	return ""
}

// unquoted reports whether the text at the place is in quotes and would have the accepted type without them.
func (s place) unquoted() bool {
	if s.node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		return false
	}
	bare := yaml.Node{Kind: yaml.ScalarNode, Value: strings.TrimSpace(s.node.Value)}
	switch tag := bare.ShortTag(); s.schema["type"] {
	case "number":
		return tag == "!!int" || tag == "!!float"
	case "integer":
		return tag == "!!int"
	case "boolean":
		return tag == "!!bool"
	}
	return false
}

// mapping returns the map to write in place of the text at the place.
func (s place) mapping() string {
	properties, _ := s.schema["properties"].(Object)
	name, _ := properties[nameKey].(Object)
	if properties["format"] != nil && strings.ContainsAny(s.node.Value, "./") {
		return fmt.Sprintf("{format: ..., path: %s}", s.node.Value)
	}
	return cmp.Or(s.form(s.node.Value, names(name)), fmt.Sprintf("{name: %s}", s.node.Value))
}

// keyed returns what to write in place of a single value, if the map has a key that usually has this value.
func (s place) keyed() string {
	properties, _ := s.schema["properties"].(Object)
	switch v := s.node.Value; {
	case properties["convention"] != nil:
		return fmt.Sprintf("; write {convention: lambda, lambda: %s}", v)
	case properties["passes"] != nil && s.node.ShortTag() == "!!int":
		return fmt.Sprintf("; write {passes: %s}", v)
	case properties["gap"] != nil:
		return fmt.Sprintf("; write {gap: %s}", v)
	}
	return ""
}

// list returns the list to write in place of a single item.
func (s place) list() string {
	items, _ := s.schema["items"].(Object)
	item := place{node: s.node, path: s.path, schema: items}
	switch {
	case s.node.Kind == yaml.ScalarNode && item.assertion():
		return fmt.Sprintf("; write [{id: c1, says: ..., assert: '%s'}]", s.node.Value)
	case s.node.Kind == yaml.MappingNode && len(s.node.Content) == 2 && s.node.Content[1].Kind == yaml.ScalarNode:
		return fmt.Sprintf("; write a list: [{%s: %s}]", s.node.Content[0].Value, s.node.Content[1].Value)
	case s.node.Kind == yaml.MappingNode && len(s.node.Content) > 0:
		return fmt.Sprintf("; write a list: [{%s: ...}]", s.node.Content[0].Value)
	case s.node.Kind == yaml.ScalarNode && item.named():
		return fmt.Sprintf("; write [%s]", item.mapping())
	case s.node.Kind == yaml.ScalarNode:
		return fmt.Sprintf("; write [%s]", s.node.Value)
	}
	return ""
}

// assertion reports whether the schema accepts a map with the key "assert".
func (s place) assertion() bool {
	properties, _ := s.schema["properties"].(Object)
	return s.schema["type"] == "object" && properties["assert"] != nil
}

// named reports whether the schema accepts a map with the key "name".
func (s place) named() bool {
	properties, _ := s.schema["properties"].(Object)
	return s.schema["type"] == "object" && properties[nameKey] != nil
}

// acceptedAt returns a description of the values that a key of the map at the place accepts.
func (s place) acceptedAt(key string) string {
	properties, _ := s.schema["properties"].(Object)
	sub, _ := properties[key].(Object)
	return accepted(tree.Join(strings.Join(s.path, "."), key), sub)
}

// Accepted describes in words the values that a schema accepts, such as "a number > 0".
func Accepted(s Object) string {
	if values, ok := s["enum"].([]any); ok {
		list := make([]string, len(values))
		for i, v := range values {
			list[i] = fmt.Sprint(v)
		}
		return strings.Join(list, ", ")
	}
	if condition, ok := s["if"].(Object); ok {
		return acceptedEither(s, condition)
	}
	switch s["type"] {
	case "number":
		return "a number" + bounds(s)
	case "integer":
		return "a whole number" + bounds(s)
	case "boolean":
		return "true or false"
	case "string":
		if pattern, ok := s["pattern"].(string); ok {
			return describe(s, "text of the form "+pattern)
		}
		return describe(s, "text")
	case "array":
		items, _ := s["items"].(Object)
		properties, _ := items["properties"].(Object)
		name, _ := properties[nameKey].(Object)
		if values, ok := name["enum"].([]any); ok && len(values) > 0 {
			return fmt.Sprintf("a list, each item %s, such as [{%s: %v}]", Accepted(items), nameKey, values[0])
		}
		return "a list, each item " + Accepted(items)
	case "object":
		if properties, ok := s["properties"].(Object); ok {
			return "a map with " + strings.Join(slices.Sorted(maps.Keys(properties)), ", ")
		}
		return "a map"
	}
	return describe(s, "a value")
}

// acceptedEither describes a schema with a condition, which accepts values of two kinds, such as a number or a list.
func acceptedEither(s, condition Object) string {
	otherwise, _ := s["else"].(Object)
	then, _ := s["then"].(Object)
	if properties, ok := then["properties"].(Object); ok && properties[tree.GridKey] != nil {
		return Accepted(otherwise) + ", or {grid: [...]}"
	}
	if condition["type"] == nil {
		return describe(s, "a value")
	}
	return Accepted(otherwise) + ", or " + Accepted(then)
}

// describe appends the description of a key, in parentheses, to text, which states what the key accepts.
func describe(s Object, text string) string {
	if about, ok := s["description"].(string); ok {
		return text + " (" + about + ")"
	}
	return text
}

// bounds describes the accepted range of a number, such as " > 0 and ≤ 1".
func bounds(s Object) string {
	var parts []string
	for _, b := range []struct{ key, sign string }{
		{"exclusiveMinimum", ">"}, {"minimum", "≥"}, {"exclusiveMaximum", "<"}, {"maximum", "≤"},
	} {
		if limit, ok := s[b.key]; ok {
			parts = append(parts, fmt.Sprintf(" %s %v", b.sign, limit))
		}
	}
	return strings.Join(parts, " and")
}
