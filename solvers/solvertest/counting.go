package solvertest

import (
	"sync/atomic"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// counter counts the oracle calls of a run. It counts the calls of the set-up separately.
type counter struct {
	calls, setup atomic.Int64
	inSetup      atomic.Bool
	each         func() // called once for each oracle call; may be nil
}

func (c *counter) count() {
	if c.each != nil {
		c.each()
	}
	c.add(1)
}

func (c *counter) add(n int) {
	if c.inSetup.Load() {
		c.setup.Add(int64(n))
		return
	}
	c.calls.Add(int64(n))
}

// counted returns the objective with wrapped oracles, and an environment whose Phase marks the set-up.
func counted(o models.Objective) (models.Objective, solvers.Env, *counter) {
	c := &counter{}
	q := testbed.OnCall(o, c.count)
	at := env()
	at.Calls = c.add
	at.Phase = func(name string) { c.inSetup.Store(name == "setup") }
	return q, at, c
}
