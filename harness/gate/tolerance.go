package gate

// Tolerances between a row of the reference and the new row with the same stage and epoch. On machines of one kind,
// traces are bit-identical. Other machines may round differently, because some compute a multiplication and an addition
// in one step (FMA). docs/GATE.md lists the rates of false alarms.
const (
	tolCount   = 0.02  // relative tolerance of passes, oracle calls and a solver's own quantities
	tolValue   = 1e-3  // tolerance of primal and dual, as a share of the larger of |primal| and |dual|
	tolSetting = 1e-9  // relative tolerance of the current λ and C
	tolGap     = 2     // largest accepted ratio of the larger gap to the smaller gap
	tolWork    = 0.05  // relative tolerance of the passes to reach a gap
	slackGap   = 0.01  // when passes are compared (tolWork), a gap g counts as reached at a gap ≤ (1 + slackGap)·g
	tolCases   = 3     // tolerance of metrics, as a number of validation examples
	tolMetric  = 0.01  // tolerance of metrics if the number of validation examples is unknown
	floorGap   = 1e-12 // gaps below this are rounding errors
	floorOwn   = 1e-12 // own quantities of a solver below this are rounding errors
	shareOwn   = 1e-9  // own quantities below this share of their largest value are rounding errors
)
