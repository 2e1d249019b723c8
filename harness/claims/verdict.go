package claims

import "github.com/gaplab/gaplab/harness/trace"

// Outcome of a claim.
type Outcome string

// The outcomes. A claim is not testable for lack of evidence, or because its expression is wrong; it is not measured if
// the runs are there, but did not measure what it is about (CPU time), as they would if they were made again.
const (
	Reproduced    Outcome = "reproduced"
	NotReproduced Outcome = "not-reproduced"
	NotTestable   Outcome = "not-testable"
	NotMeasured   Outcome = "not-measured"
)

// Outcomes lists them in the order in which a reader wants to know how many there are of each.
func Outcomes() []Outcome { return []Outcome{Reproduced, NotReproduced, NotTestable, NotMeasured} }

// Verdict says how one claim came out, and on what evidence. Its JSON form is one line of gaplab claims --format json.
type Verdict struct {
	Experiment string  `json:"experiment"`
	Claim      string  `json:"claim"`
	Verdict    Outcome `json:"verdict"`
	Measured   string  `json:"measured"` // the values that the assertion compared, or the value of the claim's measure
	Asserted   string  `json:"asserted"` // the assertion
	// why it is not testable or not measured, or not reproduced for a reason other than the values
	Why      string   `json:"why"`
	Warnings []string `json:"warnings,omitempty"`
}

// Context is the evidence for the claims of one experiment.
type Context struct {
	Experiment string
	Scale      string // smoke, quick, paper
	Run        string // the command that makes its results
	Set        *trace.Set
	// Other finds the curves of another experiment; nil, or an error, if there are none.
	Other func(experiment string) (*trace.Set, error)
	// Printed reads a CSV file of printed numbers next to the spec; nil if there are none.
	Printed func(name string) ([]byte, error)
}
