package record

import (
	"fmt"
	"math"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// sumSlack is the rounding of passes, which are sums of visits / n.
const sumSlack = 1e-9

func (x *execution) passes() float64 { return float64(x.calls.visits()) / x.n }

// due notes where the run stands and says whether that asks for a record: by the cadence, or as the point of a choice.
func (x *execution) due(it solvers.Iterate) bool {
	x.lastPasses, x.lastEpoch = x.passes(), it.Epoch
	due := false
	if x.mark != nil && Reached(*x.mark, x.lastPasses, x.lastEpoch) {
		x.mark, due = nil, true
	}
	every := x.run.Record.Every
	at, step := x.lastPasses, every.Passes
	if every.Epochs > 0 {
		at, step = float64(it.Epoch), float64(every.Epochs)
	}
	if at+sumSlack < x.next {
		return due
	}
	x.next = max(math.Floor((at+sumSlack)/step)+1, math.Ceil((at*every.Growth-sumSlack)/step)) * step
	return true
}

// Reached says whether a run has come to a point.
func Reached(at lang.At, passes float64, epoch int) bool {
	if at.Epochs > 0 {
		return epoch >= at.Epochs
	}
	return passes+sumSlack >= at.Passes
}

// limit checks the rules that need no evaluation, at every yield. A run that meets a stop rule and exceeds its budget
// at the same time counts as having met the rule.
func (x *execution) limit(stop lang.Stop) ending {
	if err := x.interrupted(); err != nil {
		return &outcome{trace.Interrupted, err.Error(), ""}
	}
	seconds := x.seconds()
	passesText := func() string { return fmt.Sprintf("%.4g passes", x.lastPasses) }
	secondsText := func() string { return fmt.Sprintf("%.4g s", seconds) }
	switch {
	case stop.Passes > 0 && x.lastPasses+sumSlack >= stop.Passes:
		return &outcome{trace.Done, passesText(), "passes"}
	case stop.Epochs > 0 && x.lastEpoch >= stop.Epochs:
		return &outcome{trace.Done, fmt.Sprintf("%d epochs", x.lastEpoch), "epochs"}
	case stop.Seconds > 0 && seconds >= stop.Seconds:
		return &outcome{trace.Done, secondsText(), "seconds"}
	}
	if b := x.run.Budget; b != nil {
		switch {
		case b.Passes > 0 && x.lastPasses+sumSlack >= b.Passes:
			return &outcome{trace.Budget, passesText(), ""}
		case b.Seconds > 0 && seconds >= b.Seconds:
			return &outcome{trace.Budget, secondsText(), ""}
		}
	}
	return nil
}

// limitSeconds are those that the run may take, and whether it is then done, and not out of its budget; 0: any number.
func (x *execution) limitSeconds() (limit float64, isStop bool) {
	limit = x.stop.Seconds
	if b := x.run.Budget; b != nil && b.Seconds > 0 && (limit == 0 || b.Seconds < limit) {
		return b.Seconds, false
	}
	return limit, limit > 0
}

// left is what is left of these seconds while the clock runs.
func (x *execution) left() (left time.Duration, limited bool) {
	limit, _ := x.limitSeconds()
	if limit == 0 {
		return 0, false
	}
	now := x.clock.now().since(x.resumed)
	spent := x.seconds() + now.wall.Seconds()
	if x.resumed.ok {
		spent = x.seconds() + now.cpu.Seconds()
	}
	return time.Duration((limit - spent) * float64(time.Second)), true
}
