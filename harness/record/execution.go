package record

import (
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// Rows receives the rows of a run in order. An error ends the run as failed.
type Rows interface {
	Append(trace.Row) error
}

// execution is one run in progress. It ranges over a solver's iterates. In the loop body it stops the clock, records
// rows, and decides when to stop the run.
type execution struct {
	run         lang.Run
	stop        lang.Stop // stop rule of this execution: that of the run or of a trial
	solver      solvers.Solver
	others      []solvers.Named // solvers that an error may recommend instead
	env         solvers.Env
	eval        *evaluator
	rows        Rows
	n           float64      // number of examples
	interrupted func() error // returns the reason why the context has ended, or nil

	calls *calls
	timer timer
	at    position
	pace  pace
	stage stage
	keep  keeper
	saver saver
}

// position is the progress of the run at an iterate.
type position struct {
	passes float64
	epoch  int
	gap    float64 // relative gap of the last row; 0: not known
}

// pace decides which iterates get a row.
type pace struct {
	mark     *lang.At // the point of a choice, which gets a row at any cadence; nil: none, or already reached
	origin   float64  // passes or epochs at the start of the run or of the path's stage, from which the growth counts
	next     float64  // passes or epochs at which the next row is due
	look     float64  // passes or epochs at which the gap is evaluated next, if no row is due before; 0: not planned
	first    sighting // the first known gap
	recorded bool     // whether the last iterate has a row
	begun    bool     // whether the run has a row
}

// sighting is a gap that an evaluation found.
type sighting struct {
	at  float64 // passes or epochs
	gap float64 // 0: not known
}

// stage is the current stage of a path of C, or the progress of annealing. Other runs have one stage.
type stage struct {
	index     int
	start     float64   // passes at the start of the stage
	until     lang.Stop // stop rule of a path's stage
	arrived   bool      // whether annealing has reached its target
	c, lambda float64   // current values, which rows report
}

// outcome is how an execution ended.
type outcome struct {
	status    trace.Status
	why, rule string
}

// ending is the outcome that a check at an iterate gives the run, or nil if the run continues.
type ending *outcome

// start starts the clocks and the counting of calls, before the solver works.
func (x *execution) start() {
	x.calls.off.Store(false)
	x.timer.start()
}

// pause stops the clocks and the counting of calls.
func (x *execution) pause() {
	x.timer.pause()
	x.calls.off.Store(true)
}
