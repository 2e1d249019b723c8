package claims

import "github.com/gaplab/gaplab/harness/expr"

// Outcome is the outcome of a claim.
type Outcome string

// The outcomes. A claim is not testable if it lacks evidence or its expression is wrong. It is not measured if its runs
// exist but lack a quantity, such as CPU time, that repeated runs would measure.
const (
	Reproduced    Outcome = "reproduced"
	NotReproduced Outcome = "not-reproduced"
	NotTestable   Outcome = "not-testable"
	NotMeasured   Outcome = "not-measured"
)

// Outcomes returns all outcomes, in the order of a summary.
func Outcomes() []Outcome { return []Outcome{Reproduced, NotReproduced, NotTestable, NotMeasured} }

// Verdict is the outcome of one claim, with the evidence. Its JSON form is one line of gaplab claims --format json.
type Verdict struct {
	Experiment string  `json:"experiment"`
	Claim      string  `json:"claim"`
	Verdict    Outcome `json:"verdict"`
	Measured   string  `json:"measured"` // the values that the assertion compared, or the value of the claim's measure
	Asserted   string  `json:"asserted"` // the assertion
	// Why gives the reason if the claim is not testable or not measured, or not reproduced for another reason than its
	// values
	Why      string   `json:"why"`
	Warnings []string `json:"warnings,omitempty"`
}

// Context is the evidence for the claims of one experiment.
type Context struct {
	Experiment string
	Scale      string // smoke, quick, paper
	Run        string // the command that produces its results
	expr.Evidence
}
