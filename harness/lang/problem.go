package lang

import (
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Problem is a learning problem with its solvers: the data, the model, the regularisation, the solvers, and their stop
// rules. An experiment without the key "problems" has one problem, whose name is empty. Grids are expanded: there is
// one data set, model or solver for each combination of the values in their grids.
type Problem struct {
	Name     string    `yaml:"-"` // its key in the map problems, also the label "problem" of its runs; "" without that map
	Datasets []Dataset `yaml:"-"` // one, or one for each combination of the grids in dataset
	Models   []Model   `yaml:"-"` // one, or one for each combination of the grids in model
	// convention and values of the regularisation
	Regularisation Regularisation `yaml:"regularisation"`
	Solvers        []Solver       `yaml:"-"` // a solver of the spec with grids gives several, all with the same As
	// rules that compare runs, at their end or at an early point, and choose the best value of a setting
	Choose Choices `yaml:"choose"`
	// seeds of the runs, the same for every solver; default [1]
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	// a run ends at the first record that meets one of these rules
	Stop Stop `yaml:"stop"`
	// limits of a run; a run that exceeds one of them is stopped, and figures show that it was cut off (censored)
	Budget *Budget `yaml:"budget"`
	// when rows are written, and which values they contain
	Record Record `yaml:"record"`
	// rule that selects the result of a run: the weights of the row with the best value of a column. --save-weights saves
	// these weights, and a problem with the key "from" may start from them; default: the weights of the last row
	Keep *Keep `yaml:"keep"`
	// in problems: name of an earlier problem, from whose weights the runs of this one start. Each run uses the model and
	// weights of the earlier run that has the same data set, fold and seed, and the same values of the data set's grids
	From string `yaml:"from" jsonschema:"minLength=1"`
}

// problemsKey is the key of the map of problems in an experiment with several problems.
const problemsKey = "problems"

// problemKeys lists the keys that a problem may set; the others belong to the experiment.
func problemKeys() []string {
	return []string{"from", "dataset", "model", "regularisation", "solvers", "choose", "seeds", "stop", "budget", "record",
		"keep"}
}

// seedsOf returns the solver's own seeds or, if it has none, the problem's seeds.
func (p *Problem) seedsOf(s Solver) []uint64 {
	if len(s.Seeds) > 0 {
		return s.Seeds
	}
	return p.Seeds
}

// values returns the values of C or λ for a solver without the key "path".
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
	Format string    `yaml:"format"` // reader of the user's file, such as libsvm; given instead of Name
	Params yaml.Node `yaml:"-"`      // every setting of the data set, with defaults filled in: for Entry.Decode
	Line   int       `yaml:"-"`

	differing map[string]any // the Params that differ from the defaults; nil: unknown
	axes      []tree.Axis
}

// Label returns the value of the label "dataset" in curves: the data set's name, or the format of the user's file.
func (d Dataset) Label() string {
	if d.Name == "" {
		return d.Format
	}
	return d.Name
}

// Model names a model and a loss.
type Model struct {
	Name   string    `yaml:"name"`
	Loss   string    `yaml:"loss"` // log or hinge; empty if the model has no loss
	Params yaml.Node `yaml:"-"`    // every setting of the model, with defaults filled in: for Entry.Decode
	Line   int       `yaml:"-"`

	differing map[string]any // the Params that differ from the defaults; nil: unknown
	axes      []tree.Axis
}

// Solver is an algorithm with its settings, under the name As.
type Solver struct {
	// name of the solver's curves, to tell variants of one algorithm apart; default: name
	As string `yaml:"as" jsonschema:"minLength=1"`
	// name of the algorithm
	Name string `yaml:"name" jsonschema:"required"`
	// values of C for this solver, instead of the experiment's
	C Values `yaml:"C"`
	// values of lambda for this solver, instead of the experiment's
	Lambda Values `yaml:"lambda"`
	// one run through a sequence of values of C, instead of one run per C; each value starts from the solution of the
	// value before (warm start)
	Path *Path `yaml:"path"`
	// starts each run with another C and moves it to the target C during the run
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
	Why    string    `yaml:"-"` // why gaplab selected this solver; "" if the spec names the solver itself

	differing map[string]any // the Params that differ from the defaults; nil: unknown
	axes      []tree.Axis
}
