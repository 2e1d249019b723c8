package testbed

import (
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Stat returns the value of an iterate's statistic with the given name, or NaN if there is no such statistic.
func Stat(it solvers.Iterate, name string) float64 {
	value := math.NaN()
	it.Stats(func(s string, v float64) {
		if s == name {
			value = v
		}
	})
	return value
}

// Trace returns the first 40 iterates of a run. Each returned iterate has only the field W, as a copy. The test fails
// if there are fewer than 3 iterates, or if the last w equals the first.
func Trace(t *testing.T, run iter.Seq2[solvers.Iterate, error]) (out []solvers.Iterate) {
	t.Helper()
	for it := range Iterates(t, run) {
		out = append(out, solvers.Iterate{W: slices.Clone(it.W)})
		if len(out) == 40 {
			break
		}
	}
	if len(out) < 3 || Distance(out[0].W, out[len(out)-1].W) == 0 {
		t.Errorf("%d yields, and w changed from %v to %v: want at least 3 yields and a change", len(out), out[0].W[:3],
			out[len(out)-1].W[:3])
	}
	return out
}

// Distance returns the Euclidean distance |v − w|.
func Distance(v, w []float64) float64 {
	var sum float64
	for j, x := range v {
		sum += (x - w[j]) * (x - w[j])
	}
	return math.Sqrt(sum)
}

// After runs a solver and returns the primal and the dual value at its first iterate of the given epoch, or at its last
// iterate if the run ends earlier.
func After(t *testing.T, p *models.Risk, s solvers.Solver, epochs int) (primal, dual float64) {
	t.Helper()
	var at solvers.Iterate
	for it := range Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
		if at = it; it.Epoch == epochs {
			break
		}
	}
	if at.Dual != nil {
		dual = at.Dual()
	}
	return p.Primal(at.W), dual
}

// Iterates ranges over the iterates of a run. If the run has an error, the test fails.
func Iterates(t testing.TB, run iter.Seq2[solvers.Iterate, error]) iter.Seq[solvers.Iterate] {
	return func(yield func(solvers.Iterate) bool) {
		t.Helper()
		for it, err := range run {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(it) {
				return
			}
		}
	}
}
