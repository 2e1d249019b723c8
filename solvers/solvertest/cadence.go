package solvertest

import (
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkStart checks that the first yield is the start: all oracle calls before it belong to the set-up, and no epoch is
// complete.
func (s *suite) checkStart(t testing.TB, all []*problem) {
	for _, p := range all {
		q, at, c := counted(p.objective)
		yielded := false
		for it, err := range solvers.Run(s.solver, q, at) {
			yielded = true
			switch calls := c.calls.Load(); {
			case err != nil:
				t.Errorf("%s: Run failed at the start: %v", p.name, err)
			case calls > 0:
				t.Errorf("%s: %d oracle calls before the first yield and outside of Phase(\"setup\"): want none", p.name, calls)
			case c.inSetup.Load():
				t.Errorf("%s: Phase(\"setup\") has not ended at the first yield: want it to end before", p.name)
			case it.Epoch != 0:
				t.Errorf("%s: the first yield is at epoch %d: want 0", p.name, it.Epoch)
			}
			break
		}
		if !yielded {
			t.Errorf("%s: Run yielded nothing", p.name)
		}
	}
}

// checkCalls checks the number of oracle calls between yields and in each epoch. It does not count the calls that
// functions of an iterate make (such as Primal), because the harness calls these functions.
func (s *suite) checkCalls(t testing.TB, all []*problem) {
	const epochs = 12
	for _, p := range all {
		q, at, c := counted(p.objective)
		n := q.N()
		var last, epochBegan, aside int64 // aside: oracle calls made in the loop body
		epoch, yields := 0, 0
		for it, err := range solvers.Run(s.solver, q, at) {
			now := c.calls.Load() - aside
			if err != nil {
				t.Errorf("%s: Run failed: %v", p.name, err)
				break
			}
			if most := int64(s.between(n)); now-last > most {
				t.Errorf("%s: %d oracle calls between two yields in epoch %d: want at most %d", p.name, now-last, it.Epoch, most)
				break
			}
			if it.Epoch > epoch {
				if it.Epoch != epoch+1 {
					t.Errorf("%s: epoch %d follows epoch %d: want a yield at the end of each epoch", p.name, it.Epoch, epoch)
					break
				}
				if s.perEpoch != nil {
					if low, high := s.perEpoch(n); now-epochBegan < int64(low) || now-epochBegan > int64(high) {
						t.Errorf("%s: epoch %d took %d oracle calls: want %d to %d", p.name, it.Epoch, now-epochBegan, low, high)
						break
					}
				}
				epoch, epochBegan = it.Epoch, now
			}
			last = now
			pointOf(it)
			aside = c.calls.Load() - now
			if yields++; epoch >= epochs || yields > 100*epochs {
				break
			}
		}
	}
}
