package record

import (
	"reflect"
	"sync/atomic"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// calls counts oracle calls by their kind. Calls in a solver's set-up are counted separately.
type calls struct {
	tallies []tally
	inSetup atomic.Bool
	off     atomic.Bool // true during an evaluation, while the clock is stopped: its oracle calls are not counted
}

// tally contains the counts of oracle calls for one range of examples. With one counter for all ranges, the workers of
// a loop would wait for each other's updates: on two cores, this took a quarter of the time of a pass over images.
type tally struct {
	max, exp, sum, slack, second, setup atomic.Int64
	_                                   [80]byte // fills two cache lines, which the processor fetches together
}

// newCalls returns the counters of a run. It has one tally for each range of examples that a worker processes at a
// time, or a single tally if the solver has one goroutine.
func newCalls(workers int) *calls {
	if workers <= 1 {
		return &calls{tallies: make([]tally, 1)}
	}
	return &calls{tallies: make([]tally, 64)}
}

// book adds one call to the counter kind, which belongs to the tally t.
func (c *calls) book(t *tally, kind *atomic.Int64) { c.add(t, kind, 1) }

// add adds n calls to the counter kind, which belongs to the tally t.
func (c *calls) add(t *tally, kind *atomic.Int64, n int) {
	if c.off.Load() {
		return
	}
	if c.inSetup.Load() {
		kind = &t.setup
	}
	kind.Add(int64(n))
}

// answered counts n more calls of the max-oracle: the solver has computed their results itself, without the oracle.
func (c *calls) answered(n int) { c.add(&c.tallies[0], &c.tallies[0].max, n) }

// total returns the sum of one counter over all tallies.
func (c *calls) total(of func(*tally) *atomic.Int64) int64 {
	var n int64
	for i := range c.tallies {
		n += of(&c.tallies[i]).Load()
	}
	return n
}

// visits returns the number of calls, without the calls of the set-up. Each call is one visit to an example (paper eg,
// section 7).
func (c *calls) visits() int64 {
	var n int64
	for i := range c.tallies {
		t := &c.tallies[i]
		n += t.max.Load() + t.exp.Load() + t.sum.Load() + t.slack.Load() + t.second.Load()
	}
	return n
}

// write writes the counts to values, the columns of a row. It leaves out the kinds of oracles that were never called.
func (c *calls) write(values map[string]float64) {
	for i, name := range [...]string{trace.MaxCalls, trace.ExpCalls, trace.SumCalls, trace.SlackCalls, trace.SecondCalls,
		trace.SetupCalls} {
		if n := c.total(tallied()[i]); n > 0 {
			values[name] = float64(n)
		}
	}
}

// totals returns the number of calls of each kind, in the order of tallied.
func (c *calls) totals() (out [6]int64) {
	for i, of := range tallied() {
		out[i] = c.total(of)
	}
	return out
}

// set sets the number of calls of each kind. The counts in the argument "to" have the order of tallied.
func (c *calls) set(to [6]int64) {
	for i, of := range tallied() {
		for t := range c.tallies {
			of(&c.tallies[t]).Store(0)
		}
		of(&c.tallies[0]).Store(to[i])
	}
}

// tallied returns one function for each kind of call. This function returns the counter of its kind in a tally.
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

// counted returns the objective with each oracle inside a decorator, which counts the oracle's calls. Examples of one
// range with the same oracle have the same decorator.
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

// decorated contains the decorators for the oracles of a range of examples.
type decorated struct {
	max    decorators[models.MaxOracle]
	exp    decorators[models.ExpOracle]
	slack  decorators[models.SlackOracle]
	second decorators[models.SecondOracle]
}

// decorate returns decorators that count calls in t.
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

// booked contains the counts that a decorator updates: the tally of one range of examples, and the counts of the whole
// run, which include this tally.
type booked struct {
	*calls
	*tally
}

// decorators wraps oracles of one kind. Each oracle is wrapped once, even if many examples share it.
type decorators[O comparable] struct {
	wrap          func(O) O
	known         map[O]O
	last, wrapped O // the oracle of the previous example, which most examples share, and its decorator
}

// of returns the decorator of an oracle, or nil if the oracle is nil because the model lacks it.
func (d *decorators[O]) of(o O) O {
	var none O
	switch {
	case o == none:
		return o
	case o == d.last: // cannot panic: d.last has a comparable value, even if o has not
		return d.wrapped
	case !reflect.ValueOf(o).Comparable(): // o cannot be the key of a map
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
