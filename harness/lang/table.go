package lang

import (
	invopop "github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// TableSpec is a table with one row for each value of the label Rows. A column may also show the paper's printed
// numbers.
type TableSpec struct {
	// condition that selects the curves: an expression over labels
	Where string `yaml:"where"`
	// label or column with one row of the table for each value, such as C
	Rows string `yaml:"rows" jsonschema:"required"`
	// columns of the table: names such as final.passes, or maps
	Columns []Column `yaml:"columns" jsonschema:"required,minItems=1"`
	// labels such as dataset.fold: runs that differ only in these labels are averaged in a cell; seed and fold are always
	// among them
	Average []string `yaml:"average" jsonschema:"minItems=1,uniqueItems=true"`
	// CSV file with the paper's numbers, in the folder of the spec
	Printed string `yaml:"printed"`
	Line    int    `yaml:"-"`
}

// UnmarshalYAML stores the line.
func (t *TableSpec) UnmarshalYAML(n *yaml.Node) error {
	type plain TableSpec
	t.Line = n.Line
	return n.Decode((*plain)(t))
}

// Column is a column of a table. A spec gives it as a name, such as final.stage_passes, or as a map.
type Column struct {
	// expression for the values, over columns and labels, such as final.passes or powerfit(gap, epoch).slope
	Name string `yaml:"name" jsonschema:"required"`
	// heading of the column; default: the name
	Title string `yaml:"title"`
	// heading of the same column in the printed file; default: the title
	Printed string `yaml:"printed"`
	// format of the numbers, such as %.2f
	Format string `yaml:"format" jsonschema:"pattern=^%[-+ 0#]*[0-9]*([.][0-9]+)?[efgEG]$"`
	// condition on labels, which selects the runs that the column shows; default: all runs of the row. In each row, it
	// must leave one run, or runs that differ only in labels that the table averages
	Where string `yaml:"where"`
	// true for a number that does not grow with the length of a run, such as a fitted exponent. If the budget stopped the
	// run, other numbers are lower bounds, but such a number is not
	Rate bool `yaml:"rate"`
	Line int  `yaml:"-"`
}

// UnmarshalYAML accepts a name or a map, and stores the line.
func (c *Column) UnmarshalYAML(n *yaml.Node) error {
	type plain Column
	c.Line = n.Line
	if n.Kind == yaml.ScalarNode {
		c.Name = n.Value
		return nil
	}
	return n.Decode((*plain)(c))
}

// JSONSchemaExtend describes what UnmarshalYAML accepts; s describes a map.
func (Column) JSONSchemaExtend(s *invopop.Schema) {
	whole := *s
	*s = *schema.Either("object", &whole, schema.Text())
}
