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

// execution is one run in progress. It ranges over a solver's iterates with the clock off in the loop body, records
// rows there, and decides when to stop.
type execution struct {
	run         lang.Run
	stop        lang.Stop // of this execution: the run's, or that of a trial
	solver      solvers.Solver
	others      []solvers.Named // that a refusal may recommend
	env         solvers.Env
	eval        *evaluator
	rows        Rows
	n           float64      // examples
	interrupted func() error // the reason why the context has ended, or nil

	calls *calls
	timer timer
	at    position
	pace  pace
	stage stage
	keep  keeper
	saver saver
}

// position is where the run stands at an iterate.
type position struct {
	passes float64
	epoch  int
	gap    float64 // of the last row; 0: none, or not known
}

// pace decides which iterates get a row.
type pace struct {
	mark     *lang.At // nil, or the point of a choice, which gets a row whatever the cadence
	next     float64  // passes or epochs of the next row
	recorded bool     // whether the last iterate has a row
	begun    bool     // whether there is a row
}

// stage is the stage of a path of C, or the progress of annealing. A run that does neither has one stage.
type stage struct {
	index     int
	start     float64   // passes
	until     lang.Stop // of a path's stage
	arrived   bool      // annealing has reached its target
	c, lambda float64   // in force, as rows report them
}

// outcome is how an execution ended.
type outcome struct {
	status    trace.Status
	why, rule string
}

// ending is the result of a check at an iterate; nil lets the run continue.
type ending *outcome

// start starts the clocks and the counts of calls: the solver works from here on.
func (x *execution) start() {
	x.calls.off.Store(false)
	x.timer.start()
}

// pause stops the clocks and the counts.
func (x *execution) pause() {
	x.timer.pause()
	x.calls.off.Store(true)
}
