package record_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// falling returns a solver that yields once per pass. The gap of its iterate after k passes is gap(k). *evaluated
// counts the evaluations of its iterates.
func falling(gap func(k float64) float64, evaluated *int) toy.Scripted {
	return toy.Scripted{Is: "falls", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		for k := 0; ; k++ {
			it := solvers.Iterate{Epoch: k, Primal: func() float64 { *evaluated++; return 1 },
				Dual: func() float64 { return 1 - gap(float64(k)) }}
			if !yield(it, nil) {
				return
			}
			for i := range toy.N {
				p.Visit(i)
			}
		}
	}}
}

// TestLooks checks where the stop rule on the gap ends a run that has looks between its rows, and how many evaluations
// the run makes.
func TestLooks(t *testing.T) {
	const whole = "{passes: 1}"
	const grows = "{passes: 1, growth: 1.3}"
	const looks = "{passes: 1, growth: 1.3, looks: true}"
	linear := func(k float64) float64 { return math.Exp(-k / 20) }
	inverse := func(k float64) float64 { return 1 / (1 + k) }
	sudden := func(k float64) float64 {
		if k >= 90 {
			return 1e-9
		}
		return linear(k / 10)
	}
	for _, c := range []struct {
		name, every string
		gap         func(float64) float64
		passes      float64 // passes of the run at its end
		most        int     // largest allowed number of evaluations
	}{
		{"each row, linear", whole, linear, 93, 94},
		{"growth, linear", grows, linear, 101, 19},
		{"looks, linear", looks, linear, 93, 30},
		{"looks, by epochs", "{epochs: 1, growth: 1.3, looks: true}", linear, 93, 30},
		{"each row, inverse", whole, inverse, 100, 101},
		{"looks, inverse", looks, inverse, 100, 45},
		{"looks, a sudden fall is detected at the next row", looks, sudden, 101, 25},
		{"looks, the gap never falls", looks, func(float64) float64 { return 0.5 }, 200, 25},
		{"looks, the gap is not known", looks, func(float64) float64 { return math.NaN() }, 200, 25},
	} {
		t.Run(c.name, func(t *testing.T) {
			evaluated := 0
			r := toy.Text(t, toy.Quickly("{gap: 1e-2, passes: 200}")+fmt.Sprintf("record: {every: %s}\n", c.every),
				toy.With(falling(c.gap, &evaluated)))
			f := toy.Labelled(t, r, "as", "falls")
			if got := toy.Last(t, f)[trace.Passes]; math.Abs(got-c.passes) > 1e-9 {
				t.Errorf("the run ended at %g passes, want %g", got, c.passes)
			}
			if evaluated > c.most {
				t.Errorf("%d evaluations, want at most %d", evaluated, c.most)
			}
			if rows := toy.Column(t, f, trace.Passes); c.every != whole && len(rows) > 25 {
				t.Errorf("%d rows, at passes %v; a look that does not end the run must have no row", len(rows), rows)
			}
		})
	}
}
