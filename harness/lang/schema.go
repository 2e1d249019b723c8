package lang

import (
	"maps"
	"reflect"
	"slices"

	invopop "github.com/invopop/jsonschema"
)

// object is a JSON Schema under construction.
type object = map[string]any

// Schema returns the JSON Schema (draft 2020-12) of the language with the names and parameters of a catalogue. Editors
// complete and check by it; Parse checks by the same parts, and checks more, since a schema cannot compare two keys.
func Schema(cat Catalogue) ([]byte, error) {
	if err := cat.check(); err != nil {
		return nil, err
	}
	return layout(shared(cat.wholeSchema())), nil
}

// wholeSchema describes an experiment with all its scales and all that the catalogue has.
func (cat Catalogue) wholeSchema() object {
	root := cat.experimentSchema(true)
	root["$schema"] = invopop.Version
	root["title"] = "gaplab experiment"
	defs := object{}
	for _, kind := range nounKinds() {
		for _, n := range kind.list(cat) {
			def := kind.schema(cat, n)
			if kind == solverKind { // the language's own keys appear once, next to the name
				for key := range solverKeys(cat, true) {
					def["properties"].(object)[key] = true
				}
			}
			defs[kind.definition(n)] = def
		}
	}
	root["$defs"] = defs
	root["properties"].(object)["scales"] = scalesSchema(root)
	return root
}

// experimentSchema describes an experiment at one scale. Without the nouns, any settings of data sets, models and
// solvers pass; with them, the settings are those of the definition for the name.
func (cat Catalogue) experimentSchema(nouns bool) object {
	root := cat.structSchema(reflect.TypeFor[Spec](), nil)
	properties := root["properties"].(object)
	maps.Copy(properties, cat.structSchema(reflect.TypeFor[Problem](), nil)["properties"].(object))
	properties["dataset"] = datasetKind.itemSchema(cat, nouns)
	properties["model"] = modelKind.itemSchema(cat, nouns)
	properties["solvers"] = object{
		"type": "array", "minItems": 1, "description": "the algorithms, each on its own or in variants",
		"items": solverKind.itemSchema(cat, nouns),
	}
	// An experiment runs something, unless it only names the Go tests of a theorem.
	root["if"] = object{"required": []any{"kind"}, "properties": object{"kind": object{"const": "theorem"}}}
	root["else"] = object{"if": object{"required": []any{problemsKey}},
		"else": object{"required": []any{"dataset", "model", "solvers"}}}
	root["then"] = object{"if": object{"required": []any{problemsKey}},
		"else": object{"dependentRequired": object{"solvers": []any{"dataset", "model"}}}}
	properties[problemsKey] = object{
		"type": "object", "minProperties": 1,
		"additionalProperties": object{"type": "object", "propertyNames": object{"enum": texts(problemKeys())}},
		"description": "several learning problems, each the experiment with the problem's own keys overlaid; label " +
			"problem tells their runs apart",
	}
	return root
}

// gridable lets {grid: [...]} stand for a schema's values and, below it, for the values of each key but some.
func gridable(s object, except ...string) object {
	plain := object{}
	for key, v := range s {
		plain[key] = v
	}
	if properties, ok := s["properties"].(object); ok {
		wrapped := object{}
		for key, v := range properties {
			if sub, ok := v.(object); ok && !slices.Contains(except, key) {
				v = gridable(sub)
			}
			wrapped[key] = v
		}
		plain["properties"] = wrapped
	}
	if items, ok := s["items"].(object); ok {
		plain["items"] = gridable(items)
	}
	one := maps.Clone(s)
	delete(one, "default")
	out := object{
		"if": object{"type": "object", "required": []any{gridKey}},
		"then": object{
			"type": "object", "additionalProperties": false, "required": []any{gridKey},
			"properties": object{gridKey: object{
				"type": "array", "minItems": 1, "items": one, "description": "one run per value",
			}},
		},
		"else": plain,
	}
	if about, ok := s["description"]; ok {
		out["description"] = about
	}
	return out
}

// isGridable reports whether gridable made the schema.
func isGridable(s object) bool {
	condition, _ := s["if"].(object)
	required, _ := condition["required"].([]any)
	return slices.Contains(required, any(gridKey))
}

// texts makes a list of strings a list of JSON values.
func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
