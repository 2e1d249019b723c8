package record

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// fixed is an oracle whose values cannot be compared, so it cannot be the key of a map.
type fixed struct{ best []int }

func (o fixed) Max(dst models.Vertex, _ []float64) (models.Vertex, float64) {
	return append(dst[:0], o.best...), 7
}

// TestDecoratorsHideNothing checks that a problem with counted oracles provides exactly the kinds of oracles of the
// original problem.
func TestDecoratorsHideNothing(t *testing.T) {
	bare := models.Example{Max: fixed{[]int{1}}}
	full := bare
	for _, e := range []*models.Example{&full} {
		e.Exp, e.Slack, e.Second = stub{}, stub{}, stub{}
	}
	c := newCalls(1)
	q := counted(&models.Risk{Weights: models.Weights{Dim: 3}, Lambda: 2,
		Examples: []models.Example{bare, full, full, bare}}, c).(*models.Risk)
	if q.Dim != 3 || q.Lambda != 2 {
		t.Errorf("counted problem = %+v, want Dim 3 and Lambda 2", q)
	}
	if e := q.Examples[0]; e.Exp != nil || e.Slack != nil || e.Second != nil {
		t.Errorf("counted example = %+v, want no oracle that the original lacks", e)
	}
	if y, v := q.Examples[0].Max.Max(nil, nil); v != 7 || !y.Equal(models.Vertex{1}) {
		t.Errorf("Max of the decorator = %v, %v; want [1], 7", y, v)
	}
	e := q.Examples[2]
	e.Exp.LogSum(nil, nil)
	e.Slack.MaxSlack(nil, nil, nil, nil)
	e.Second.Second(nil, nil, nil)
	c.answered(3)
	if c.tallies[0].max.Load() != 4 || c.tallies[0].sum.Load() != 1 || c.tallies[0].slack.Load() != 1 ||
		c.tallies[0].second.Load() != 1 || c.visits() != 7 {
		t.Errorf("visits = %d, want 7: 4 of max, and 1 each of sum, slack and second", c.visits())
	}
	if q.Examples[1].Exp != q.Examples[2].Exp {
		t.Error("examples that share an oracle do not share its decorator")
	}
}

// heard is an oracle of all kinds that stores its arguments, and returns a vertex and a number of its own.
type heard struct{ got *[]any }

func (h heard) hear(args ...any) (models.Vertex, float64) { *h.got = args; return models.Vertex{5}, 6 }

func (h heard) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	return h.hear(dst, theta)
}

func (h heard) LogSum(mu, theta []float64) float64 { _, v := h.hear(mu, theta); return v }

func (h heard) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	return h.hear(dst, theta, cost, truth)
}

func (h heard) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	return h.hear(dst, theta, not)
}

// TestDecoratorsPassArguments checks that a decorator calls its oracle with the arguments that it gets, in their order,
// and returns the oracle's results.
func TestDecoratorsPassArguments(t *testing.T) {
	var got []any
	h := heard{&got}
	d := decorate(newCalls(1), &tally{})
	dst, not, theta, cost := models.Vertex{1}, models.Vertex{2}, []float64{3}, []float64{4}
	check := func(name string, y models.Vertex, v float64, want ...any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) || y != nil && !y.Equal(models.Vertex{5}) || v != 6 {
			t.Errorf("%s: the oracle was called with %v and the result was %v, %v; want %v and [5], 6", name, got, y, v, want)
		}
	}
	y, v := d.max.of(h).Max(dst, theta)
	check("Max", y, v, dst, theta)
	check("LogSum", nil, d.exp.of(h).LogSum(cost, theta), cost, theta)
	y, v = d.slack.of(h).MaxSlack(dst, theta, cost, not)
	check("MaxSlack", y, v, dst, theta, cost, not)
	y, v = d.second.of(h).Second(dst, theta, not)
	check("Second", y, v, dst, theta, not)
}

// TestCountsOfGoroutines checks that each oracle call of a solver's workers is counted once, as a call of the set-up or
// of the run. Calls of evaluations must not be counted.
func TestCountsOfGoroutines(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 1000} {
		c := newCalls(3)
		q := counted(&models.Risk{Weights: models.Weights{Dim: 1}, Lambda: 1, Examples: stubs(n)}, c).(*models.Risk)
		pass := func() {
			models.InBlocks(n, 8, 3, func(_, lo, hi int) {
				for i := lo; i < hi; i++ {
					q.Examples[i].Exp.LogSum([]float64{0}, nil)
				}
			})
		}
		c.inSetup.Store(true)
		pass()
		c.inSetup.Store(false)
		pass()
		c.off.Store(true)
		pass()
		row := map[string]float64{}
		c.write(row)
		if len(row) != 2 || row[trace.ExpCalls] != float64(n) || row[trace.SetupCalls] != float64(n) ||
			c.visits() != int64(n) {
			t.Errorf("%d examples: row %v and %d visits, want %[1]d exp_calls, setup_calls and visits", n, row, c.visits())
		}
	}
}

// stubs returns examples that share one oracle.
func stubs(n int) []models.Example {
	examples := make([]models.Example, n)
	for i := range examples {
		examples[i].Exp = stub{}
	}
	return examples
}

// BenchmarkCounted measures what counting the oracle calls costs in a pass over the examples.
func BenchmarkCounted(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			const n = 10_000
			q := counted(&models.Risk{Weights: models.Weights{Dim: 1}, Lambda: 1, Examples: stubs(n)},
				newCalls(workers)).(*models.Risk)
			for b.Loop() {
				models.InBlocks(n, 8, workers, func(_, lo, hi int) {
					for i := lo; i < hi; i++ {
						q.Examples[i].Exp.LogSum(nil, nil)
					}
				})
			}
		})
	}
}

type stub struct{}

func (stub) LogSum(_, _ []float64) float64 { return 0 }
func (stub) MaxSlack(dst models.Vertex, _, _ []float64, _ models.Vertex) (models.Vertex, float64) {
	return dst, 0
}
func (stub) Second(dst models.Vertex, _ []float64, _ models.Vertex) (models.Vertex, float64) {
	return dst, 0
}
