package claims

import "github.com/gaplab/gaplab/harness/expr"

// Outcome is the result of testing a claim.
type Outcome string

// The outcomes. A claim about times is a tie if it holds in some repetitions of its runs and fails in others. A claim
// is not testable if something that it reads does not exist, if it compares times of different sittings, if a run ended
// at its limit and its values up to there decide nothing, or if the expression is wrong. It is not measured if new runs
// would provide what is missing: a quantity, such as CPU time, or the result of a run whose trace is missing or
// damaged, or that failed or was interrupted.
const (
	Reproduced    Outcome = "reproduced"
	NotReproduced Outcome = "not-reproduced"
	Tie           Outcome = "tie"
	NotTestable   Outcome = "not-testable"
	NotMeasured   Outcome = "not-measured"
)

// Outcomes returns all outcomes, in the order in which a summary lists them.
func Outcomes() []Outcome { return []Outcome{Reproduced, NotReproduced, Tie, NotTestable, NotMeasured} }

// Verdict is the outcome of one claim, with the measured values. Its JSON form is one line of gaplab claims --format
// json.
type Verdict struct {
	Experiment string  `json:"experiment"`
	Claim      string  `json:"claim"`
	Verdict    Outcome `json:"verdict"`
	Measured   string  `json:"measured"` // the values that the assertion compared, or the value of the claim's measure
	Asserted   string  `json:"asserted"` // the assertion, on one line
	// Why is the reason if the claim is a tie, not testable or not measured. It is also set if the claim is not reproduced
	// because rows contradict each other.
	Why      string   `json:"why"`
	Warnings []string `json:"warnings,omitempty"`
	Lacking  bool     `json:"lacking,omitempty"` // not measured because a planned run has no result
}

// Context contains what the claims of one experiment can read.
type Context struct {
	Experiment string
	File       string // path of the spec, for errors; if it is "", errors name the experiment
	Scale      string // smoke, quick or paper
	Run        string // command that makes the results
	expr.Evidence
}
