package schema

import (
	"maps"
	"strings"
)

// Partial copies the schema of a map so that it accepts an overlay of the map: no key is required, and null removes a
// key. Lists and grids stay as they are, because an overlay replaces them as a whole; so do conditions. References to
// definitions are replaced by what they refer to.
func Partial(s, definitions Object) Object {
	out := Object{}
	grid := IsGridable(s)
	for key, v := range s {
		switch key {
		case "required", "dependentRequired", "minProperties":
		case "default": // a key that the overlay lacks keeps its value
		case "$ref":
			name := strings.TrimPrefix(v.(string), "#/$defs/")
			maps.Copy(out, Partial(definitions[name].(Object), definitions))
			delete(out, "description")                           // the definition has it
			out["additionalProperties"] = Object{"type": "null"} // removes a setting that only the other entry has
		case "properties":
			properties := Object{}
			for name, p := range v.(Object) {
				if sub, ok := p.(Object); ok {
					p = Object{"if": Object{"type": "null"}, "else": Partial(sub, definitions)}
				}
				properties[name] = p
			}
			out[key] = properties
		case "allOf":
			var all []any
			for _, branch := range v.([]any) {
				all = append(all, Partial(branch.(Object), definitions))
			}
			out[key] = all
		case "then", "else":
			if out[key] = v; key == "else" || !grid {
				out[key] = Partial(v.(Object), definitions)
			}
		default:
			out[key] = v
		}
	}
	return out
}
