package record

import (
	"reflect"
	"sync/atomic"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// calls counts oracle calls by kind. Those of a solver's set-up are counted separately.
type calls struct {
	max, exp, sum, slack, second, setup atomic.Int64
	inSetup                             atomic.Bool
	off                                 atomic.Bool // the clock is stopped: calls made by evaluation are not counted
}

func (c *calls) book(kind *atomic.Int64) {
	if c.off.Load() {
		return
	}
	if c.inSetup.Load() {
		kind = &c.setup
	}
	kind.Add(1)
}

// visits is the number of calls of the run without set-up: each is one visit to an example (eg, section 7).
func (c *calls) visits() int64 {
	return c.max.Load() + c.exp.Load() + c.sum.Load() + c.slack.Load() + c.second.Load()
}

// write puts the counts into a row; kinds that were never called are left out.
func (c *calls) write(values map[string]float64) {
	for name, kind := range map[string]*atomic.Int64{
		trace.MaxCalls: &c.max, trace.ExpCalls: &c.exp, trace.SumCalls: &c.sum,
		trace.SlackCalls: &c.slack, trace.SecondCalls: &c.second, trace.SetupCalls: &c.setup,
	} {
		if n := kind.Load(); n > 0 {
			values[name] = float64(n)
		}
	}
}

// counted is an objective with oracles that count. Examples that share an oracle share its decorator.
func counted(o models.Objective, c *calls) models.Objective {
	maxs, exps := map[models.MaxOracle]models.MaxOracle{}, map[models.ExpOracle]models.ExpOracle{}
	slacks, seconds := map[models.SlackOracle]models.SlackOracle{}, map[models.SecondOracle]models.SecondOracle{}
	return o.Map(func(e *models.Example) {
		e.Max = decorate(maxs, e.Max, func(o models.MaxOracle) models.MaxOracle { return countedMax{o, c} })
		e.Exp = decorate(exps, e.Exp, func(o models.ExpOracle) models.ExpOracle { return countedExp{o, c} })
		e.Slack = decorate(slacks, e.Slack, func(o models.SlackOracle) models.SlackOracle { return countedSlack{o, c} })
		e.Second = decorate(seconds, e.Second, func(o models.SecondOracle) models.SecondOracle { return countedSecond{o, c} })
	})
}

// decorate wraps an oracle, once even if many examples share it. An oracle that a model lacks stays nil.
func decorate[O comparable](known map[O]O, o O, wrap func(O) O) O {
	var none O
	if o == none {
		return o
	}
	if !reflect.ValueOf(o).Comparable() { // it cannot be the key of a map
		return wrap(o)
	}
	d, ok := known[o]
	if !ok {
		d = wrap(o)
		known[o] = d
	}
	return d
}

type countedMax struct {
	models.MaxOracle
	calls *calls
}

func (o countedMax) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	o.calls.book(&o.calls.max)
	return o.MaxOracle.Max(dst, theta)
}

type countedExp struct {
	models.ExpOracle
	calls *calls
}

func (o countedExp) LogSum(mu, theta []float64) float64 {
	if mu == nil {
		o.calls.book(&o.calls.sum)
	} else {
		o.calls.book(&o.calls.exp)
	}
	return o.ExpOracle.LogSum(mu, theta)
}

type countedSlack struct {
	models.SlackOracle
	calls *calls
}

func (o countedSlack) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	o.calls.book(&o.calls.slack)
	return o.SlackOracle.MaxSlack(dst, theta, cost, truth)
}

type countedSecond struct {
	models.SecondOracle
	calls *calls
}

func (o countedSecond) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	o.calls.book(&o.calls.second)
	return o.SecondOracle.Second(dst, theta, not)
}
