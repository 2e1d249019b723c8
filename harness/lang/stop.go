package lang

// Stop ends a run, with status done, at the first recorded row that meets one of its rules. A rule that is 0 is off.
//
// In a run through several values of C (path), these rules apply to the whole run, except Gap: the rules in Path.Until,
// which include a gap, end each value of C.
type Stop struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// epochs of the solver
	Epochs int `yaml:"epochs" jsonschema:"minimum=1"`
	// relative duality gap: (primal - dual)/|primal|; 0 where primal and dual are equal. It is evaluated at rows and at
	// looks between rows (record.every)
	Gap float64 `yaml:"gap" jsonschema:"exclusiveMinimum=0"`
	// solver time in CPU seconds (column cpu_seconds), independent of other load on the machine; in wall-clock seconds
	// where the system has no CPU clock per thread
	Seconds float64 `yaml:"seconds" jsonschema:"exclusiveMinimum=0"`
}

// with returns the rules of s, but each rule that other sets replaces the same rule of s.
func (s Stop) with(other *Stop) Stop {
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

// Budget ends a run that is too long, with status budget; figures then show that the run was cut off (censored). A
// limit that is 0 is off.
type Budget struct {
	// effective passes: oracle calls of the run / n
	Passes float64 `yaml:"passes" jsonschema:"exclusiveMinimum=0"`
	// solver time in CPU seconds (column cpu_seconds), independent of other load on the machine; in wall-clock seconds
	// where the system has no CPU clock per thread
	Seconds float64 `yaml:"seconds" jsonschema:"exclusiveMinimum=0"`
	// how the numbers of a run are treated if the budget ended the run
	Then string `yaml:"then" jsonschema:"enum=censored,default=censored"`
}
