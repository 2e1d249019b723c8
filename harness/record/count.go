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

func (c *calls) book(kind *atomic.Int64) { c.add(kind, 1) }

// add books n calls of a kind.
func (c *calls) add(kind *atomic.Int64, n int) {
	if c.off.Load() {
		return
	}
	if c.inSetup.Load() {
		kind = &c.setup
	}
	kind.Add(int64(n))
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
	maxs := decorators[models.MaxOracle]{wrap: func(o models.MaxOracle) models.MaxOracle { return countedMax{o, c} }}
	exps := decorators[models.ExpOracle]{wrap: func(o models.ExpOracle) models.ExpOracle { return countedExp{o, c} }}
	slacks := decorators[models.SlackOracle]{wrap: func(o models.SlackOracle) models.SlackOracle {
		return countedSlack{o, c}
	}}
	seconds := decorators[models.SecondOracle]{wrap: func(o models.SecondOracle) models.SecondOracle {
		return countedSecond{o, c}
	}}
	return o.Map(func(e *models.Example) {
		e.Max, e.Exp = maxs.of(e.Max), exps.of(e.Exp)
		e.Slack, e.Second = slacks.of(e.Slack), seconds.of(e.Second)
	})
}

// decorators wrap oracles of a kind, each once even if many examples share it.
type decorators[O comparable] struct {
	wrap          func(O) O
	known         map[O]O
	last, wrapped O // the last key, and its value: most examples have the oracle of the one before
}

// of is the decorator of an oracle. One that a model lacks stays nil.
func (d *decorators[O]) of(o O) O {
	var none O
	switch {
	case o == none:
		return o
	case o == d.last: // which can be compared with any
		return d.wrapped
	case !reflect.ValueOf(o).Comparable(): // it cannot be the key of a map
		return d.wrap(o)
	}
	w, ok := d.known[o]
	if !ok {
		w = d.wrap(o)
		if d.known == nil {
			d.known = map[O]O{}
		}
		d.known[o] = w
	}
	d.last, d.wrapped = o, w
	return w
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
