package lang

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

	"github.com/gaplab/gaplab/internal/nearest"
)

// place is where a value departs from the schema, and the part of the schema that it departs from.
type place struct {
	node   *yaml.Node
	path   []string
	line   int
	schema object
}

// report says what is wrong at the place, and what would be right.
func (s place) report(p *faults, fault jsonschema.ErrorKind) {
	key := strings.Join(s.path, ".")
	switch k := fault.(type) {
	case *kind.AdditionalProperties:
		s.unknownKeys(p, k.Properties)
	case *kind.Required:
		for _, name := range k.Missing {
			p.add(s.line, join(key, name), "missing; accepted: %s", s.acceptedAt(name))
		}
	case *kind.DependentRequired:
		for _, name := range k.Missing {
			p.add(s.line, join(key, name), "missing, as %s is given; accepted: %s", k.Prop, s.acceptedAt(name))
		}
	case *kind.Enum:
		p.add(s.line, key, "unknown value %s%s; accepted: %s", quoteNode(s.node), s.suggestion(), accepted(s.schema))
	case *kind.Minimum, *kind.Maximum, *kind.ExclusiveMinimum, *kind.ExclusiveMaximum:
		p.add(s.line, key, "%s is out of range; accepted: %s", s.node.Value, accepted(s.schema))
	case *kind.MinItems, *kind.MaxItems:
		p.add(s.line, key, "got %d items; accepted: %s", len(s.node.Content), accepted(s.schema))
	case *kind.UniqueItems:
		second := s.node.Content[k.Duplicates[1]]
		p.add(second.Line, key, "item %s is repeated; accepted: each once", quoteNode(second))
	case *kind.Type, *kind.Const, *kind.Pattern, *kind.MinLength, *kind.MaxLength:
		p.add(s.line, key, "got %s%s; accepted: %s", quoteNode(s.node), s.hint(), accepted(s.schema))
	default: // keywords that only a noun's own tags can introduce
		p.add(s.line, key, "%s", fault.LocalizedString(message.NewPrinter(language.English)))
	}
}

// unknownKeys reports keys that a map does not have, at the keys' own lines.
func (s place) unknownKeys(p *faults, names []string) {
	properties, _ := s.schema["properties"].(object)
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
		path := join(strings.Join(s.path, "."), name)
		if name == gridKey {
			p.add(line, path, "a grid cannot stand here; accepted: %s", list)
			continue
		}
		p.add(line, path, "unknown key%s; accepted: %s", nearest.DidYouMean(name, keys), list)
	}
}

// suggestion is the accepted value nearest to the one given.
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

// hint names the usual cause of a value of the wrong type.
func (s place) hint() string {
	switch {
	case isGrid(s.node):
		return ", which cannot stand here"
	case s.schema["type"] == "string" && s.node.Kind == yaml.ScalarNode && !isNull(s.node) && s.node.ShortTag() != "!!str":
		return ", which is not text unless quoted"
	}
	return ""
}

// acceptedAt describes the values of a key of the place's map.
func (s place) acceptedAt(key string) string {
	properties, _ := s.schema["properties"].(object)
	sub, _ := properties[key].(object)
	return accepted(sub)
}

// accepted describes the values of a schema in words.
func accepted(s object) string {
	if values, ok := s["enum"].([]any); ok {
		list := make([]string, len(values))
		for i, v := range values {
			list[i] = fmt.Sprint(v)
		}
		return strings.Join(list, ", ")
	}
	if condition, ok := s["if"].(object); ok {
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
		items, _ := s["items"].(object)
		return "a list, each item " + accepted(items)
	case "object":
		if properties, ok := s["properties"].(object); ok {
			return "a map with " + strings.Join(slices.Sorted(maps.Keys(properties)), ", ")
		}
		return "a map"
	}
	return describe(s, "a value")
}

// acceptedEither describes a schema whose values are of two kinds.
func acceptedEither(s, condition object) string {
	otherwise, _ := s["else"].(object)
	then, _ := s["then"].(object)
	if properties, ok := then["properties"].(object); ok && properties[gridKey] != nil {
		return accepted(otherwise) + ", or {grid: [...]}"
	}
	if condition["type"] == nil {
		return describe(s, "a value")
	}
	return accepted(otherwise) + ", or " + accepted(then)
}

// describe adds what a key is for to what it accepts.
func describe(s object, text string) string {
	if about, ok := s["description"].(string); ok {
		return text + " (" + about + ")"
	}
	return text
}

// bounds describes the range of a number, with a space before it.
func bounds(s object) string {
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

// join appends a step to a dotted path.
func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "." + step
}
