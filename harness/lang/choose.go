package lang

import "gopkg.in/yaml.v3"

// Choose compares runs that differ only in the label Over, at an intermediate point, and continues only the best one by
// a metric. Runs compete within a group: the runs of the variant that agree in all labels of Per. If a value of Over
// has several runs in a group (seeds, folds), their mean is judged. The others stop at At; their rows are kept.
type Choose struct {
	// the variant: as, or name
	Solver string `yaml:"solver" jsonschema:"required"`
	// parameter of the solver that has a grid
	Over string `yaml:"over" jsonschema:"required"`
	// column to judge by
	By string `yaml:"by" jsonschema:"required"`
	// which value of the column is best
	Best string `yaml:"best" jsonschema:"enum=min,enum=max,default=min"`
	// column that breaks ties; the smallest value wins
	Ties string `yaml:"ties" jsonschema:"default=primal"`
	// when to compare; before the stop
	At At `yaml:"at" jsonschema:"required"`
	// labels that tell groups apart; default: all but over
	Per  []string `yaml:"per"`
	Line int      `yaml:"-"`
}

// UnmarshalYAML stores the line.
func (c *Choose) UnmarshalYAML(n *yaml.Node) error {
	type plain Choose
	c.Line = n.Line
	return n.Decode((*plain)(c))
}

// At is a point of a run. Exactly one field is set.
type At struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
}

// Candidate marks a run that continues beyond a point only if it is chosen there.
type Candidate struct {
	Rule  Choose // with its defaults filled in
	Group string // name of the group within which runs compete, such as "sgd: C=10 seed=1"
	Value any    // value of the label Rule.Over; runs of one group and value (seeds, folds) win or lose together
}
