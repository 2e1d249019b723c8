package lang

import (
	invopop "github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Strings is a list of strings. A spec may give one string in place of the list.
type Strings []string

// UnmarshalYAML accepts a string or a list.
func (s *Strings) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		*s = Strings{n.Value}
		return nil
	}
	return n.Decode((*[]string)(s))
}

// JSONSchema describes what UnmarshalYAML accepts.
func (Strings) JSONSchema() *invopop.Schema {
	return schema.Either("array", schema.List(schema.Text()), schema.Text())
}

// Values is a list of numbers > 0. A spec may give one number, a list, or {grid: list}.
type Values []float64

// UnmarshalYAML accepts a number, a list or a grid.
func (v *Values) UnmarshalYAML(n *yaml.Node) error {
	if items, ok := tree.GridItems(n); ok {
		n = items
	}
	if n.Kind == yaml.SequenceNode {
		return n.Decode((*[]float64)(v))
	}
	*v = make(Values, 1)
	return n.Decode(&(*v)[0])
}

// JSONSchema describes what UnmarshalYAML accepts.
func (Values) JSONSchema() *invopop.Schema {
	positive := &invopop.Schema{Type: "number", ExclusiveMinimum: "0"}
	list := schema.List(positive)
	return schema.Either("object", schema.GridOf(list), schema.Either("array", list, positive))
}
