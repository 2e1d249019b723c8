package record

import (
	"reflect"
	"sync/atomic"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// calls counts oracle calls by kind. Those of a solver's set-up are counted separately.
type calls struct {
	tallies []tally
	inSetup atomic.Bool
	off     atomic.Bool // the clock is stopped: calls made by evaluation are not counted
}

// tally has the counts of one range of examples. Goroutines that divide the examples among them would wait for one
// another at a common counter: of a pass over images on two cores that is a quarter.
type tally struct {
	max, exp, sum, slack, second, setup atomic.Int64
	_                                   [80]byte // no other counts in the two cache lines that processors fetch together
}

// newCalls has as many tallies as a loop over the examples has blocks, or one for a solver of one goroutine.
func newCalls(workers int) *calls {
	if workers <= 1 {
		return &calls{tallies: make([]tally, 1)}
	}
	return &calls{tallies: make([]tally, 64)}
}

// book counts a call in one of a tally's counts.
func (c *calls) book(t *tally, kind *atomic.Int64) { c.add(t, kind, 1) }

func (c *calls) add(t *tally, kind *atomic.Int64, n int) {
	if c.off.Load() {
		return
	}
	if c.inSetup.Load() {
		kind = &t.setup
	}
	kind.Add(int64(n))
}

// answered counts n calls of the max-oracle that the solver answered itself.
func (c *calls) answered(n int) { c.add(&c.tallies[0], &c.tallies[0].max, n) }

// total is the sum of one count over the tallies.
func (c *calls) total(of func(*tally) *atomic.Int64) int64 {
	var n int64
	for i := range c.tallies {
		n += of(&c.tallies[i]).Load()
	}
	return n
}

// visits is the number of calls of the run without set-up: each is one visit to an example (eg, section 7).
func (c *calls) visits() int64 {
	var n int64
	for i := range c.tallies {
		t := &c.tallies[i]
		n += t.max.Load() + t.exp.Load() + t.sum.Load() + t.slack.Load() + t.second.Load()
	}
	return n
}

// write puts the counts into a row; kinds that were never called are left out.
func (c *calls) write(values map[string]float64) {
	for i, name := range [...]string{trace.MaxCalls, trace.ExpCalls, trace.SumCalls, trace.SlackCalls, trace.SecondCalls,
		trace.SetupCalls} {
		if n := c.total(tallied()[i]); n > 0 {
			values[name] = float64(n)
		}
	}
}

// totals are the counts of calls.
func (c *calls) totals() (out [6]int64) {
	for i, of := range tallied() {
		out[i] = c.total(of)
	}
	return out
}

// set sets the counts of calls.
func (c *calls) set(to [6]int64) {
	for i, of := range tallied() {
		for t := range c.tallies {
			of(&c.tallies[t]).Store(0)
		}
		of(&c.tallies[0]).Store(to[i])
	}
}

// tallied are the kinds of calls.
func tallied() [6]func(*tally) *atomic.Int64 {
	return [6]func(*tally) *atomic.Int64{
		func(t *tally) *atomic.Int64 { return &t.max },
		func(t *tally) *atomic.Int64 { return &t.exp },
		func(t *tally) *atomic.Int64 { return &t.sum },
		func(t *tally) *atomic.Int64 { return &t.slack },
		func(t *tally) *atomic.Int64 { return &t.second },
		func(t *tally) *atomic.Int64 { return &t.setup },
	}
}

// counted is an objective with oracles that count. Examples of one range that share an oracle share its decorator.
func counted(o models.Objective, c *calls) models.Objective {
	ranges := make([]decorated, len(c.tallies))
	for i := range ranges {
		ranges[i] = decorate(c, &c.tallies[i])
	}
	i, n := 0, o.N()
	return o.Map(func(e *models.Example) {
		d := &ranges[i*len(ranges)/n]
		e.Max, e.Exp = d.max.of(e.Max), d.exp.of(e.Exp)
		e.Slack, e.Second = d.slack.of(e.Slack), d.second.of(e.Second)
		i++
	})
}

// decorated has the decorators of a range of examples.
type decorated struct {
	max    decorators[models.MaxOracle]
	exp    decorators[models.ExpOracle]
	slack  decorators[models.SlackOracle]
	second decorators[models.SecondOracle]
}

func decorate(c *calls, t *tally) decorated {
	b := booked{c, t}
	return decorated{
		decorators[models.MaxOracle]{wrap: func(o models.MaxOracle) models.MaxOracle { return countedMax{o, b} }},
		decorators[models.ExpOracle]{wrap: func(o models.ExpOracle) models.ExpOracle { return countedExp{o, b} }},
		decorators[models.SlackOracle]{wrap: func(o models.SlackOracle) models.SlackOracle { return countedSlack{o, b} }},
		decorators[models.SecondOracle]{wrap: func(o models.SecondOracle) models.SecondOracle {
			return countedSecond{o, b}
		}},
	}
}

// booked is where the calls of a range of examples are counted.
type booked struct {
	*calls
	*tally
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
	booked
}

func (o countedMax) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	o.book(o.tally, &o.tally.max)
	return o.MaxOracle.Max(dst, theta)
}

type countedExp struct {
	models.ExpOracle
	booked
}

func (o countedExp) LogSum(mu, theta []float64) float64 {
	if mu == nil {
		o.book(o.tally, &o.tally.sum)
	} else {
		o.book(o.tally, &o.tally.exp)
	}
	return o.ExpOracle.LogSum(mu, theta)
}

type countedSlack struct {
	models.SlackOracle
	booked
}

func (o countedSlack) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	o.book(o.tally, &o.tally.slack)
	return o.SlackOracle.MaxSlack(dst, theta, cost, truth)
}

type countedSecond struct {
	models.SecondOracle
	booked
}

func (o countedSecond) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	o.book(o.tally, &o.tally.second)
	return o.SecondOracle.Second(dst, theta, not)
}
