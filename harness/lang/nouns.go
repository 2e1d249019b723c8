package lang

import "gopkg.in/yaml.v3"

// Dataset names a data set of the catalogue, or (Format) a reader of the user's own file.
type Dataset struct {
	Name   string    `yaml:"name"`
	Format string    `yaml:"format"` // libsvm, ...: instead of Name
	Params yaml.Node `yaml:"-"`      // every parameter of the loader, defaults filled in: for Noun.Decode
	Line   int       `yaml:"-"`

	differing map[string]any // the Params that differ from the noun's defaults; nil: not known
	axes      []axis
}

// Label is what the data set's curves are told apart by: its name, or the format of the user's file.
func (d Dataset) Label() string {
	if d.Name == "" {
		return d.Format
	}
	return d.Name
}

// Model names a model and a loss.
type Model struct {
	Name   string    `yaml:"name"`
	Loss   string    `yaml:"loss"` // log, hinge; empty if the model takes none
	Params yaml.Node `yaml:"-"`    // every parameter of the model, defaults filled in: for Noun.Decode
	Line   int       `yaml:"-"`

	differing map[string]any // the Params that differ from the noun's defaults; nil: not known
	axes      []axis
}

// Solver names an algorithm and its variant.
type Solver struct {
	// name of the variant in curves; default: name
	As string `yaml:"as" jsonschema:"minLength=1"`
	// the algorithm
	Name string `yaml:"name" jsonschema:"required"`
	// values of C for this solver, instead of the experiment's
	C Values `yaml:"C"`
	// values of lambda for this solver, instead of the experiment's
	Lambda Values `yaml:"lambda"`
	// a warm-started range of C in one run, instead of one run per C
	Path *Path `yaml:"path"`
	// C moves to its target during the run
	Anneal *Anneal `yaml:"anneal"`
	// stop rules of this solver; what is not named is the experiment's
	Stop *Stop `yaml:"stop"`
	// budget of this solver, instead of the experiment's
	Budget *Budget `yaml:"budget"`
	// goroutines among which the solver divides its loops over examples, 1 by default: the bits of the
	// results do not depend on it, seconds of the wall do
	Workers int `yaml:"workers" jsonschema:"minimum=1,maximum=1024"`
	// seeds of this solver, instead of the experiment's
	Seeds  []uint64  `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	Params yaml.Node `yaml:"-"` // every parameter of the algorithm, defaults filled in: for Noun.Decode
	Line   int       `yaml:"-"`
	Why    string    `yaml:"-"` // why it was chosen, if a spec names another that stands for it (Noun.Rule); else ""

	differing map[string]any // the Params that differ from the noun's defaults; nil: not known
	axes      []axis
}
