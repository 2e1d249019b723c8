package lang

import "gopkg.in/yaml.v3"

// Choose compares runs of one solver at the point At, before they end, and continues only the best. Runs that agree in
// all labels of Per form a group. Within a group, the values of the label Over (such as a step size) compete: the value
// whose run has the best value of the column By wins. If a group has several runs with one value of Over (seeds,
// folds), the mean of By over these runs is compared. The runs that do not win stop at the point At; their rows are
// stored too.
type Choose struct {
	// the solver whose runs are compared: its key "as", or its name
	Solver string `yaml:"solver" jsonschema:"required"`
	// the solver's parameter with a grid, whose values compete
	Over string `yaml:"over" jsonschema:"required"`
	// column by which runs are compared
	By string `yaml:"by" jsonschema:"required"`
	// whether the smallest or the largest value of the column is best
	Best string `yaml:"best" jsonschema:"enum=min,enum=max,default=min"`
	// column that breaks ties; the smallest value wins
	Ties string `yaml:"ties" jsonschema:"default=primal"`
	// when to compare the runs; must come before they stop
	At At `yaml:"at" jsonschema:"required"`
	// runs compete only if they agree in these labels; default: all labels but over
	Per  []string `yaml:"per"`
	Line int      `yaml:"-"`
}

// UnmarshalYAML decodes the node and stores its line number.
func (c *Choose) UnmarshalYAML(n *yaml.Node) error {
	type plain Choose
	c.Line = n.Line
	return n.Decode((*plain)(c))
}

// At is a point of a run, in passes or in epochs. Exactly one field is set.
type At struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
}

// Candidate marks a run that continues beyond a point only if it is chosen there.
type Candidate struct {
	Rule  Choose // the rule, with its defaults filled in
	Group string // name of the group within which runs compete, such as "sgd: C=10 seed=1"
	Value any    // value of the label Rule.Over; runs of one group and value (seeds, folds) win or lose together
}
