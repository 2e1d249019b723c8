package solvertest

import (
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// point contains the values of a run at one yield.
type point struct {
	w      []float64
	epoch  int
	primal float64   // NaN if the iterate has no Primal
	dual   float64   // NaN if the iterate has no Dual
	scores []float64 // part scores of the first example; nil except in inference
	names  []string  // names of the statistics
	values []float64 // values of the statistics
}

// pointOf calls all functions of an iterate, and returns their values as a point.
func pointOf(it solvers.Iterate) point {
	if it.Watch != nil {
		it.Watch()
	}
	p := point{w: slices.Clone(it.W), epoch: it.Epoch, primal: math.NaN(), dual: math.NaN()}
	if it.Primal != nil {
		p.primal = it.Primal()
	}
	if it.Dual != nil {
		p.dual = it.Dual()
	}
	if it.Scores != nil {
		p.scores = slices.Clone(it.Scores(0))
	}
	if it.Stats != nil {
		it.Stats(func(name string, v float64) { p.names, p.values = append(p.names, name), append(p.values, v) })
	}
	return p
}

// record returns the points of the first yields of a run, and the run's error, if any.
func record(run iter.Seq2[solvers.Iterate, error], yields int) ([]point, error) {
	var out []point
	for it, err := range run {
		if err != nil {
			return out, err
		}
		out = append(out, pointOf(it))
		if len(out) >= yields {
			break
		}
	}
	return out, nil
}

// recordOf returns the points of the first yields of a run. If the run has an error, the test fails.
func recordOf(t testing.TB, name string, run iter.Seq2[solvers.Iterate, error], yields int) []point {
	t.Helper()
	points, err := record(run, yields)
	if err != nil {
		t.Errorf("%s: Run failed: %v", name, err)
	}
	return points
}

// sameBits returns the index of the first point in which a and b differ, or −1 if they have the same bits.
func sameBits(a, b []point) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i].epoch != b[i].epoch || !equalBits(a[i].w, b[i].w) ||
			!equalBits(a[i].scores, b[i].scores) || !slices.Equal(a[i].names, b[i].names) ||
			!equalBits(a[i].values, b[i].values) ||
			!equalBits([]float64{a[i].primal, a[i].dual}, []float64{b[i].primal, b[i].dual}) {
			return i
		}
	}
	return -1
}

// equalBits reports whether two slices have the same bits.
func equalBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// primal returns the primal value of an iterate, computed as in the harness.
func primal(o models.Objective, it solvers.Iterate) float64 {
	if it.Primal != nil {
		return it.Primal()
	}
	return o.(interface{ Primal([]float64) float64 }).Primal(it.W)
}

// env returns the environment with which the suite runs solvers.
func env() solvers.Env { return solvers.Env{Seed: 1} }

// run runs the suite's solver on an objective.
func (s *suite) run(o models.Objective) iter.Seq2[solvers.Iterate, error] {
	return solvers.Run(s.solver, o, env())
}

// takes reports whether the solver supports an objective.
func (s *suite) takes(o models.Objective) bool { return solvers.Missing(s.solver, o) == nil }
