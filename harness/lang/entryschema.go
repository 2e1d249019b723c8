package lang

import (
	"maps"
	"reflect"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// itemSchema returns the schema of an item (a data set, model or solver) of a spec, with the accepted names. If
// settings is true, the schema also refers, for each name, to the definition with the settings of that entry.
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

// entrySchema returns the schema of an item that names entry e: the language's keys and the entry's own. Most of these
// keys accept grids.
func (c Catalogue) entrySchema(k EntryKind, e Entry) schema.Object {
	def := schema.OfStruct(reflect.TypeOf(e.New()).Elem(), e.New(), c.Describe)
	def["description"] = e.About
	properties := def["properties"].(schema.Object)
	plain := k.Keys() // keys whose values may not be grids in this schema
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

// solverProperties returns the schemas of the language's own keys of a solver. The parameter name is the schema of the
// key "name".
func (c Catalogue) solverProperties(name any) schema.Object {
	properties := schema.GridKeys(c.structSchema(Solver{}), "name", "as", "C", "lambda")["properties"].(schema.Object)
	properties["name"] = name
	return properties
}

// structSchema returns the schema of a struct of the language.
func (c Catalogue) structSchema(v any) schema.Object {
	return schema.OfStruct(reflect.TypeOf(v), nil, c.Describe)
}
