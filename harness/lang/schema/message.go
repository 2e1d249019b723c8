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
			p.Add(s.line, tree.Join(key, name), "missing; accepted: %s", s.acceptedAt(name))
		}
	case *kind.DependentRequired:
		for _, name := range k.Missing {
			p.Add(s.line, tree.Join(key, name), "missing, because %q is given; accepted: %s", k.Prop, s.acceptedAt(name))
		}
	case *kind.Enum:
		p.Add(s.line, key, "unknown value %s%s; accepted: %s", tree.Quote(s.node), s.suggestion(), Accepted(s.schema))
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
		p.Add(line, path, "unknown key%s; accepted: %s", nearest.DidYouMean(name, keys), list)
	}
}

// suggestion returns ", did you mean ...?" with the accepted value nearest to the given one; "" if none is near.
func (s place) suggestion() string {
	var words []string
	values, _ := s.schema["enum"].([]any)
	for _, v := range values {
		if word, ok := v.(string); ok {
			words = append(words, word)
		}
	}
	return nearest.DidYouMean(s.node.Value, words)
}

// hint returns the usual cause of a value of the wrong type, or what to write instead. The text begins with a comma or
// a semicolon.
func (s place) hint() string {
	switch {
	case tree.IsGrid(s.node):
		return ", which is not allowed here"
	case s.named() && s.node.Kind == yaml.ScalarNode && s.node.ShortTag() == "!!str":
		return fmt.Sprintf("; write {name: %s}", s.node.Value)
	case s.schema["type"] == "string" && s.node.Kind == yaml.ScalarNode && !tree.IsNull(s.node) &&
		s.node.ShortTag() != "!!str":
		return ", which is not text unless quoted"
	}
	return ""
}

// named reports whether the schema accepts a map with the key "name".
func (s place) named() bool {
	properties, _ := s.schema["properties"].(Object)
	return s.schema["type"] == "object" && properties["name"] != nil
}

// acceptedAt returns a description of the values that a key of the map at the place accepts.
func (s place) acceptedAt(key string) string {
	properties, _ := s.schema["properties"].(Object)
	sub, _ := properties[key].(Object)
	return Accepted(sub)
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
