package lang

import (
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Problem is a learning problem and how it is solved: the data, the model, the regularisation, the solvers, and their
// stop rules. An experiment without the key problems has one problem, without a name. Grids are expanded: there is one
// data set, model or solver for each combination of their grids.
type Problem struct {
	Name     string    `yaml:"-"` // its key in problems, which is the label problem of its runs; "" without that key
	Datasets []Dataset `yaml:"-"` // one, or one for each combination of the grids in dataset
	Models   []Model   `yaml:"-"` // the same for model
	// convention and values of the regularisation
	Regularisation Regularisation `yaml:"regularisation"`
	Solvers        []Solver       `yaml:"-"` // the solvers; those of one grid have the same As
	// which runs continue after a trial
	Choose []Choose `yaml:"choose"`
	// seeds of the runs, the same for every solver; default [1]
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	// a run ends at the first record that meets one of these rules
	Stop Stop `yaml:"stop"`
	// a run is stopped, and its figures are censored, beyond one of these limits
	Budget *Budget `yaml:"budget"`
	// when rows are written and what they hold
	Record Record `yaml:"record"`
	// which weights are the result of a run, for problems that start from them and for --save-weights: those of the
	// best row; default: the last ones
	Keep *Keep `yaml:"keep"`
	// in problems: an earlier problem; the model of this one builds on the model and weights of the earlier one's run
	// that has the same grid values of the data set, fold and seed
	From string `yaml:"from" jsonschema:"minLength=1"`
}

// problemsKey is the key of an experiment on several problems.
const problemsKey = "problems"

// problemKeys lists the keys that a problem may set; the others belong to the experiment.
func problemKeys() []string {
	return []string{"from", "dataset", "model", "regularisation", "solvers", "choose", "seeds", "stop", "budget", "record",
		"keep"}
}

// seedsOf returns the solver's own seeds, or those of the problem.
func (p *Problem) seedsOf(s Solver) []uint64 {
	if len(s.Seeds) > 0 {
		return s.Seeds
	}
	return p.Seeds
}

// values returns the values of C or λ for a solver without a path.
func (p *Problem) values(s Solver) []float64 {
	own := s.C
	if p.Regularisation.Convention == ConventionLambda {
		own = s.Lambda
	}
	if len(own) > 0 {
		return own
	}
	return p.Regularisation.values()
}

// Dataset names a data set of the catalogue, or a reader of the user's own files (Format).
type Dataset struct {
	Name   string    `yaml:"name"`
	Format string    `yaml:"format"` // libsvm, ...: instead of Name
	Params yaml.Node `yaml:"-"`      // every setting of the loader, with defaults filled in: for Entry.Decode
	Line   int       `yaml:"-"`

	differing map[string]any // the Params that differ from the defaults; nil: unknown
	axes      []tree.Axis
}

// Label returns the label of the data set's curves: its name, or the format of the user's file.
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
	Params yaml.Node `yaml:"-"`    // every setting of the model, with defaults filled in: for Entry.Decode
	Line   int       `yaml:"-"`

	differing map[string]any // the Params that differ from the defaults; nil: unknown
	axes      []tree.Axis
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
	// one run through a sequence of values of C, each warm-started from the one before, instead of one run per C
	Path *Path `yaml:"path"`
	// C moves to its target during the run
	Anneal *Anneal `yaml:"anneal"`
	// stop rules of this solver; those not given are the experiment's
	Stop *Stop `yaml:"stop"`
	// budget of this solver, instead of the experiment's
	Budget *Budget `yaml:"budget"`
	// number of goroutines that share the solver's loops over examples; default: 1. It changes the wall-clock time, but
	// no bit of the results
	Workers int `yaml:"workers" jsonschema:"minimum=1,maximum=1024"`
	// seeds of this solver, instead of the experiment's
	Seeds  []uint64  `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	Params yaml.Node `yaml:"-"` // every setting of the algorithm, with defaults filled in: for Entry.Decode
	Line   int       `yaml:"-"`
	Why    string    `yaml:"-"` // why it was selected, if the spec names an entry that selects solvers (Entry.Select)

	differing map[string]any // the Params that differ from the defaults; nil: unknown
	axes      []tree.Axis
}
