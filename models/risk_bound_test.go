package models_test

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// descend minimises a smooth risk P by gradient descent with backtracking. It returns the last weights and the smallest
// value of P.
func descend(p *models.Risk, steps int) ([]float64, float64) {
	w, g, next := make([]float64, p.Dim), make([]float64, p.Dim), make([]float64, p.Dim)
	size := 1.0
	best := math.Inf(1)
	for range steps {
		value := p.Gradient(g, w)
		best = math.Min(best, value)
		norm := p.NormSq(g)
		for size *= 2; size > 1e-12; size /= 2 {
			for j := range w {
				next[j] = w[j] - size*g[j]
			}
			if p.Primal(next) <= value-size/2*norm {
				break
			}
		}
		w, next = next, w
	}
	return w, best
}

// subgradients approximates the minimum of a risk P by subgradient steps of length 1/(λk) in step k. It returns the
// smallest value of P.
func subgradients(p *models.Risk, steps int) float64 {
	w, g := make([]float64, p.Dim), make([]float64, p.Dim)
	best := math.Inf(1)
	for k := range steps {
		best = math.Min(best, p.Gradient(g, w))
		for j := range w {
			w[j] -= g[j] / (p.Lambda * float64(k+2))
		}
	}
	return best
}

// TestBoundIsBelowTheMinimum checks that Bound of a risk P is at most min P at random w, and equals min P at the
// minimiser of a smooth P.
func TestBoundIsBelowTheMinimum(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test minimises many functions")
	}
	task := examples.Build(t, multiclass.Model{}, examples.Rows(25, 4, 3, false), nil)
	for _, lambda := range []float64{1, 0.1} {
		for _, loss := range append(smoothLosses(), models.Hinge()) {
			p := examples.RiskOf(t, task, loss, lambda)
			minimum := subgradients(p, 3000)
			if loss.Smooth() {
				var w []float64
				if w, minimum = descend(p, 3000); math.Abs(p.Bound(w)-minimum) > 1e-8 {
					t.Errorf("%+v, λ = %g: bound at the minimiser = %v, want the minimum %v", loss, lambda, p.Bound(w), minimum)
				}
			}
			highest := math.Inf(-1)
			for seed := range uint64(40) {
				w := examples.Weights(seed, p.Dim)
				for j := range w {
					w[j] *= math.Pow(10, float64(seed%5)-3)
				}
				b := p.Bound(w)
				highest = math.Max(highest, b)
				if !(b <= minimum+1e-9) {
					t.Errorf("%+v, λ = %g: bound at random weights = %v, want at most the minimum %v", loss, lambda, b, minimum)
				}
			}
			if highest <= -1 {
				t.Errorf("%+v, λ = %g: largest of 40 bounds = %v, want above −1", loss, lambda, highest)
			}
		}
	}
}

// TestBoundIsTheInducedDual checks that Bound of a smooth risk P is the dual value at the distributions α that w
// induces (see Loss for τ and κ; H is the entropy):
//
//	D(α) = 1/n Σ_i [τ H(α_i) + κ cost·μ_i] − λ/2 |w(α)|²,   w(α) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i).
func TestBoundIsTheInducedDual(t *testing.T) {
	const dim, k, lambda = 4, 3, 0.3
	data := examples.Rows(25, dim, k, false)
	n := float64(len(data.Y))
	for _, loss := range smoothLosses() {
		p := examples.Risk(t, multiclass.Model{}, data, loss, lambda)
		w, induced := examples.Weights(9, p.Dim), make([]float64, p.Dim)
		var dual float64
		for i, y := range data.Y {
			x := data.X.Value[i*dim : (i+1)*dim]
			alpha := gibbs(w, x, y, k, loss)
			for c, a := range alpha {
				entropyAndCost := -loss.Temp * a * math.Log(a)
				slope := -a
				if c == y {
					slope++
				} else {
					entropyAndCost += loss.Margin * a
				}
				dual += entropyAndCost / n
				for j, v := range x {
					induced[j*k+c] += slope * v / (lambda * n)
				}
			}
		}
		for _, v := range induced {
			dual -= lambda / 2 * v * v
		}
		if got := p.Bound(w); math.Abs(got-dual) > 1e-10*(1+math.Abs(dual)) {
			t.Errorf("%+v: Bound = %v, want the dual value %v at the induced distributions", loss, got, dual)
		}
	}
}

// gibbs returns the distribution α(c) ∝ exp((w_c·x + κ[c ≠ y])/τ) over the classes c (see Loss for κ and τ).
func gibbs(w, x []float64, y, k int, loss models.Loss) []float64 {
	alpha := make([]float64, k)
	var z float64
	for c := range alpha {
		for j, v := range x {
			alpha[c] += v * w[j*k+c]
		}
		if c != y {
			alpha[c] += loss.Margin
		}
		alpha[c] = math.Exp(alpha[c] / loss.Temp)
		z += alpha[c]
	}
	for c := range alpha {
		alpha[c] /= z
	}
	return alpha
}

// TestNoBound checks that Bound is NaN if there is no exp-oracle or no example, or if the dual of the loss is not a
// function of the marginals.
func TestNoBound(t *testing.T) {
	for name, change := range map[string]func(*models.Risk){
		"slack rescaling": func(p *models.Risk) { p.Loss = models.Loss{Slack: true} },
		"no exp-oracle":   func(p *models.Risk) { without(p, func(e *models.Example) { e.Exp = nil }) },
		"log loss, no exp-oracle": func(p *models.Risk) {
			p.Loss = models.LogLoss()
			without(p, func(e *models.Example) { e.Exp = nil })
		},
		"label loss over labellings": func(p *models.Risk) {
			without(p, func(e *models.Example) { e.ZeroOne, e.Cost = 1, nil })
		},
		"no examples": func(p *models.Risk) { p.Examples = nil },
	} {
		t.Run(name, func(t *testing.T) {
			p := examples.Risk(t, multiclass.Model{}, examples.Rows(5, 3, 3, false), models.Hinge(), 1)
			change(p)
			if b := p.Bound(make([]float64, p.Dim)); !math.IsNaN(b) {
				t.Errorf("Bound = %v, want NaN", b)
			}
		})
	}
}

// without applies the function change to each example of the risk, for instance to remove an oracle.
func without(p *models.Risk, change func(*models.Example)) {
	for i := range p.Examples {
		change(&p.Examples[i])
	}
}
