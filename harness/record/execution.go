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
	stop        lang.Stop // stop rule of the complete run, or of a trial (a run up to a comparison)
	solver      solvers.Solver
	others      []solvers.Named // solvers that an error may recommend instead
	env         solvers.Env
	eval        *evaluator
	rows        Rows
	n           float64      // number of examples
	interrupted func() error // returns the reason if the context has ended, else nil

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

// pace decides which iterates get a row. Positions are in passes, or in epochs if the spec sets the distance of rows in
// epochs.
type pace struct {
	mark     *lang.At // the next point where runs are compared, which always gets a row; nil: none, or it is reached
	origin   float64  // position at the start of the run or stage; the distance between rows may grow from here
	next     float64  // position from which the next row is due
	look     float64  // position from which the gap is evaluated next, unless a row is due earlier; 0: none
	first    sighting // the first gap that is known
	recorded bool     // whether the last iterate got a row
	begun    bool     // whether the run has at least one row
}

// sighting is the gap at an iterate that was evaluated.
type sighting struct {
	at  float64 // position in passes or epochs (see pace)
	gap float64 // relative gap; 0: not known
}

// stage is the current stage of a path (a sequence of values of C), or the state of annealing (C moves to its target
// during the run). Other runs have one stage.
type stage struct {
	index     int
	start     float64   // passes at the start of the stage
	until     lang.Stop // stop rule of a path's stage
	arrived   bool      // annealing only: whether C has reached its target
	c, lambda float64   // current C and λ, which rows report
}

// outcome describes how an execution ended.
type outcome struct {
	status    trace.Status
	why, rule string
}

// ending is the result of a check at an iterate: how the run ends, or nil if the run continues.
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
