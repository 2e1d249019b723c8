package gate

// Tolerances between a row of the reference and the fresh row at the same stage and epoch. Traces agree bit for bit on
// one kind of machine, but other machines fuse multiply and add. docs/GATE.md has the rates of false alarms.
const (
	tolCount   = 0.02  // relative: passes, oracle calls, and a solver's own quantities
	tolValue   = 1e-3  // of the larger of |primal| and |dual|: primal and dual
	tolSetting = 1e-9  // relative: λ and C in force
	tolGap     = 2     // a factor: gap
	tolWork    = 0.05  // relative: passes to reach 1.01 times a gap that the reference reaches, and the reverse
	slackGap   = 0.01  // the 0.01 of tolWork
	tolCases   = 3     // validation examples: metrics
	tolMetric  = 0.01  // of a metric, if the number of validation examples is unknown
	floorGap   = 1e-12 // smaller gaps are rounding errors
	floorOwn   = 1e-12 // smaller values of a solver's own quantity are rounding errors, and so are
	shareOwn   = 1e-9  // values below this share of the largest value in the curve
)
