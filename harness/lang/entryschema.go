package lang

import (
	"maps"
	"reflect"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// itemSchema describes an item of a spec: which names it may have. With settings, it refers for each name to the
// definition with the entry's keys.
func (c Catalogue) itemSchema(k EntryKind, settings bool) schema.Object {
	list := k.entries(c)
	properties, all := schema.Object{}, []any{}
	for i, key := range k.Keys() {
		about := "which " + key
		if i == 0 {
			about = "which " + k.String()
		}
		name := schema.Object{"type": "string", "enum": schema.Texts(names(list, i > 0)), "description": about}
		if k != SolverKind {
			name = schema.Gridable(name)
		}
		properties[key] = name
		for _, e := range list {
			if e.Format == (i > 0) {
				all = append(all, schema.Object{
					"if": schema.Object{"required": []any{key},
						"properties": schema.Object{key: schema.Object{"const": e.Name}}},
					"then": schema.Object{"$ref": "#/$defs/" + k.definition(e)},
				})
			}
		}
	}
	item := schema.Object{"type": "object", "description": k.about(), "properties": properties}
	if settings {
		item["allOf"] = all
		if k == SolverKind {
			item["properties"] = c.solverProperties(properties["name"])
		}
	}
	if len(k.Keys()) == 1 {
		item["required"] = []any{"name"}
	}
	return item
}

// entrySchema describes an item with one entry: the language's keys and the entry's own, most of which take grids.
func (c Catalogue) entrySchema(k EntryKind, e Entry) schema.Object {
	def := schema.OfStruct(reflect.TypeOf(e.New()).Elem(), e.New(), c.Describe)
	def["description"] = e.About
	properties := def["properties"].(schema.Object)
	plain := k.Keys() // keys that take no grid here
	switch k {
	case DatasetKind:
		if e.Format {
			plain = plain[1:]
		} else {
			plain = plain[:1]
		}
	case ModelKind:
		if len(e.Losses) > 0 {
			properties["loss"] = schema.Object{"type": "string", "enum": schema.Texts(e.Losses),
				"description": "loss of the training problem"}
			required, _ := def["required"].([]any)
			def["required"] = append(required, "loss")
		}
	case SolverKind:
		maps.Copy(properties, c.structSchema(Solver{})["properties"].(schema.Object))
		plain = append(plain, "as", "C", "lambda")
	}
	properties[plain[0]] = true
	return schema.GridKeys(def, plain...)
}

// solverProperties describes the language's own keys of a solver; name describes the key name.
func (c Catalogue) solverProperties(name any) schema.Object {
	properties := schema.GridKeys(c.structSchema(Solver{}), "name", "as", "C", "lambda")["properties"].(schema.Object)
	properties["name"] = name
	return properties
}

// structSchema describes a struct of the language.
func (c Catalogue) structSchema(v any) schema.Object {
	return schema.OfStruct(reflect.TypeOf(v), nil, c.Describe)
}
