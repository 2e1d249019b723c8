package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
)

// leastShared is the smallest length in bytes, as JSON, of a schema that becomes a shared definition.
const leastShared = 80

// Share returns a schema that accepts the same values as s, but is shorter: schemas that occur several times below s
// become definitions in $defs. Two schemas are the same if they differ only in descriptions and defaults, which stay
// beside the references. The name of a new definition is a hash of its content, so a change in one entry's settings
// does not rename the definitions of others.
func Share(s Object) Object {
	sharing := sharing{uses: map[string]int{}, definitions: Object{}}
	s = lift(s)
	sharing.count(s)
	out := sharing.refer(s)
	definitions, _ := out["$defs"].(Object)
	maps.Copy(sharing.definitions, definitions)
	out["$defs"] = sharing.definitions
	return out
}

// sharing finds equal schemas.
type sharing struct {
	uses        map[string]int // how often a schema occurs, by its JSON text without description and default
	definitions Object         // the new definitions
}

// count adds one use for s and for each schema below s. If s was counted before, the schemas below s are not counted
// again.
func (h sharing) count(s Object) Object {
	_, bare := split(s)
	text := encode(bare)
	if h.uses[text]++; h.uses[text] == 1 {
		below(bare, h.count)
	}
	return s
}

// refer replaces the schemas that occur several times by references.
func (h sharing) refer(s Object) Object {
	notes, bare := split(s)
	text := encode(bare)
	out := below(bare, h.refer)
	if h.uses[text] > 1 && len(text) >= leastShared {
		sum := sha256.Sum256([]byte(text))
		name := "shared-" + hex.EncodeToString(sum[:4])
		h.definitions[name] = out
		out = Object{"$ref": "#/$defs/" + name}
	}
	maps.Copy(out, notes)
	return out
}

// split separates the description and the default of a schema from the rest. These two do not restrict which values the
// schema accepts.
func split(s Object) (notes, rest Object) {
	notes, rest = Object{}, maps.Clone(s)
	for _, key := range []string{"description", "default"} {
		if v, ok := s[key]; ok {
			notes[key] = v
			delete(rest, key)
		}
	}
	return notes, rest
}

// lift moves descriptions and defaults from the branches of a condition (then, else) up to the schema that has the
// condition.
func lift(s Object) Object {
	s = below(s, lift)
	other, ok := s["else"].(Object)
	if !ok {
		return s
	}
	notes, rest := split(other)
	s["else"] = rest
	if IsGridable(s) {
		list := s["then"].(Object)["properties"].(Object)["grid"].(Object)
		if items, ok := list["items"].(Object); ok {
			_, list["items"] = split(items)
		}
	}
	maps.Copy(notes, s)
	return notes
}

// below returns a copy of s in which f is applied to each schema directly below s.
func below(s Object, f func(Object) Object) Object {
	apply := func(v any) any {
		if sub, ok := v.(Object); ok {
			return f(sub)
		}
		return v // the schema true or false, which has nothing below it
	}
	out := Object{}
	for key, v := range s {
		switch key {
		case "properties", "$defs":
			schemas := Object{}
			for name, sub := range v.(Object) {
				schemas[name] = apply(sub)
			}
			v = schemas
		case "allOf":
			var list []any
			for _, sub := range v.([]any) {
				list = append(list, apply(sub))
			}
			v = list
		case "if", "then", "else", "items", "additionalProperties", "propertyNames":
			v = apply(v)
		}
		out[key] = v
	}
	return out
}
