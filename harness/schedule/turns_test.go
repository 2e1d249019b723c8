package schedule_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/solvers"
)

// TestTurns runs three experiments at the same time, each with two workers, which share two turns. It checks that at
// most two runs are in progress at any time, and that all runs are made.
func TestTurns(t *testing.T) {
	var active, most, made atomic.Int64
	counted := func(name string) toy.Option {
		return toy.With(toy.Scripted{Is: name, Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
			now := active.Add(1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			time.Sleep(2 * time.Millisecond)
			made.Add(1)
			yield(solvers.Iterate{W: make([]float64, p.Dim)}, nil)
			active.Add(-1)
		}})
	}
	turns := semaphore.NewWeighted(2)
	t.Run("experiments", func(t *testing.T) {
		for i := range 3 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				toy.Text(t, toy.Quickly("{epochs: 100}"), toy.Workers(2), counted("a"), counted("b"), counted("c"),
					func(o *schedule.Options) { o.Turns = turns })
			})
		}
	})
	if most.Load() > 2 {
		t.Errorf("%d runs were in progress at the same time; want at most 2, the number of turns", most.Load())
	}
	if made.Load() < 9 {
		t.Errorf("%d runs were made; want at least 9, 3 for each experiment", made.Load())
	}
}
