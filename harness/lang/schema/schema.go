// Package schema makes JSON Schemas (draft 2020-12) from structs of settings, and checks trees of YAML nodes against
// them. Its messages list the accepted values. The package uses only one key of the language of experiments: grid.
//
//	s := schema.GridKeys(schema.OfStruct(reflect.TypeFor[Settings](), defaults, describe)) // as plain JSON values
//	text := schema.Layout(schema.Share(s))                                                 // for editors
package schema

import (
	"maps"
	"slices"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Object is a JSON Schema as encoding/json decodes it.
type Object = map[string]any

// Texts converts a list of strings to a list of JSON values.
func Texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// Gridable returns a schema that accepts the values of s, or a grid of such values. The values of keys below s may be
// grids too.
func Gridable(s Object) Object {
	one := maps.Clone(s)
	delete(one, "default")
	out := Object{
		"if": Object{"type": "object", "required": []any{tree.GridKey}},
		"then": Object{
			"type": "object", "additionalProperties": false, "required": []any{tree.GridKey},
			"properties": Object{tree.GridKey: Object{
				"type": "array", "minItems": 1, "items": one, "description": "one run per value",
			}},
		},
		"else": GridKeys(s),
	}
	if about, ok := s["description"]; ok {
		out["description"] = about
	}
	return out
}

// GridKeys returns s with the schema of each key made Gridable, except the keys listed in except, and with the schema
// of list items made Gridable.
func GridKeys(s Object, except ...string) Object {
	out := maps.Clone(s)
	if properties, ok := s["properties"].(Object); ok {
		below := Object{}
		for key, v := range properties {
			if sub, ok := v.(Object); ok && !slices.Contains(except, key) {
				v = Gridable(sub)
			}
			below[key] = v
		}
		out["properties"] = below
	}
	if items, ok := s["items"].(Object); ok {
		out["items"] = Gridable(items)
	}
	return out
}

// IsGridable reports whether s is a result of Gridable.
func IsGridable(s Object) bool {
	condition, _ := s["if"].(Object)
	required, _ := condition["required"].([]any)
	return slices.Contains(required, any(tree.GridKey))
}
