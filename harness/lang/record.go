package lang

// Record controls when rows are written and which values they contain. The start and the end of a run are always
// recorded.
type Record struct {
	// distance between two rows; default: {passes: 1, growth: 1.3, looks: true}, or {passes: 1} in specs with paper or
	// keep
	Every Cadence `yaml:"every"`
	// columns to evaluate, or all; default: all
	//
	// In Go, nil means all.
	Metrics Strings `yaml:"metrics"`
	// evaluate the metrics on the training examples too: columns train_... beside validation_...
	Train bool `yaml:"train,omitempty"`
	// metrics to store for each validation example at the end of the run, for paired tests (function "paired")
	Examples []string `yaml:"examples,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
}

// Cadence states when rows are written: every Passes passes or every Epochs epochs, exactly one of which is set. With
// Growth, long runs have fewer rows: as many as a log-log plot needs. When a row is written depends on passes, epochs
// and gaps, never on time.
type Cadence struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
	// also delay the next row until passes or epochs reach this factor, such as 1.05, times their value at the last row
	//
	// In a run through several values of C (path), passes and epochs count from the start of the present value of C.
	Growth float64 `yaml:"growth,omitempty" jsonschema:"exclusiveMinimum=1"`
	// for a stop rule by gap: evaluate the gap between rows too. It is evaluated half way to the point where the gap would
	// meet the rule if it kept falling at its average rate
	Looks bool `yaml:"looks,omitempty"`
}

// cadence returns the default of record.every. Only this default differs between specs that reproduce a paper and other
// specs. The curves of a paper have a row at each pass. In other runs, the distance between rows grows, so a long run
// spends only a small share of its time on rows. The key "keep" selects one of the rows, so a spec with this key needs
// a row at each pass too.
func (s *Spec) cadence(keep *Keep) Cadence {
	if s.Paper != nil || keep != nil {
		return Cadence{Passes: 1}
	}
	return Cadence{Passes: 1, Growth: 1.3, Looks: true}
}

// Keep selects the row whose weights are a run's result, by the best value of a column. It can also stop the run early.
type Keep struct {
	// column whose best value is selected
	By string `yaml:"by" jsonschema:"required"`
	// whether the smallest or the largest value of the column is best; default: max for scores such as validation_f1, else
	// min
	Best string `yaml:"best" jsonschema:"enum=min,enum=max"`
	// early stopping: end the run after this many consecutive rows without an improvement
	Patience int `yaml:"patience,omitempty" jsonschema:"minimum=1"`
}
