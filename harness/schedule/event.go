package schedule

import (
	"fmt"
	"math"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	Started  EventKind = "start"
	Recorded EventKind = "record"
	Ended    EventKind = "end"
	Reused   EventKind = "reused" // the run had a result before
	Noted    EventKind = "note"   // Why is a note on the experiment for the user
)

// Event is one step of the progress of an experiment.
type Event struct {
	Kind    EventKind
	Run     lang.Run
	Status  trace.Status       // status of the run, for Ended and Reused
	Why     string             // for Ended and Reused the reason for the status, for Noted the text of the note
	Passes  float64            // passes of the run so far
	Target  float64            // largest number of passes at which the run may end; 0: not known
	Gap     float64            // relative gap; NaN if not known
	Primal  float64            // for Recorded: the primal objective; NaN if not known
	Stop    float64            // relative gap at which the run ends; 0: it does not end by its gap
	Seconds float64            // solver time of the run so far
	Done    int                // number of the experiment's runs that have ended so far
	Total   int                // number of all runs of the experiment
	Values  map[string]float64 // for Recorded: the values of the row, by column; not to be changed
}

// Line returns a line of text on the progress of experiment id: the number of runs that have ended, the time since the
// start and, if e records a row, the run with its passes and gap.
func (e Event) Line(id string, since time.Duration) string {
	text := fmt.Sprintf("%s: %d of %d runs, %.0f s", id, e.Done, e.Total, since.Seconds())
	if e.Kind != Recorded {
		return text
	}
	text += fmt.Sprintf("; %v at %.4g passes", e.Run.Labels["as"], e.Passes)
	if !math.IsNaN(e.Gap) {
		text += fmt.Sprintf(", gap %.2g", e.Gap)
	}
	return text
}
