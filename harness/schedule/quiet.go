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

// longRun is the length of a run that is not made again, because it would take too long. Its ratio is kept.
const longRun = 10 * time.Minute

// reference measures how busy the machine is. *machine.Reference implements it.
type reference interface {
	Measure() time.Duration
	Usual() time.Duration
}

var _ reference = (*machine.Reference)(nil)

// quietly does what execute does for a complete run. If the spec repeats its runs to measure times, or if the options
// ask for it and the experiment is timed, it also measures before and after the run how long a loop of known work
// takes, relative to the usual time of the loop on this machine. If either ratio exceeds trace.Quiet, the machine was
// busy with something else, and the run is made again, at most mostRemade times, unless it is long; the last attempt
// counts, whatever its ratio. The ratio does not depend on the times of the run itself.
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
	for remade := 0; ; remade++ {
		before := x.reference.Measure()
		draft, out, err := x.execute(ctx, j, j.Stop, "", evaluators)
		if err != nil {
			return nil, out, pace, err
		}
		after := x.reference.Measure()
		longest, usual := max(before, after), x.reference.Usual()
		pace = trace.Pace{Reference: longest.Seconds(), Slowdown: float64(longest) / float64(usual), Remade: remade}
		end := trace.End{Status: out.Status}
		if pace.Slowdown <= trace.Quiet || remade == mostRemade || out.Seconds > longRun.Seconds() ||
			!store.Counts(&trace.File{End: &end}) {
			x.count(pace)
			return draft, out, pace, nil
		}
		x.note(j, "%s: made again, because the machine was busy: a loop of known work took %.2f times its usual time",
			j.Labels["as"], pace.Slowdown)
		if _, err := draft.Leave(trace.End{Status: trace.Interrupted, Why: "the machine was busy"}); err != nil {
			return nil, out, pace, err
		}
	}
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

// note returns a text with the share of runs that were made again, or "" if there are none.
func (b busyness) note() string {
	if b.remade == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d timed runs were made again because the machine was busy; %d of them ended on a busy "+
		"machine all the same", b.remade, b.runs, b.busy)
}
