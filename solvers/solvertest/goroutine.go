package solvertest

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// checkGoroutine checks that all oracles are called on the goroutine that ranges over the iterates, or on one of the
// goroutines to which package models distributes loops over examples. The harness measures the CPU time of these
// goroutines only, so it would miss work on other goroutines, such as those of a library.
func (s *suite) checkGoroutine(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		q, at, calls := counted(p.objective)
		var clocked sync.Map
		clocked.Store(goroutine(), true)
		q = withWorkers(q, func(share func()) {
			clocked.Store(goroutine(), true)
			share()
		})
		var elsewhere atomic.Pointer[[]byte]
		calls.each = func() {
			if _, ok := clocked.Load(goroutine()); !ok && elsewhere.Load() == nil {
				stack := debug.Stack()
				elsewhere.Store(&stack)
			}
		}
		yields := 0
		for _, err := range solvers.Run(s.solver, q, at) {
			if yields++; err != nil || yields == 8 { // few yields, because the function goroutine is slow
				break
			}
		}
		if stack := elsewhere.Load(); stack != nil {
			t.Errorf("%s: an oracle is called on a goroutine that does not belong to the run:\n%s", p.name, *stack)
		}
	}
}

// withWorkers returns an objective whose loops over examples run on several goroutines. Each goroutine calls worker
// with a function that runs this goroutine's share of the loop.
func withWorkers(o models.Objective, worker func(share func())) models.Objective {
	switch o := o.(type) {
	case *models.Risk:
		return o.Clocked(worker)
	case *models.Generative:
		return o.Clocked(worker)
	}
	return o
}

// goroutine returns the name of the calling goroutine, such as "goroutine 7", from the first line of its stack trace.
func goroutine() string {
	var stack [64]byte
	text := stack[:runtime.Stack(stack[:], false)]
	return string(text[:bytes.IndexByte(text, '[')])
}
