package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// mostRemade is how often a run is made again because the machine was busy. The number is fixed in advance, so no run
// is repeated until its time is liked.
const mostRemade = 2

// patience is the number of measurements of the reference loop that may wait for the machine to become quiet before a
// run is made again. On a machine that stays busy, another attempt would take as long and its result be no better.
const patience = 5

// longRun is the length of a run that is not made again, because it would take too long. Its ratio is kept.
const longRun = 10 * time.Minute

// reference measures how busy the machine is. *machine.Reference implements it.
type reference interface {
	Measure() time.Duration
	Best() time.Duration
}

var _ reference = (*machine.Reference)(nil)

// quietly does what execute does for a complete run. If the spec repeats its runs to measure times, or if the options
// ask for it and the experiment is timed, it also measures before and after the run how long a loop of known work
// takes, relative to the best time of the loop on this machine. If either ratio exceeds trace.Quiet, the machine was
// busy with something else. The run is then made again, at most mostRemade times, unless it is long or the machine
// stays busy. The last attempt counts, whatever its ratio. The ratio does not depend on the times of the run itself.
func (x *experiment) quietly(ctx context.Context, j *job, evaluators int) (*store.Draft, record.Outcome, trace.Pace,
	error) {
	var pace trace.Pace
	if x.spec.Repeat.Times == 0 && !(x.options.Quiet && x.alone) {
		draft, out, err := x.execute(ctx, j, j.Stop, "", evaluators)
		return draft, out, pace, err
	}
	if x.reference == nil { // jobs run one at a time
		x.reference = machine.NewReference()
	}
	before := x.reference.Measure()
	for remade := 0; ; remade++ {
		draft, out, err := x.execute(ctx, j, j.Stop, "", evaluators)
		if err != nil {
			return nil, out, pace, err
		}
		after := x.reference.Measure()
		longest := max(before, after)
		pace = trace.Pace{Reference: longest.Seconds(), Slowdown: x.slowdown(longest), Remade: remade}
		end := trace.End{Status: out.Status}
		again := pace.Slowdown > trace.Quiet && remade < mostRemade && out.Seconds <= longRun.Seconds() &&
			store.Counts(&trace.File{End: &end})
		if again {
			before, again = x.awaitQuiet()
		}
		if !again {
			x.count(pace)
			return draft, out, pace, nil
		}
		x.note(j, "%s: made again, because the machine was busy: a loop of known work took %.2f times its best time",
			j.Labels["as"], pace.Slowdown)
		if _, err := draft.Leave(trace.End{Status: trace.Interrupted, Why: "the machine was busy"}); err != nil {
			return nil, out, pace, err
		}
	}
}

// slowdown returns the ratio of a measurement of the reference loop to the loop's best time.
func (x *experiment) slowdown(t time.Duration) float64 {
	return float64(t) / float64(x.reference.Best())
}

// awaitQuiet measures the reference loop, at most patience times, until the machine is quiet. It returns the last
// measurement and whether the machine was quiet then.
func (x *experiment) awaitQuiet() (t time.Duration, quiet bool) {
	for range patience {
		if t = x.reference.Measure(); x.slowdown(t) <= trace.Quiet {
			return t, true
		}
	}
	return t, false
}

// busyness counts the timed runs of an experiment: all, those that were made again because the machine was busy, and
// those whose last attempt was still on a busy machine.
type busyness struct{ runs, remade, busy int }

// count adds a run.
func (x *experiment) count(p trace.Pace) {
	x.busyness.runs++
	if p.Remade > 0 {
		x.busyness.remade++
	}
	if p.Slowdown > trace.Quiet {
		x.busyness.busy++
	}
}

// note returns a text with the share of runs that were made again and of those on a busy machine, or "" if there are
// none.
func (b busyness) note() string {
	if b.remade == 0 && b.busy == 0 {
		return ""
	}
	return fmt.Sprintf("timed runs: %d of %d made again because the machine was busy, %d measured on a machine that "+
		"stayed busy", b.remade, b.runs, b.busy)
}
