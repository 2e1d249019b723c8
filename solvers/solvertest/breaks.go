package solvertest

import (
	"runtime"
	"testing"
	"time"
)

// checkBreaks checks that the loop over the iterates can break at any of the first yields, and that such a break does
// not change the next run.
func (s *suite) checkBreaks(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		s.first(t, p)
		before := runtime.NumGoroutine()
		for yields := 1; yields <= 8; yields++ {
			if _, err := record(s.run(p.objective), yields); err != nil {
				t.Errorf("%s: Run failed before the break at yield %d: %v", p.name, yields, err)
			}
		}
		if extra := leaked(before); extra > 0 {
			t.Errorf("%s: %d goroutines remain after runs that were ended by break", p.name, extra)
			return
		}
		if at := sameBits(s.first(t, p), recordOf(t, p.name, s.run(p.objective), shown)); at >= 0 {
			t.Errorf("%s: a run after runs that were ended by break differs from the first run at yield %d", p.name, at)
		}
	}
}

// leaked returns the present number of goroutines minus the argument before, the earlier number. If the difference is
// positive, leaked first waits a short time for goroutines to end.
func leaked(before int) int {
	for range 50 {
		if runtime.NumGoroutine() <= before {
			return 0
		}
		time.Sleep(10 * time.Millisecond)
	}
	return runtime.NumGoroutine() - before
}
