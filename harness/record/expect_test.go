package record

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
)

// TestExpect checks where the next look at the gap is planned, for a gap that falls as e^(−r·passes) since its first
// evaluation: half way to the position where the gap equals the target, rounded up to whole passes. If the gap has not
// fallen, or is infinite, or has reached the target, no look is planned, and an earlier plan is dropped.
func TestExpect(t *testing.T) {
	for _, rate := range []float64{0.05, 0.3, 2, 0, -0.1} {
		for _, from := range []float64{0, 3} {
			for _, at := range []float64{4, 17, 40} {
				const target = 1e-9
				x := &execution{run: lang.Run{Record: lang.Record{Every: lang.Cadence{Passes: 1, Looks: true}}}}
				gap := func(p float64) float64 { return math.Exp(-rate * p) }
				x.at.passes = from
				x.expect(gap(from), target)
				x.at.passes = at
				x.expect(gap(at), target)
				want := 0.0
				if end := math.Log(1/target) / rate; rate > 0 && gap(at) > target {
					want = max(at+1, math.Ceil(at+(end-at)/2-1e-9))
				}
				if x.pace.look != want {
					t.Errorf("gap %.3g at %v passes, falling since %v passes: next look at %v passes, want %v", gap(at), at, from,
						x.pace.look, want)
				}
				for _, last := range []float64{target, 0, math.Inf(1)} {
					if x.expect(last, target); x.pace.look != 0 {
						t.Errorf("gap %v: next look at %v passes, want none", last, x.pace.look)
					}
					x.expect(gap(at), target)
				}
			}
		}
	}
}
