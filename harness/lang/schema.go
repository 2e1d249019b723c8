package lang

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	invopop "github.com/invopop/jsonschema"
)

// object is a JSON Schema under construction.
type object = map[string]any

// Schema returns the JSON Schema (draft 2020-12) of the language with the names and parameters of a catalogue. Editors
// complete and check by it; Parse does so too, and checks more, since a schema cannot compare two keys.
func Schema(cat Catalogue) ([]byte, error) {
	if err := cat.check(); err != nil {
		return nil, err
	}
	root := experimentSchema(cat)
	root["properties"].(object)["scales"] = scalesSchema(root)
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("lang: schema: %w", err)
	}
	return append(text, '\n'), nil
}

// experimentSchema describes an experiment at one scale.
func experimentSchema(cat Catalogue) object {
	root := cat.structSchema(reflect.TypeFor[Spec](), nil)
	maps.Copy(root["properties"].(object), cat.structSchema(reflect.TypeFor[Problem](), nil)["properties"].(object))
	root["$schema"] = invopop.Version
	root["title"] = "gaplab experiment"
	root["$defs"] = definitions(cat)
	properties := root["properties"].(object)
	properties["dataset"] = dispatch("the data", cat.Datasets, "dataset", "format")
	properties["model"] = dispatch("the model and its loss", cat.Models, "model")
	properties["solvers"] = object{
		"type": "array", "minItems": 1, "description": "the algorithms, each on its own or in variants",
		"items": dispatch("an algorithm and its parameters", cat.Solvers, "solver"),
	}
	// An experiment runs something, unless it only names the Go tests of a theorem.
	root["if"] = object{"required": []any{"kind"}, "properties": object{"kind": object{"const": "theorem"}}}
	root["else"] = object{"if": object{"required": []any{problemsKey}},
		"else": object{"required": []any{"dataset", "model", "solvers"}}}
	root["then"] = object{"dependentRequired": object{"solvers": []any{"dataset", "model"}}}
	properties[problemsKey] = object{
		"type": "object", "minProperties": 1,
		"additionalProperties": object{"type": "object", "propertyNames": object{"enum": texts(problemKeys())}},
		"description": "several learning problems, each the experiment with the problem's own keys laid over it; label " +
			"problem tells their runs apart",
	}
	return root
}

// dispatch describes an item that is told by its name (or another key): which names there are, and for each name the
// definition with its keys.
func dispatch(about string, list []Noun, kinds ...string) object {
	properties, all := object{}, []any{}
	for i, kind := range kinds {
		key := "name"
		if i > 0 {
			key = kind
		}
		accepted := object{"type": "string", "enum": texts(names(list, i > 0)), "description": "which " + kind}
		if kind != "solver" {
			accepted = gridable(accepted)
		}
		properties[key] = accepted
		for _, n := range list {
			if n.Format == (i > 0) {
				all = append(all, object{
					"if":   object{"required": []any{key}, "properties": object{key: object{"const": n.Name}}},
					"then": object{"$ref": "#/$defs/" + kind + "-" + n.Name},
				})
			}
		}
	}
	item := object{"type": "object", "description": about, "properties": properties, "allOf": all}
	if len(kinds) == 1 {
		item["required"] = []any{"name"}
	}
	return item
}

// definitions describes every noun of the catalogue: the language's keys and its own.
func definitions(cat Catalogue) object {
	defs := object{}
	add := func(kind string, n Noun, keys object, except ...string) {
		def := cat.structSchema(reflect.TypeOf(n.New()).Elem(), n.New())
		def["description"] = n.About
		properties := def["properties"].(object)
		for key, s := range keys {
			properties[key] = s
		}
		defs[kind+"-"+n.Name] = gridable(def, except...)["else"].(object)
	}
	for _, n := range cat.Datasets {
		if n.Format {
			add("format", n, object{"format": true}, "format")
		} else {
			add("dataset", n, object{"name": true}, "name")
		}
	}
	for _, n := range cat.Models {
		keys := object{"name": true}
		if len(n.Losses) > 0 {
			keys["loss"] = object{"type": "string", "enum": texts(n.Losses), "description": "loss of the training problem"}
		}
		add("model", n, keys, "name")
		if len(n.Losses) > 0 {
			def := defs["model-"+n.Name].(object)
			required, _ := def["required"].([]any)
			def["required"] = append(required, "loss")
		}
	}
	for _, n := range cat.Solvers {
		keys := cat.structSchema(reflect.TypeFor[Solver](), nil)["properties"].(object)
		keys["name"] = true
		add("solver", n, keys, "name", "as", "C", "lambda")
	}
	return defs
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
	out := object{
		"if": object{"type": "object", "required": []any{gridKey}},
		"then": object{
			"type": "object", "additionalProperties": false, "required": []any{gridKey},
			"properties": object{gridKey: object{
				"type": "array", "minItems": 1, "items": s, "description": "one run per value",
			}},
		},
		"else": plain,
	}
	if about, ok := s["description"]; ok {
		out["description"] = about
	}
	return out
}

// texts makes a list of strings a list of JSON values.
func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
