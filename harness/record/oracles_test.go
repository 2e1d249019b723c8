package record

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// named is an oracle with a name, which is comparable.
type named string

func (n named) Max(dst models.Vertex, _ []float64) (models.Vertex, float64) {
	return dst, float64(len(n))
}

// TestDecoratorsAreReused checks that each oracle has one decorator, whatever the order of the examples, which calls
// this oracle.
func TestDecoratorsAreReused(t *testing.T) {
	wrapped := 0
	d := decorators[models.MaxOracle]{wrap: func(o models.MaxOracle) models.MaxOracle {
		wrapped++
		return countedMax{o, booked{newCalls(1), &tally{}}}
	}}
	first := map[named]models.MaxOracle{}
	for _, o := range []named{"a", "a", "bb", "a", "ccc", "bb", "bb", "a", "ccc"} {
		got := d.of(o)
		if _, v := got.Max(nil, nil); v != float64(len(o)) {
			t.Errorf("the decorator of %s calls the oracle with a name of %v letters", o, v)
		}
		if first[o] == nil {
			first[o] = got
		}
		if got != first[o] || d.of(nil) != nil {
			t.Errorf("%s has a second decorator, or no oracle has one", o)
		}
	}
	if wrapped != 3 {
		t.Errorf("%d decorators of three oracles", wrapped)
	}
	c := newCalls(8)
	for i := range c.tallies {
		c.tallies[i].exp.Store(int64(i))
	}
	c.set([6]int64{1, 2, 3, 4, 5, 6})
	if c.totals() != [6]int64{1, 2, 3, 4, 5, 6} || c.visits() != 15 {
		t.Errorf("counts %v, %d visits; want 1 to 6, and 15 without those of the set-up", c.totals(), c.visits())
	}
}

// TestDualOfAnotherLambda checks the bound for the target λ that follows from the dual of a solver with another λ,
// for the problem λ/2 |w|² + max(0, 1 − w): at the dual point a in [0, 1], w = a/λ, and the dual is a −
// a²/2λ for every λ.
func TestDualOfAnotherLambda(t *testing.T) {
	for _, target := range []float64{0.5, 1, 4} {
		for _, lambda := range []float64{0.25, 1, 4, 10} {
			for _, a := range []float64{0, 0.3, 1} {
				dual := func(lambda float64) float64 { return a - a*a/(2*lambda) }
				e := &evaluator{problem: &models.Risk{Lambda: target}}
				it := solvers.Iterate{W: []float64{a / lambda, 0}, Dual: func() float64 { return dual(lambda) }}
				if got, want := e.dual(it, lambda, 99), dual(target); math.Abs(got-want) > 1e-12 {
					t.Errorf("λ=%v, target %v, point %v: dual %v, want %v", lambda, target, a, got, want)
				}
			}
		}
	}
	if got := (&evaluator{}).dual(solvers.Iterate{}, 1, 0); !math.IsNaN(got) {
		t.Errorf("dual without weights and without a value = %v, want none", got)
	}
}
