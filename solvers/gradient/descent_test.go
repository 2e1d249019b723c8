package gradient

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// weightsAfter returns the weights at the given yield of a run, where yield 1 is the start.
func weightsAfter(t *testing.T, s solvers.Solver, p *models.Risk, yields int) []float64 {
	t.Helper()
	for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
		if yields--; yields == 0 {
			return slices.Clone(it.W)
		}
	}
	t.Fatalf("the run ended %d yields too early", yields)
	return nil
}

// TestGradientSteps checks that a run of Descent begins at the start weights of the problem, and that its steps agree
// with the formulas for both values of the setting Step. If Average is set, the run yields the weighted mean of the
// weights after the steps.
func TestGradientSteps(t *testing.T) {
	p := testbed.Digits(t, 40)
	p.Inexact, p.Start = true, make([]float64, p.Dim)
	for j := range p.Start {
		p.Start[j] = float64(j%7) / 10
	}
	for _, s := range []*Descent{{Eta0: 0.2, Step: "decay"}, {Eta0: 0.2, Decay: 0.5, Step: "decay"},
		{Eta0: 0.2, Step: "adagrad"}, {Eta0: 0.2}, {Eta0: 0.2, Decay: 0.5, Step: "decay", Average: true},
		{Eta0: 0.2, Step: "adagrad", Average: true}} {
		w, g, squares := slices.Clone(p.Start), make([]float64, p.Dim), make([]float64, p.Dim)
		out, sum := slices.Clone(w), make([]float64, p.Dim)
		for k := range 4 {
			if got := weightsAfter(t, s, p, k+1); !slices.EqualFunc(got, out,
				func(a, b float64) bool { return math.Abs(a-b) <= 1e-14 }) {
				t.Errorf("%+v: weights after %d steps differ from those of the formula", s, k)
			}
			p.Gradient(g, w)
			for j, v := range g {
				squares[j] += v * v
				switch {
				case s.Step == "adagrad" && v != 0:
					w[j] -= 0.2 * v / math.Sqrt(squares[j]+1e-12)
				case s.Step != "adagrad":
					w[j] -= 0.2 / (1 + s.Decay*float64(k)) * v
				}
				sum[j] += float64(k+1) * w[j]
				if out[j] = w[j]; s.Average {
					out[j] = sum[j] / float64((k+1)*(k+2)/2)
				}
			}
		}
	}
}

// TestSGDAdaGrad checks that SGD with AdaGrad on one example gives the same weights as gradient descent with AdaGrad.
func TestSGDAdaGrad(t *testing.T) {
	p := testbed.Digits(t, 1)
	a, b := weightsAfter(t, &SGD{Eta0: 0.1, Step: "adagrad"}, p, 6),
		weightsAfter(t, &Descent{Eta0: 0.1, Step: "adagrad"}, p, 6)
	for j := range a {
		if math.Abs(a[j]-b[j]) > 1e-12 {
			t.Fatalf("weight %d of SGD = %v, want %v as from gradient descent", j, a[j], b[j])
		}
	}
}

func TestSGDDefaultStep(t *testing.T) {
	p := testbed.Digits(t, 40)
	if !slices.Equal(weightsAfter(t, &SGD{Eta0: 0.1}, p, 12),
		weightsAfter(t, &SGD{Eta0: 0.1, Step: "decay"}, p, 12)) {
		t.Error("the weights without step differ from those with step: decay, which is the default")
	}
}

func TestStepSettings(t *testing.T) {
	p := testbed.Digits(t, 5)
	s := &Descent{Eta0: 1, Decay: 1, Step: "adagrad"}
	if err := solvers.Missing(s, p); err == nil || !strings.Contains(err.Error(), "want 0 with step: adagrad") {
		t.Errorf("%+v: Missing = %v, want an error that contains %q", s, err, "want 0 with step: adagrad")
	}
	p.Norm = func(dst, w []float64) { copy(dst, w) }
	for _, s := range []solvers.Solver{&Descent{Eta0: 1, Step: "adagrad"}, &SGD{Eta0: 1, Step: "adagrad"}} {
		if err := solvers.Missing(s, p); err == nil || !strings.Contains(err.Error(), "orthonormal") {
			t.Errorf("%+v with a kernel: Missing = %v, want an error that contains %q", s, err, "orthonormal")
		}
	}
}
