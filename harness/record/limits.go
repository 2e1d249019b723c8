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

// passes returns the number of passes so far, visits / n, which need not be whole.
func (x *execution) passes() float64 { return float64(x.calls.visits()) / x.n }

// due updates the position of the run. It reports whether the iterate gets a row, either because of the regular
// distance between rows or because runs are compared at this iterate (lang.Choose).
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

// progress returns the position of the run in passes, or in epochs if the spec sets the distance between rows in
// epochs.
func (x *execution) progress() float64 {
	if x.run.Record.Every.Epochs > 0 {
		return float64(x.at.epoch)
	}
	return x.at.passes
}

// following returns the position where the next row is due: the first multiple of the distance between rows that is
// after the current position and is not smaller than the argument "from".
func (x *execution) following(from float64) float64 {
	step := x.run.Record.Every.Passes
	if x.run.Record.Every.Epochs > 0 {
		step = float64(x.run.Record.Every.Epochs)
	}
	return max(math.Floor((x.progress()+sumSlack)/step)+1, math.Ceil((from-sumSlack)/step)) * step
}

// Reached reports whether a run has reached the point in the argument "at", after these numbers of passes and epochs.
func Reached(at lang.At, passes float64, epoch int) bool {
	if at.Epochs > 0 {
		return epoch >= at.Epochs
	}
	return passes+sumSlack >= at.Passes
}

// limit checks the stop rules and budgets that need no evaluation. It is called whenever the solver yields. If a run
// meets a stop rule and exceeds its budget at the same time, the outcome names the stop rule.
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

// limitSeconds returns the limit on the seconds of the run (0: none). isStop is true if the limit is a stop rule, and
// false if it is a budget.
func (x *execution) limitSeconds() (limit float64, isStop bool) {
	limit = x.stop.Seconds
	if b := x.run.Budget; b != nil && b.Seconds > 0 && (limit == 0 || b.Seconds < limit) {
		return b.Seconds, false
	}
	return limit, limit > 0
}

// left returns the time until the limit on seconds. limited is false if there is no limit. The clock must be running.
func (x *execution) left() (left time.Duration, limited bool) {
	limit, _ := x.limitSeconds()
	if limit == 0 {
		return 0, false
	}
	return time.Duration((limit - x.timer.running()) * float64(time.Second)), true
}
