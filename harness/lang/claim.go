package lang

import "gopkg.in/yaml.v3"

// Claim is a statement of the paper and the expression that checks the statement.
type Claim struct {
	// id of the claim within the experiment, such as c1
	//
	// The full id begins with the experiment's: eg/fig06/c1.
	ID string `yaml:"id" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$"`
	// the paper's statement
	Says string `yaml:"says" jsonschema:"required"`
	// section of the paper
	Where string `yaml:"where"`
	// M theorem or invariant, E finding, V printed value
	Kind string `yaml:"kind" jsonschema:"enum=M,enum=E,enum=V"`
	// data that can decide the claim: Y any data, S a substitute of the same kind, R only the paper's own data
	Data string `yaml:"data" jsonschema:"enum=Y,enum=S,enum=R"`
	// expression that is true if the claim holds
	Assert string `yaml:"assert"`
	// expression whose value is reported beside the verdict; a map such as {"effective passes": ...} gives its values
	// names and units
	Measure string `yaml:"measure"`
	// the tolerance used in assert, and the reason for its size
	Tol string `yaml:"tol"`
	// scales that can decide the claim; default: all
	Scales []string `yaml:"scales" jsonschema:"minItems=1,enum=smoke,enum=quick,enum=paper"`
	// why the scales not listed cannot decide the claim; required with scales
	Because string `yaml:"because"`
	// name of a Go test that also checks the claim; required for kind M
	Tested string `yaml:"tested"`
	Line   int    `yaml:"-"`
}

// UnmarshalYAML decodes the node and stores its line number.
func (c *Claim) UnmarshalYAML(n *yaml.Node) error {
	type plain Claim
	c.Line = n.Line
	return n.Decode((*plain)(c))
}
