package solvertest

import (
	"context"
	"errors"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkInterruption checks that a run that should stop either continues as it would have, or ends with the context's
// error. Until then it has the bits of an uninterrupted run.
func (s *suite) checkInterruption(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		want := s.first(t, p)
		for stop := range 5 { // the last within a step, if the solver reports phases
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
						t.Errorf("%s: stopped at yield %d, the run failed: %v: want the context's error", p.name, stop, err)
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
				t.Errorf("%s: stopped at yield %d, the run shows something else at yield %d: want what it would have been, or an "+
					"error", p.name, stop, at)
				break
			}
		}
	}
}
