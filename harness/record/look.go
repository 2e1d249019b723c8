package record

import (
	"math"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

// closes reports whether an iterate meets the stop rule on the gap although no row is due. It evaluates the gap only if
// a look is due.
func (x *execution) closes(it solvers.Iterate, lambda float64, stop lang.Stop) bool {
	if x.pace.look == 0 || x.progress()+sumSlack < x.pace.look {
		return false
	}
	defer x.timer.clock.timed(&x.timer.recording)()
	gap := x.eval.gap(it, lambda)
	x.expect(gap, stop.Gap)
	return gap <= stop.Gap
}

// expect plans the next look, after an evaluation has found a gap that is larger than the target. Let g be the gap at
// position p (in passes or epochs), g₀ the first known gap, at position p₀, and t the target. If the gap keeps falling
// at its average rate since p₀, it reaches t after a further distance
//
//	d = (p - p₀) ln(g/t) / ln(g₀/g).
//
// The next look is due after d/2, rounded up to a position where a row would be due if the distance between rows did
// not grow. With half the distance, a gap that starts to fall faster is detected in time. If the gap falls more slowly,
// a few more looks follow, each closer to the target. If the gap has not fallen, there is no look before the next row.
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
