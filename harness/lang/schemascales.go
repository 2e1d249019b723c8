package lang

import (
	"maps"
	"strings"
)

// scalesSchema describes the overlays of an experiment, for editors: the same keys, none required, null anywhere.
func scalesSchema(root object) object {
	overlay := relaxed(root, root["$defs"].(object))
	for _, key := range []string{"$schema", "$defs", "title", "if", "then", "else"} {
		delete(overlay, key)
	}
	properties := overlay["properties"].(object)
	for _, key := range fixedKeys() {
		delete(properties, key)
	}
	root["$defs"].(object)["overlay"] = overlay // once: it is long
	scales := object{}
	for _, name := range scaleNames() {
		scales[name] = object{"if": object{"type": "null"}, "else": object{"$ref": "#/$defs/overlay"}}
	}
	return object{
		"type": "object", "properties": scales, "additionalProperties": false,
		"description": "the same experiment at other sizes: what is not named stays, null removes a key",
	}
}

// relaxed copies a schema of a map so that a part of the map passes: no key is required, and null removes one. Lists
// and grids stay as they are, since an overlay replaces them whole; so do conditions.
func relaxed(s, defs object) object {
	out := object{}
	grid := isGridable(s)
	for key, v := range s {
		switch key {
		case "required", "dependentRequired", "minProperties":
		case "default": // what a scale does not name is as in the file
		case "$ref":
			name := strings.TrimPrefix(v.(string), "#/$defs/")
			maps.Copy(out, relaxed(defs[name].(object), defs))
			delete(out, "description")                           // of the noun; it appears once
			out["additionalProperties"] = object{"type": "null"} // a key of the noun that was there before
		case "properties":
			properties := object{}
			for name, p := range v.(object) {
				if sub, ok := p.(object); ok {
					p = object{"if": object{"type": "null"}, "else": relaxed(sub, defs)}
				}
				properties[name] = p
			}
			out[key] = properties
		case "allOf":
			var all []any
			for _, branch := range v.([]any) {
				all = append(all, relaxed(branch.(object), defs))
			}
			out[key] = all
		case "then", "else":
			if out[key] = v; key == "else" || !grid {
				out[key] = relaxed(v.(object), defs)
			}
		default:
			out[key] = v
		}
	}
	return out
}
