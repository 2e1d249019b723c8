package record

import (
	"fmt"
	"math"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// sumSlack is the tolerance for rounding of passes, which are visits / n.
const sumSlack = 1e-9

// passes returns the effective passes so far: visits / n.
func (x *execution) passes() float64 { return float64(x.calls.visits()) / x.n }

// due sets the position of the run and reports whether the iterate gets a row: by the cadence, or as the point of a
// choice.
func (x *execution) due(it solvers.Iterate) bool {
	x.at.passes, x.at.epoch = x.passes(), it.Epoch
	due := false
	if x.pace.mark != nil && Reached(*x.pace.mark, x.at.passes, x.at.epoch) {
		x.pace.mark, due = nil, true
	}
	at := x.progress()
	if at+sumSlack < x.pace.next {
		return due
	}
	x.pace.next = x.following(x.pace.origin + (at-x.pace.origin)*x.run.Record.Every.Growth)
	return true
}

// progress returns the position of the run in the unit of the cadence: passes or epochs.
func (x *execution) progress() float64 {
	if x.run.Record.Every.Epochs > 0 {
		return float64(x.at.epoch)
	}
	return x.at.passes
}

// following returns the first multiple of the cadence's step that is after the position of the run and not before from.
func (x *execution) following(from float64) float64 {
	step := x.run.Record.Every.Passes
	if x.run.Record.Every.Epochs > 0 {
		step = float64(x.run.Record.Every.Epochs)
	}
	return max(math.Floor((x.progress()+sumSlack)/step)+1, math.Ceil((from-sumSlack)/step)) * step
}

// Reached reports whether a run has reached a point.
func Reached(at lang.At, passes float64, epoch int) bool {
	if at.Epochs > 0 {
		return epoch >= at.Epochs
	}
	return passes+sumSlack >= at.Passes
}

// limit checks the stop rules and budgets that need no evaluation. It is called at every yield. If a run meets a stop
// rule and exceeds its budget at the same time, the stop rule counts.
func (x *execution) limit(stop lang.Stop) ending {
	if err := x.interrupted(); err != nil {
		return &outcome{trace.Interrupted, err.Error(), ""}
	}
	seconds := x.timer.seconds()
	passesText := func() string { return fmt.Sprintf("%.4g passes", x.at.passes) }
	secondsText := func() string { return fmt.Sprintf("%.4g s", seconds) }
	switch {
	case stop.Passes > 0 && x.at.passes+sumSlack >= stop.Passes:
		return &outcome{trace.Done, passesText(), "passes"}
	case stop.Epochs > 0 && x.at.epoch >= stop.Epochs:
		return &outcome{trace.Done, fmt.Sprintf("%d epochs", x.at.epoch), "epochs"}
	case stop.Seconds > 0 && seconds >= stop.Seconds:
		return &outcome{trace.Done, secondsText(), "seconds"}
	}
	if b := x.run.Budget; b != nil {
		switch {
		case b.Passes > 0 && x.at.passes+sumSlack >= b.Passes:
			return &outcome{trace.Budget, passesText(), ""}
		case b.Seconds > 0 && seconds >= b.Seconds:
			return &outcome{trace.Budget, secondsText(), ""}
		}
	}
	return nil
}

// limitSeconds returns the limit on the seconds of the run (0: none), and whether this limit is a stop rule and not a
// budget.
func (x *execution) limitSeconds() (limit float64, isStop bool) {
	limit = x.stop.Seconds
	if b := x.run.Budget; b != nil && b.Seconds > 0 && (limit == 0 || b.Seconds < limit) {
		return b.Seconds, false
	}
	return limit, limit > 0
}

// left returns the time until the limit on seconds, and whether there is one. The clock must be running.
func (x *execution) left() (left time.Duration, limited bool) {
	limit, _ := x.limitSeconds()
	if limit == 0 {
		return 0, false
	}
	return time.Duration((limit - x.timer.running()) * float64(time.Second)), true
}
