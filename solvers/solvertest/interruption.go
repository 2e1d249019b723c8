package solvertest

import (
	"context"
	"errors"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkInterruption checks a run whose context ends. The run must have the same bits as an uninterrupted run, up to the
// point where it ends with the context's error. It may also continue to its end.
func (s *suite) checkInterruption(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		want := s.first(t, p)
		for stop := range 5 { // stop < 4: the context ends after stop yields; 4: within a step, if it has phases
			ctx, cancel := context.WithCancel(context.Background())
			if stop == 0 {
				cancel()
			}
			at := env()
			at.Context = ctx
			if phases := 0; stop == 4 {
				at.Phase = func(name string) {
					if name != "" && name != "setup" {
						if phases++; phases == 7 {
							cancel()
						}
					}
				}
			}
			var got []point
			for it, err := range solvers.Run(s.solver, p.objective, at) {
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("%s: the run stopped at yield %d has the error %v: want the context's error", p.name, stop, err)
					}
					break
				}
				if got = append(got, pointOf(it)); len(got) == stop && stop < 4 {
					cancel()
				}
				if len(got) == min(len(want), stop+12) {
					break
				}
			}
			cancel()
			if at := sameBits(want[:min(len(want), len(got))], got); at >= 0 {
				t.Errorf("%s: the run stopped at yield %d differs from an uninterrupted run at yield %d: want the same bits, "+
					"or an error", p.name, stop, at)
				break
			}
		}
	}
}
