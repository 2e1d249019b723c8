package lang

// Stop ends a run with status done, at the first record that meets one of its rules. Zero: no such rule.
//
// It bounds the whole of a run with a path, except for Gap: the gap that ends a stage stands in Path.Until.
type Stop struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
	// relative duality gap: (primal - dual)/|primal|; 0 where they are equal
	Gap float64 `yaml:"gap" jsonschema:"exclusiveMinimum=0"`
	// solver time: CPU seconds (column cpu_seconds), which a busy machine does not stretch; those of the wall where the
	// system has no clock of a thread
	Seconds float64 `yaml:"seconds" jsonschema:"exclusiveMinimum=0"`
}

// over returns the rules of s, replaced by those that other sets.
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
	// solver time: CPU seconds (column cpu_seconds), which a busy machine does not stretch; those of the wall where the
	// system has no clock of a thread
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
	// the run is done after this many consecutive rows without a better one
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
