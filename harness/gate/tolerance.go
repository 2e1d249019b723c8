package gate

// Tolerances between a row of the reference and the new row at the same stage and epoch. On machines of one kind,
// traces are bit-identical, but some machines fuse multiply and add. docs/GATE.md lists the rates of false alarms.
const (
	tolCount   = 0.02  // relative tolerance of passes, oracle calls and a solver's own quantities
	tolValue   = 1e-3  // tolerance of primal and dual, as a share of the larger of |primal| and |dual|
	tolSetting = 1e-9  // relative tolerance of the current λ and C
	tolGap     = 2     // largest factor between gaps
	tolWork    = 0.05  // relative tolerance of the passes to a gap (see within.reached)
	slackGap   = 0.01  // relative increase of the gap for which tolWork is tested
	tolCases   = 3     // tolerance of metrics, in validation examples
	tolMetric  = 0.01  // tolerance of metrics if the number of validation examples is unknown
	floorGap   = 1e-12 // smaller gaps are rounding errors
	floorOwn   = 1e-12 // smaller values of a solver's own quantities are rounding errors
	shareOwn   = 1e-9  // values below this share of the largest value in the curve are also rounding errors
)
