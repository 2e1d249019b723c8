package record

import (
	"math"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

// closes reports whether an iterate that is due for no row meets the rule on the gap, which ends the run. It evaluates
// the gap only if a look is due.
func (x *execution) closes(it solvers.Iterate, lambda float64, stop lang.Stop) bool {
	if x.pace.look == 0 || x.progress()+sumSlack < x.pace.look {
		return false
	}
	defer func(begun time.Time) { x.timer.recording += time.Since(begun) }(time.Now())
	gap := x.eval.gap(it, lambda)
	x.expect(gap, stop.Gap)
	return gap <= stop.Gap
}

// expect plans the next look at the gap after an evaluation has found a gap that is larger than the target. If the gap
// g at position p keeps falling at its average rate since the first gap g₀ at p₀, it reaches the target t after another
//
//	d = (p - p₀) ln(g/t) / ln(g₀/g).
//
// The next look is due after d/2, at the yield at which a row would be due without growth. Half the way leaves room for
// a faster fall. If the fall is slower, there are a few more looks, whose distances shrink with d. If the gap has not
// fallen, there is no look before the next row.
func (x *execution) expect(gap, target float64) {
	p := &x.pace
	p.look = 0
	if !x.run.Record.Every.Looks || target == 0 || !(gap > target) || math.IsInf(gap, 0) {
		return
	}
	at := x.progress()
	if p.first.gap == 0 {
		p.first = sighting{at, gap}
	}
	if fall := math.Log(p.first.gap / gap); fall > 0 {
		p.look = x.following(at + (at-p.first.at)*math.Log(gap/target)/fall/2)
	}
}
