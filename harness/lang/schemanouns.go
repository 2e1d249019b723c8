package lang

import (
	"maps"
	"reflect"
)

// nounKind is what a noun of the catalogue is.
type nounKind int

const (
	datasetKind nounKind = iota
	modelKind
	solverKind
)

func nounKinds() []nounKind { return []nounKind{datasetKind, modelKind, solverKind} }

// String is the kind's word in the language: the key of an item, but for solvers, which stand in a list.
func (k nounKind) String() string { return [...]string{"dataset", "model", "solver"}[k] }

// list is what the catalogue has of the kind.
func (k nounKind) list(cat Catalogue) []Noun {
	return [...][]Noun{cat.Datasets, cat.Models, cat.Solvers}[k]
}

// keys are the keys that name a noun: name, and for readers of the user's files format.
func (k nounKind) keys() []string {
	if k == datasetKind {
		return []string{"name", "format"}
	}
	return []string{"name"}
}

// about says what an item of the kind is.
func (k nounKind) about() string {
	return [...]string{"the data", "the model and its loss", "an algorithm and its parameters"}[k]
}

// definition is the name of a noun's schema.
func (k nounKind) definition(n Noun) string {
	if n.Format {
		return "format-" + n.Name
	}
	return k.String() + "-" + n.Name
}

// itemSchema describes an item that is known by its name (or format): which names there are, and with the nouns, for
// each name the definition with its keys.
func (k nounKind) itemSchema(cat Catalogue, nouns bool) object {
	list := k.list(cat)
	properties, all := object{}, []any{}
	for i, key := range k.keys() {
		about := "which " + key
		if i == 0 {
			about = "which " + k.String()
		}
		accepted := object{"type": "string", "enum": texts(names(list, i > 0)), "description": about}
		if k != solverKind {
			accepted = gridable(accepted)
		}
		properties[key] = accepted
		for _, n := range list {
			if n.Format == (i > 0) {
				all = append(all, object{
					"if":   object{"required": []any{key}, "properties": object{key: object{"const": n.Name}}},
					"then": object{"$ref": "#/$defs/" + k.definition(n)},
				})
			}
		}
	}
	item := object{"type": "object", "description": k.about(), "properties": properties}
	if nouns {
		item["allOf"] = all
		if k == solverKind {
			maps.Copy(properties, solverKeys(cat, properties["name"]))
		}
	}
	if len(k.keys()) == 1 {
		item["required"] = []any{"name"}
	}
	return item
}

// schema describes an item with one noun: the language's keys and the noun's own, most of which take grids.
func (k nounKind) schema(cat Catalogue, n Noun) object {
	def := cat.structSchema(reflect.TypeOf(n.New()).Elem(), n.New())
	def["description"] = n.About
	properties := def["properties"].(object)
	plain := k.keys() // keys that take no grid here
	switch k {
	case datasetKind:
		if n.Format {
			plain = plain[1:]
		} else {
			plain = plain[:1]
		}
	case modelKind:
		if len(n.Losses) > 0 {
			properties["loss"] = object{"type": "string", "enum": texts(n.Losses),
				"description": "loss of the training problem"}
			required, _ := def["required"].([]any)
			def["required"] = append(required, "loss")
		}
	case solverKind:
		maps.Copy(properties, cat.structSchema(reflect.TypeFor[Solver](), nil)["properties"].(object))
		plain = append(plain, "as", "C", "lambda")
	}
	properties[plain[0]] = true
	return gridable(def, plain...)["else"].(object)
}

// solverKeys are the language's own keys of a solver, with name as given.
func solverKeys(cat Catalogue, name any) object {
	keys := gridable(cat.structSchema(reflect.TypeFor[Solver](), nil), "name", "as", "C", "lambda")["else"].(object)
	properties := keys["properties"].(object)
	properties["name"] = name
	return properties
}
