package solvertest

import (
	"sync/atomic"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// counter counts the oracle calls of a run, those of its set-up apart.
type counter struct {
	calls, setup atomic.Int64
	inSetup      atomic.Bool
	each         func() // nil, or done at each call of an oracle
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
	q := o.Map(func(e *models.Example) {
		if e.Max != nil {
			e.Max = countedMax{e.Max, c}
		}
		if e.Exp != nil {
			e.Exp = countedExp{e.Exp, c}
		}
		if e.Slack != nil {
			e.Slack = countedSlack{e.Slack, c}
		}
		if e.Second != nil {
			e.Second = countedSecond{e.Second, c}
		}
	})
	at := env()
	at.Calls = c.add
	at.Phase = func(name string) { c.inSetup.Store(name == "setup") }
	return q, at, c
}

type countedMax struct {
	models.MaxOracle
	*counter
}

func (o countedMax) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	o.count()
	return o.MaxOracle.Max(dst, theta)
}

type countedExp struct {
	models.ExpOracle
	*counter
}

func (o countedExp) LogSum(mu, theta []float64) float64 {
	o.count()
	return o.ExpOracle.LogSum(mu, theta)
}

type countedSlack struct {
	models.SlackOracle
	*counter
}

func (o countedSlack) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	o.count()
	return o.SlackOracle.MaxSlack(dst, theta, cost, truth)
}

type countedSecond struct {
	models.SecondOracle
	*counter
}

func (o countedSecond) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	o.count()
	return o.SecondOracle.Second(dst, theta, not)
}
