package lang

import (
	"encoding/json"
	"reflect"

	invopop "github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"
)

// structSchema describes a struct of settings by its tags and comments; values, if not nil, are its defaults.
func (cat Catalogue) structSchema(t reflect.Type, values any) object {
	s := toObject(cat.reflector().ReflectFromType(t))
	delete(s, "$schema")
	properties, ok := s["properties"].(object)
	if !ok {
		properties = object{}
		s["properties"] = properties
	}
	var defaults yaml.Node
	if values == nil || defaults.Encode(values) != nil {
		return s
	}
	for key, v := range properties {
		d := at(&defaults, key)
		if sub, ok := v.(object); ok && d != nil && d.Kind == yaml.ScalarNode && !isNull(d) {
			if x := value(d); !reflect.ValueOf(x).IsZero() {
				sub["default"] = x
			}
		}
	}
	return s
}

// reflector reads the language's and the nouns' struct tags.
func (cat Catalogue) reflector() *invopop.Reflector {
	return &invopop.Reflector{
		Anonymous: true, DoNotReference: true, RequiredFromJSONSchemaTags: true, FieldNameTag: "yaml", Mapper: cat.mapType,
		LookupComment: cat.Comment,
	}
}

// mapType describes the types that more than one kind of YAML value decodes to, and unsigned numbers.
func (cat Catalogue) mapType(t reflect.Type) *invopop.Schema {
	either := func(kind string, then, otherwise *invopop.Schema) *invopop.Schema {
		return &invopop.Schema{If: &invopop.Schema{Type: kind}, Then: then, Else: otherwise}
	}
	one := uint64(1)
	text := &invopop.Schema{Type: "string", MinLength: &one}
	switch t {
	case reflect.TypeFor[Strings]():
		return either("array", &invopop.Schema{Type: "array", Items: text, MinItems: &one}, text)
	case reflect.TypeFor[SeriesList]():
		list := cat.reflector().ReflectFromType(reflect.TypeFor[[]Series]())
		list.Version, list.MinItems = "", &one
		return either("array", list, text)
	case reflect.TypeFor[Column]():
		type plain Column // not this type again
		inner := cat.reflector()
		if inner.LookupComment != nil {
			inner.LookupComment = func(_ reflect.Type, field string) string { return cat.Comment(t, field) }
		}
		full := inner.ReflectFromType(reflect.TypeFor[plain]())
		full.Version = ""
		return either("object", full, text)
	case reflect.TypeFor[Values]():
		positive := &invopop.Schema{Type: "number", ExclusiveMinimum: "0"}
		list := &invopop.Schema{Type: "array", Items: positive, MinItems: &one}
		grid := &invopop.Schema{
			Type: "object", Required: []string{gridKey}, AdditionalProperties: invopop.FalseSchema,
			Properties: invopop.NewProperties(),
		}
		grid.Properties.Set(gridKey, list)
		return either("object", grid, either("array", list, positive))
	}
	switch t.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &invopop.Schema{Type: "integer", Minimum: "0"}
	}
	return nil
}

// toObject turns a reflected schema into plain JSON values.
func toObject(s *invopop.Schema) object {
	text, err := json.Marshal(s)
	if err != nil {
		panic("lang: schema of a struct: " + err.Error())
	}
	var out object
	if err := json.Unmarshal(text, &out); err != nil {
		panic("lang: schema of a struct: " + err.Error())
	}
	return out
}
