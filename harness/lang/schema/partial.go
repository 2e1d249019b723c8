package schema

import (
	"maps"
	"strings"
)

// Partial copies the schema of a map and changes the copy so that it accepts an overlay of the map: no key is required,
// and null removes a key. Conditions stay as they are. Lists and grids stay too, because an overlay replaces them as a
// whole. References to definitions are replaced by the definitions.
func Partial(s, definitions Object) Object {
	out := Object{}
	grid := IsGridable(s)
	for key, v := range s {
		switch key {
		case "required", "dependentRequired", "minProperties":
		case "default": // dropped: a key that the overlay does not set keeps its value and does not get the default
		case "$ref":
			name := strings.TrimPrefix(v.(string), "#/$defs/")
			maps.Copy(out, Partial(definitions[name].(Object), definitions))
			delete(out, "description")                           // it describes the definition, not this key
			out["additionalProperties"] = Object{"type": "null"} // null removes a setting of the old entry
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
