// Package schedule makes the runs of an experiment: it decides their order, which of them exist already, which
// candidates of a choice go on, and which of several processes does what. It gives each run its data and its key;
// package record makes the rows and package store keeps them.
//
//	err := schedule.Run(ctx, spec, schedule.Options{Catalogue: cat, Workers: 2, Out: "results/runs"})
package schedule

import (
	"fmt"
	"math"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// Options say how experiments are run.
type Options struct {
	Catalogue lang.Catalogue
	Workers   int    // runs at a time, at least 1
	Out       string // folder of the runs
	Source    datasets.Source
	Force     bool          // run finished keys again
	SameCode  bool          // do not reuse results made by different code of the same revisions
	Weights   bool          // save the last weights of each run
	Extra     []Named       // the caller's solvers, on every problem
	OnlyExtra bool          // leave out the spec's solvers
	Programs  bool          // run the programs that a spec names, though it does not come with gaplab
	Untimed   bool          // nobody looks at seconds: runs may share the machine, whatever the experiment shows
	Clean     bool          // take no results of a program whose sources are not those of a commit
	Command   []string      // the command line, for manifests
	SaveEvery time.Duration // of the wall, between two times that the state of a run is kept; 0: a minute; or Never
	Shard     *Shard        // nil: the whole experiment
	Event     func(Event)
	CPU       func() (time.Duration, bool)        // tests only: in place of the thread's clock
	Wrap      func(solvers.Solver) solvers.Solver // tests only: plants a regression in the spec's solvers
}

// EventKind says what happened.
type EventKind string

// The kinds of events.
const (
	Started  EventKind = "start"
	Recorded EventKind = "record"
	Ended    EventKind = "end"
	Reused   EventKind = "reused" // the key had been finished before
	Noted    EventKind = "note"   // Why says something about the experiment that a user may want to know
)

// Line says in a line where an experiment stands that has gone on for a time.
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
