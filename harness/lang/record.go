package lang

// Record controls when rows are written and what they hold. The start and the end of a run are always recorded.
type Record struct {
	// distance between two rows; default: {passes: 1, growth: 1.3, looks: true}, or with paper or keep {passes: 1}
	Every Cadence `yaml:"every"`
	// columns to evaluate, or all; default: all
	//
	// nil stands for all.
	Metrics Strings `yaml:"metrics"`
	// also evaluate the metrics on the training examples: columns train_... beside validation_...
	Train bool `yaml:"train,omitempty"`
	// metrics to store for each validation example at the end of the run, for paired tests (function paired)
	Examples []string `yaml:"examples,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
}

// Cadence schedules records: one every Passes passes or every Epochs epochs, exactly one of which is set. Growth thins
// the records of long runs to what a log-log plot needs. Rows depend on passes, epochs and gaps, and never on time.
type Cadence struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
	// and at the earliest at this multiple of the passes or epochs of the last row, such as 1.05
	//
	// In a path of C, the multiple counts from the start of the stage.
	Growth float64 `yaml:"growth,omitempty" jsonschema:"exclusiveMinimum=1"`
	// for a stop rule by gap, also evaluate the gap between rows, half way to where it would meet the rule at the
	// average rate of its fall
	Looks bool `yaml:"looks,omitempty"`
}

// cadence returns the cadence of a problem that names none. Only here do specs that reproduce a paper differ from other
// specs: the curves of a paper have a row at each pass, while the rows of other runs take a smaller part of the time,
// the longer the run is. A rule that selects among rows needs a row at each pass too.
func (s *Spec) cadence(keep *Keep) Cadence {
	if s.Paper != nil || keep != nil {
		return Cadence{Passes: 1}
	}
	return Cadence{Passes: 1, Growth: 1.3, Looks: true}
}

// Keep selects the weights that are a run's result, by a column of its rows. It can also stop the run early.
type Keep struct {
	// column to judge by
	By string `yaml:"by" jsonschema:"required"`
	// which value of the column is best
	Best string `yaml:"best" jsonschema:"enum=min,enum=max,default=min"`
	// early stopping: end the run after this many consecutive rows without an improvement
	Patience int `yaml:"patience,omitempty" jsonschema:"minimum=1"`
}
