package schedule

import (
	"fmt"
	"math"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// EventKind says what happened.
type EventKind string

// The kinds of events.
const (
	Started  EventKind = "start"
	Recorded EventKind = "record"
	Ended    EventKind = "end"
	Reused   EventKind = "reused" // the key had a result before
	Noted    EventKind = "note"   // Why says something about the experiment that a user may want to know
)

// Event is one step of the progress of an experiment.
type Event struct {
	Kind    EventKind
	Run     lang.Run
	Status  trace.Status // of Ended and Reused
	Why     string
	Passes  float64 // so far
	Target  float64 // passes at which the run ends at the latest; 0: not known
	Gap     float64 // relative; NaN if not known
	Seconds float64 // of solver time so far
	Done    int     // runs that ended
	Total   int
}

// Line returns a line about an experiment's progress: its runs, the time since it began, and the event.
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
