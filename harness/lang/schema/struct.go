package schema

import (
	"encoding/json"
	"reflect"

	invopop "github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Describe returns the description of a field of a struct of settings; "" if there is none. The function Comments makes
// a Describe.
type Describe func(t reflect.Type, field string) string

// OfStruct returns the schema of a struct of settings, made from the tags of its fields (see
// github.com/invopop/jsonschema) and from their descriptions. defaults, if not nil, is a struct of the same type; its
// scalars that are not zero become the defaults in the schema. describe may be nil too.
func OfStruct(t reflect.Type, defaults any, describe Describe) Object {
	r := &invopop.Reflector{
		Anonymous: true, DoNotReference: true, RequiredFromJSONSchemaTags: true, FieldNameTag: "yaml",
		Mapper: unsigned, LookupComment: describe,
	}
	s := toObject(r.ReflectFromType(t))
	delete(s, "$schema")
	properties, ok := s["properties"].(Object)
	if !ok {
		properties = Object{}
		s["properties"] = properties
	}
	var n yaml.Node
	if defaults == nil || n.Encode(defaults) != nil {
		return s
	}
	for key, v := range properties {
		d := tree.At(&n, key)
		if sub, ok := v.(Object); ok && d != nil && d.Kind == yaml.ScalarNode && !tree.IsNull(d) {
			if x := tree.Value(d); !reflect.ValueOf(x).IsZero() {
				sub["default"] = x
			}
		}
	}
	return s
}

// unsigned returns a schema with minimum 0 for types of unsigned integers.
func unsigned(t reflect.Type) *invopop.Schema {
	switch t.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &invopop.Schema{Type: "integer", Minimum: "0"}
	}
	return nil
}

// toObject converts a schema of the library invopop to plain JSON values.
func toObject(s *invopop.Schema) Object {
	text, err := json.Marshal(s)
	if err != nil {
		panic("schema: a struct: " + err.Error())
	}
	var out Object
	if err := json.Unmarshal(text, &out); err != nil {
		panic("schema: a struct: " + err.Error())
	}
	return out
}

// Either returns a schema that accepts two kinds of values: those of the JSON type jsonType must match the first schema
// (then), all others must match the second schema (otherwise). Types that decode from several kinds of YAML values
// return such a schema from their method JSONSchema.
func Either(jsonType string, then, otherwise *invopop.Schema) *invopop.Schema {
	return &invopop.Schema{If: &invopop.Schema{Type: jsonType}, Then: then, Else: otherwise}
}

// List returns the schema of a list with at least one item.
func List(items *invopop.Schema) *invopop.Schema {
	one := uint64(1)
	return &invopop.Schema{Type: "array", Items: items, MinItems: &one}
}

// Text returns the schema of a text that is not empty.
func Text() *invopop.Schema {
	one := uint64(1)
	return &invopop.Schema{Type: "string", MinLength: &one}
}

// GridOf returns the schema of a grid, whose list of values has the schema list.
func GridOf(list *invopop.Schema) *invopop.Schema {
	grid := &invopop.Schema{
		Type: "object", Required: []string{tree.GridKey}, AdditionalProperties: invopop.FalseSchema,
		Properties: invopop.NewProperties(),
	}
	grid.Properties.Set(tree.GridKey, list)
	return grid
}
