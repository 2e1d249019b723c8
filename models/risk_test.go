package models_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

func smoothLosses() []models.Loss {
	return []models.Loss{models.LogLoss(), {Temp: 1, Margin: 1}, {Temp: 0.2, Margin: 1}}
}

// TestGradientFiniteDifferences checks each component of the gradient of a smooth risk P against finite differences.
func TestGradientFiniteDifferences(t *testing.T) {
	const h = 1e-5
	task := examples.Build(t, multiclass.Model{}, examples.Rows(23, 4, 3, true), nil)
	for _, loss := range smoothLosses() {
		p := examples.RiskOf(t, task, loss, 0.3)
		w, g := examples.Weights(5, p.Dim), make([]float64, p.Dim)
		if got, want := p.Gradient(g, w), p.Primal(w); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%+v: value from Gradient = %v, want %v as from Primal", loss, got, want)
		}
		for j := range w {
			at := w[j]
			w[j] = at + h
			up := p.Primal(w)
			w[j] = at - h
			down := p.Primal(w)
			w[j] = at
			if slope := (up - down) / (2 * h); math.Abs(g[j]-slope) > 1e-7 {
				t.Errorf("%+v: component %d of the gradient = %v, want %v by finite differences", loss, j, g[j], slope)
			}
		}
	}
}

// TestHingeSubgradient checks the inequality of a subgradient g of a λ-strongly convex risk P at w: P(v) ≥ P(w) + g·(v
// − w) + λ/2 |v − w|².
func TestHingeSubgradient(t *testing.T) {
	p := examples.Risk(t, multiclass.Model{}, examples.Rows(30, 4, 4, false), models.Hinge(), 0.2)
	g := make([]float64, p.Dim)
	for seed := range uint64(50) {
		w, v := examples.Weights(seed, p.Dim), examples.Weights(100+seed/2, p.Dim)
		low := p.Gradient(g, w)
		for j := range w {
			d := v[j] - w[j]
			low += g[j]*d + p.Lambda/2*d*d
		}
		if high := p.Primal(v); high < low-1e-10*high {
			t.Errorf("seed %d: P(v) = %v, want at least the lower bound %v", seed, high, low)
		}
	}
}

// TestWorkers checks that the bits of values, gradients, bounds and metrics do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	task := examples.Build(t, multiclass.Model{}, examples.Rows(137, 6, 5, true), examples.Rows(71, 6, 5, true))
	w := examples.Weights(6, task.Dim())
	for _, loss := range []models.Loss{models.LogLoss(), models.Hinge()} {
		var want []float64
		for _, workers := range []int{0, 1, 2, 5, 200} {
			p := examples.RiskOf(t, task, loss, 0.05)
			p = p.Parallel(workers)
			g := make([]float64, p.Dim)
			got := append([]float64{p.Primal(w), p.Gradient(g, w), p.Bound(w), task.Evaluate(w, workers)["validation_error"]},
				g...)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: results with %d workers have other bits than with 1 worker", loss, workers)
			}
		}
	}
}

// TestEvaluateCountsErrors checks that Evaluate returns the share of rows whose label is not the best class. Among
// classes with the same score the first one is best.
func TestEvaluateCountsErrors(t *testing.T) {
	const dim, k = 5, 4
	held := examples.Rows(101, dim, k, false)
	task := examples.Build(t, multiclass.Model{}, examples.Rows(10, dim, k, false), held)
	for _, w := range [][]float64{make([]float64, dim*k), examples.Weights(7, dim*k), examples.Weights(8, dim*k)} {
		wrong := 0
		for i, y := range held.Y {
			best, top := 0, math.Inf(-1)
			for c := range k {
				var s float64
				for j := range dim {
					s += held.X.Value[i*dim+j] * w[j*k+c]
				}
				if s > top {
					best, top = c, s
				}
			}
			if best != y {
				wrong++
			}
		}
		if got, want := task.Evaluate(w, 3)["validation_error"], float64(wrong)/101; math.Abs(got-want) > 1e-15 {
			t.Errorf("validation error = %v, want %v by a plain count", got, want)
		}
	}
	if got := examples.Build(t, multiclass.Model{}, held, nil).Evaluate(make([]float64, dim*k), 1); got != nil {
		t.Errorf("without validation data Evaluate = %v, want nil", got)
	}
}

// TestWrongLengthsPanic checks that slices of a wrong length panic with a message of this package.
func TestWrongLengthsPanic(t *testing.T) {
	p := examples.Risk(t, multiclass.Model{}, examples.Rows(5, 3, 3, false), models.LogLoss(), 1)
	w := make([]float64, p.Dim)
	for name, call := range map[string]func(){
		"Primal":             func() { p.Primal(w[1:]) },
		"Bound":              func() { p.Bound(w[1:]) },
		"Gradient":           func() { p.Gradient(make([]float64, p.Dim-1), w[1:]) },
		"Gradient's result":  func() { p.Gradient(make([]float64, p.Dim+1), w) },
		"the cost's Augment": func() { models.Hinge().Augment(make([]float64, 2), make([]float64, 3)) },
	} {
		examples.Panics(t, name+" of a wrong length", "models: ", "", call)
	}
}

// TestMetricsAreRatios checks that a metric is the ratio of sums over the examples, not the mean of ratios.
func TestMetricsAreRatios(t *testing.T) {
	c := models.Counts{Names: []string{"a", "b"}, Num: [][]float64{{1, 2}, {0, 1}}, Den: [][]float64{{4, 1}, {1, 1}}}
	if got := c.Metrics(); len(got) != 2 || got["a"] != 3./5 || got["b"] != 1./2 {
		t.Errorf("metrics = %v, want a = 3/5 and b = 1/2", got)
	}
}
