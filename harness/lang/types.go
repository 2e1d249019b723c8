package lang

import "gopkg.in/yaml.v3"

// Version is the one apiVersion that this package reads.
const Version = "gaplab/v1"

// Spec is one experiment at one scale: overlays and --set applied, defaults filled in, checked. Data sets, models and
// solvers stand without grids, one entry per combination.
type Spec struct {
	File  string `yaml:"-"` // the file's name as given to Parse
	Scale string `yaml:"-"` // smoke, quick, paper; own if the file has no scales
	// version of the language
	APIVersion string `yaml:"apiVersion" jsonschema:"required,enum=gaplab/v1"`
	// paper/item, such as eg/fig06
	ID string `yaml:"id" jsonschema:"required,pattern=^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$"`
	// heading of the figure or table
	Title string `yaml:"title"`
	// default: by what the spec has
	Kind string `yaml:"kind" jsonschema:"enum=figure,enum=table,enum=theorem,enum=own"`
	// the item that the experiment regenerates
	Paper    *Paper    `yaml:"paper"`
	Datasets []Dataset `yaml:"-"` // alternatives of dataset, one unless it holds a grid
	Models   []Model   `yaml:"-"` // alternatives of model
	// convention and values of the regularisation
	Regularisation Regularisation `yaml:"regularisation"`
	Solvers        []Solver       `yaml:"-"` // solvers with their grids multiplied out; alternatives share As
	// which runs go on after a trial
	Choose []Choose `yaml:"choose"`
	// seeds of the runs, the same for every solver; default [1]
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	// run everything once per seed and fold
	Repeat Repeat `yaml:"repeat"`
	// a run is done at the first record that meets one of these
	Stop Stop `yaml:"stop"`
	// a run is given up, and its figures are censored, beyond one of these
	Budget *Budget `yaml:"budget"`
	// when rows are written and what they hold
	Record Record `yaml:"record"`
	// which weights a run leaves to the problems that begin with them, and to --save-weights: the last ones, or
	// those of the best row
	Keep *Keep `yaml:"keep"`
	// in problems: an earlier problem, whose model and weights this one's model is built on; of its runs the one
	// that agrees in all grids of the data set, folds and seeds
	From string `yaml:"from" jsonschema:"minLength=1"`
	// one panel given in place, or several in panels
	Figure *Figure `yaml:"figure"`
	// one row per value of a label, beside the paper's printed numbers
	Table *Table `yaml:"table"`
	// statements of the paper with the expressions that check them
	Claims []Claim `yaml:"claims"`

	Problem string  `yaml:"-"` // of a part: its name
	Parts   []*Spec `yaml:"-"` // one per problem, if the experiment has several; their runs are the experiment's

	catalogue Catalogue
}

// Paper says which item of which paper the experiment regenerates.
type Paper struct {
	// the paper: eg, cutting-plane, egr, bethe, rsd
	Key string `yaml:"key" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$"`
	// number of the figure
	Figure int `yaml:"figure" jsonschema:"minimum=1"`
	// number of the table
	Table int `yaml:"table" jsonschema:"minimum=1"`
	// section, if it is neither figure nor table
	Section string `yaml:"section"`
}

// Dataset names a data set of the catalogue, or (Format) a reader of the user's own file.
type Dataset struct {
	Name   string    `yaml:"name"`
	Format string    `yaml:"format"` // libsvm, ...: instead of Name
	Params yaml.Node `yaml:"-"`      // every parameter of the loader, defaults filled in: for Noun.Decode
	Line   int       `yaml:"-"`

	axes []axis
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

	axes []axis
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
	// seeds of this solver, instead of the experiment's
	Seeds  []uint64  `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	Params yaml.Node `yaml:"-"` // every parameter of the algorithm, defaults filled in: for Noun.Decode
	Line   int       `yaml:"-"`

	axes []axis
}

// Repeat runs everything once per seed and fold.
type Repeat struct {
	// the same as the top-level seeds: only one of the two may be given
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	// number of folds of the data
	Folds int `yaml:"folds" jsonschema:"minimum=2,maximum=1000"`
}

// Stop ends a run with status done, at the first record that meets one of its rules. Zero: no such rule.
//
// It bounds the whole of a run with a path, its Gap apart: the gap that ends a stage stands in Path.Until.
type Stop struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
	// relative duality gap: (primal - dual)/|primal|
	Gap float64 `yaml:"gap" jsonschema:"exclusiveMinimum=0"`
	// solver time
	Seconds float64 `yaml:"seconds" jsonschema:"exclusiveMinimum=0"`
}

// over returns the rules of s with those that other names in their place.
func (s Stop) over(other *Stop) Stop {
	if other == nil {
		return s
	}
	if other.Passes > 0 {
		s.Passes = other.Passes
	}
	if other.Epochs > 0 {
		s.Epochs = other.Epochs
	}
	if other.Gap > 0 {
		s.Gap = other.Gap
	}
	if other.Seconds > 0 {
		s.Seconds = other.Seconds
	}
	return s
}

// Budget ends a run with status budget: its figures are then censored. Zero: no such limit.
type Budget struct {
	// effective passes
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// solver time
	Seconds float64 `yaml:"seconds" jsonschema:"exclusiveMinimum=0"`
	// what becomes of the figures of such a run
	Then string `yaml:"then" jsonschema:"enum=censored,default=censored"`
}

// Record says when rows are written and what they hold. The start and the end of a run are always recorded.
type Record struct {
	// distance of two rows; default one pass
	Every Cadence `yaml:"every"`
	// columns to evaluate, or all (the default)
	//
	// nil: all
	Metrics Strings `yaml:"metrics"`
	// evaluate the metrics on the training examples as well: columns train_... beside validation_...
	Train bool `yaml:"train,omitempty"`
	// metrics to keep for each validation example at the end of the run, for paired tests (function paired)
	//
	// Examples are metrics whose counts by validation example are kept at the run's end, for paired tests.
	Examples []string `yaml:"examples,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
}

// Keep says which weights are a run's result, by a column of its rows, and when to stop waiting for better ones.
type Keep struct {
	// column to judge by
	By string `yaml:"by" jsonschema:"required"`
	// which value of the column is best
	Best string `yaml:"best" jsonschema:"enum=min,enum=max,default=min"`
	// the run is done after so many rows in turn without a better one
	Patience int `yaml:"patience,omitempty" jsonschema:"minimum=1"`
}

// Cadence of records: every so many passes (oracle calls / n) or epochs, exactly one of which is set, and with Growth
// no more than log-log plots need.
type Cadence struct {
	// effective passes
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
	// and not before this multiple of the passes or epochs of the last row, such as 1.05
	Growth float64 `yaml:"growth,omitempty" jsonschema:"exclusiveMinimum=1"`
}

// Choose keeps, of the runs that differ only in Over, the one that is best by a metric at a point. Runs are compared
// within a group: those of the variant that agree in all labels of Per. A value of Over that has several runs in its
// group (seeds, folds) is judged by their mean. The losers run up to At only; their rows stay.
type Choose struct {
	// the variant: as, or name
	Solver string `yaml:"solver" jsonschema:"required"`
	// parameter of the solver that has a grid
	Over string `yaml:"over" jsonschema:"required"`
	// column to judge by
	By string `yaml:"by" jsonschema:"required"`
	// which value of the column is best
	Best string `yaml:"best" jsonschema:"enum=min,enum=max,default=min"`
	// column that decides ties, smallest first
	Ties string `yaml:"ties" jsonschema:"default=primal"`
	// point of the comparison, before the stop
	At At `yaml:"at" jsonschema:"required"`
	// labels; default: all but over
	Per  []string `yaml:"per"`
	Line int      `yaml:"-"`
}

// At is a point of a run. Exactly one is set.
type At struct {
	// effective passes
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
}
