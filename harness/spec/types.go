package spec

import "gopkg.in/yaml.v3"

// Version is the one apiVersion that this package reads.
const Version = "gaplab/v1"

// Spec is one experiment at one scale: overlays and --set applied, defaults filled in, checked. Data sets, models and
// solvers stand without grids, one entry per combination.
type Spec struct {
	File           string         `yaml:"-"` // the file's name as given to Parse
	Scale          string         `yaml:"-"` // smoke, quick, paper; own if the file has no scales
	APIVersion     string         `yaml:"apiVersion" jsonschema:"required,enum=gaplab/v1" jsonschema_description:"version of the language"`
	ID             string         `yaml:"id" jsonschema:"required,pattern=^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$" jsonschema_description:"paper/item, such as eg/fig06"`
	Title          string         `yaml:"title" jsonschema_description:"heading of the figure or table"`
	Kind           string         `yaml:"kind" jsonschema:"enum=figure,enum=table,enum=theorem,enum=own" jsonschema_description:"default: by what the spec has"`
	Paper          *Paper         `yaml:"paper" jsonschema_description:"the item that the experiment regenerates"`
	Datasets       []Dataset      `yaml:"-"` // alternatives of dataset, one unless it holds a grid
	Models         []Model        `yaml:"-"` // alternatives of model
	Regularisation Regularisation `yaml:"regularisation" jsonschema_description:"convention and values of the regularisation"`
	Solvers        []Solver       `yaml:"-"` // solvers with their grids multiplied out; alternatives share As
	Choose         []Choose       `yaml:"choose" jsonschema_description:"which runs go on after a trial"`
	Seeds          []uint64       `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991" jsonschema_description:"seeds of the runs, the same for every solver; default [1]"`
	Repeat         Repeat         `yaml:"repeat" jsonschema_description:"run everything once per seed and fold"`
	Stop           Stop           `yaml:"stop" jsonschema_description:"a run is done at the first record that meets one of these"`
	Budget         *Budget        `yaml:"budget" jsonschema_description:"a run is given up, and its figures are censored, beyond one of these"`
	Record         Record         `yaml:"record" jsonschema_description:"when rows are written and what they hold"`
	Keep           *Keep          `yaml:"keep" jsonschema_description:"which weights a run leaves to the problems that begin with them, and to --save-weights: the last ones, or those of the best row"`
	From           string         `yaml:"from" jsonschema:"minLength=1" jsonschema_description:"in problems: an earlier problem, whose model and weights this one's model is built on; of its runs the one that agrees in all grids of the data set, folds and seeds"`
	Figure         *Figure        `yaml:"figure" jsonschema_description:"one panel given in place, or several in panels"`
	Table          *Table         `yaml:"table" jsonschema_description:"one row per value of a label, beside the paper's printed numbers"`
	Claims         []Claim        `yaml:"claims" jsonschema_description:"statements of the paper with the expressions that check them"`

	Problem string  `yaml:"-"` // of a part: its name
	Parts   []*Spec `yaml:"-"` // one per problem, if the experiment has several; their runs are the experiment's

	catalogue Catalogue
}

// Paper says which item of which paper the experiment regenerates.
type Paper struct {
	Key     string `yaml:"key" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$" jsonschema_description:"the paper: eg, cutting-plane, egr, bethe, rsd"`
	Figure  int    `yaml:"figure" jsonschema:"minimum=1" jsonschema_description:"number of the figure"`
	Table   int    `yaml:"table" jsonschema:"minimum=1" jsonschema_description:"number of the table"`
	Section string `yaml:"section" jsonschema_description:"section, if it is neither figure nor table"`
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
	As     string    `yaml:"as" jsonschema:"minLength=1" jsonschema_description:"name of the variant in curves; default: name"`
	Name   string    `yaml:"name" jsonschema:"required" jsonschema_description:"the algorithm"`
	C      Values    `yaml:"C" jsonschema_description:"values of C for this solver, instead of the experiment's"`
	Lambda Values    `yaml:"lambda" jsonschema_description:"values of lambda for this solver, instead of the experiment's"`
	Path   *Path     `yaml:"path" jsonschema_description:"a warm-started range of C in one run, instead of one run per C"`
	Anneal *Anneal   `yaml:"anneal" jsonschema_description:"C moves to its target during the run"`
	Stop   *Stop     `yaml:"stop" jsonschema_description:"stop rules of this solver; what is not named is the experiment's"`
	Budget *Budget   `yaml:"budget" jsonschema_description:"budget of this solver, instead of the experiment's"`
	Seeds  []uint64  `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991" jsonschema_description:"seeds of this solver, instead of the experiment's"`
	Params yaml.Node `yaml:"-"` // every parameter of the algorithm, defaults filled in: for Noun.Decode
	Line   int       `yaml:"-"`

	axes []axis
}

// Repeat runs everything once per seed and fold.
type Repeat struct {
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991" jsonschema_description:"the same as the top-level seeds: only one of the two may be given"`
	Folds int      `yaml:"folds" jsonschema:"minimum=2,maximum=1000" jsonschema_description:"number of folds of the data"`
}

// Stop ends a run with status done, at the first record that meets one of its rules. Zero: no such rule.
//
// It bounds the whole of a run with a path, its Gap apart: the gap that ends a stage stands in Path.Until.
type Stop struct {
	Passes  float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0" jsonschema_description:"effective passes: oracle calls of the run / n"`
	Epochs  int     `yaml:"epochs" jsonschema:"minimum=1" jsonschema_description:"epochs of the solver"`
	Gap     float64 `yaml:"gap" jsonschema:"exclusiveMinimum=0" jsonschema_description:"relative duality gap: (primal - dual)/|primal|"`
	Seconds float64 `yaml:"seconds" jsonschema:"exclusiveMinimum=0" jsonschema_description:"solver time"`
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
	Passes  float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0" jsonschema_description:"effective passes"`
	Seconds float64 `yaml:"seconds" jsonschema:"exclusiveMinimum=0" jsonschema_description:"solver time"`
	Then    string  `yaml:"then" jsonschema:"enum=censored,default=censored" jsonschema_description:"what becomes of the figures of such a run"`
}

// Record says when rows are written and what they hold. The start and the end of a run are always recorded.
type Record struct {
	Every   Cadence `yaml:"every" jsonschema_description:"distance of two rows; default one pass"`
	Metrics Strings `yaml:"metrics" jsonschema_description:"columns to evaluate, or all (the default)"` // nil: all
	Train   bool    `yaml:"train,omitempty" jsonschema_description:"evaluate the metrics on the training examples as well: columns train_... beside validation_..."`
	// Examples are metrics whose counts by validation example are kept at the run's end, for paired tests.
	Examples []string `yaml:"examples,omitempty" jsonschema:"minItems=1,uniqueItems=true" jsonschema_description:"metrics to keep for each validation example at the end of the run, for paired tests (function paired)"`
}

// Keep says which weights are a run's result, by a column of its rows, and when to stop waiting for better ones.
type Keep struct {
	By       string `yaml:"by" jsonschema:"required" jsonschema_description:"column to judge by"`
	Best     string `yaml:"best" jsonschema:"enum=min,enum=max,default=min" jsonschema_description:"which value of the column is best"`
	Patience int    `yaml:"patience,omitempty" jsonschema:"minimum=1" jsonschema_description:"the run is done after so many rows in turn without a better one"`
}

// Cadence of records: every so many passes (oracle calls / n) or epochs, exactly one of which is set, and with Growth no more than
// log-log plots need.
type Cadence struct {
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0" jsonschema_description:"effective passes"`
	Epochs int     `yaml:"epochs" jsonschema:"minimum=1" jsonschema_description:"epochs of the solver"`
	Growth float64 `yaml:"growth,omitempty" jsonschema:"exclusiveMinimum=1" jsonschema_description:"and not before this multiple of the passes or epochs of the last row, such as 1.05"`
}

// Choose keeps, of the runs that differ only in Over, the one that is best by a metric at a point. Runs are compared
// within a group: those of the variant that agree in all labels of Per. A value of Over that has several runs in its
// group (seeds, folds) is judged by their mean. The losers run up to At only; their rows stay.
type Choose struct {
	Solver string   `yaml:"solver" jsonschema:"required" jsonschema_description:"the variant: as, or name"`
	Over   string   `yaml:"over" jsonschema:"required" jsonschema_description:"parameter of the solver that has a grid"`
	By     string   `yaml:"by" jsonschema:"required" jsonschema_description:"column to judge by"`
	Best   string   `yaml:"best" jsonschema:"enum=min,enum=max,default=min" jsonschema_description:"which value of the column is best"`
	Ties   string   `yaml:"ties" jsonschema:"default=primal" jsonschema_description:"column that decides ties, smallest first"`
	At     At       `yaml:"at" jsonschema:"required" jsonschema_description:"point of the comparison, before the stop"`
	Per    []string `yaml:"per" jsonschema_description:"labels; default: all but over"`
	Line   int      `yaml:"-"`
}

// At is a point of a run. Exactly one is set.
type At struct {
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0" jsonschema_description:"effective passes"`
	Epochs int     `yaml:"epochs" jsonschema:"minimum=1" jsonschema_description:"epochs of the solver"`
}
