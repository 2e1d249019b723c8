package solvertest

import (
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkEnd checks that a run that ends by itself does not change its last iterate after its last yield. Callers rely on
// this: they need not copy every iterate to keep the last one.
func (s *suite) checkEnd(t testing.TB, all []*problem) {
	const most = 100 // the largest number of epochs of a run in this check
	for _, p := range all {
		var last solvers.Iterate
		var want point
		yields, ended := 0, true
		for it, err := range s.run(p.objective) {
			if err != nil {
				t.Errorf("%s: Run failed: %v", p.name, err)
				return
			}
			if yields++; it.Epoch > most || yields > 20*most {
				ended = false
				break
			}
			last, want = it, bare(it)
		}
		if ended && yields > 0 && sameBits([]point{want}, []point{bare(last)}) >= 0 {
			t.Errorf("%s: the run changed the iterate after its last yield, in epoch %d, then ended: want a yield at the end",
				p.name, last.Epoch)
		}
	}
}

// bare returns the point of an iterate without its statistics, because these may count work that did not change the
// iterate.
func bare(it solvers.Iterate) point {
	p := pointOf(it)
	p.names, p.values = nil, nil
	return p
}
