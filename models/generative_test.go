package models_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// twoVectors returns Distributions with a vector of 3 and a vector of 2 components.
func twoVectors() *models.Distributions {
	return &models.Distributions{First: []int{0, 3, 5}, Prior: []float64{0.2, 0.3, 0.5, 1, 0}, Eta: 2}
}

// TestGenerativeCheck checks that Check accepts valid Distributions and that its errors name the wrong value.
func TestGenerativeCheck(t *testing.T) {
	if err := twoVectors().Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(g *models.Distributions){
		"the prior has 5 components":       func(g *models.Distributions) { g.First[2] = 4 },
		"First is [1 3 5]":                 func(g *models.Distributions) { g.First[0] = 1 },
		"First is []":                      func(g *models.Distributions) { g.First = nil },
		"vector 1 of log-probabilities":    func(g *models.Distributions) { g.First = []int{0, 5, 5} },
		"eta is NaN":                       func(g *models.Distributions) { g.Eta = math.NaN() },
		"the prior has 4 components":       func(g *models.Distributions) { g.Prior = g.Prior[1:] },
		"component 2 of the prior is -0.5": func(g *models.Distributions) { g.Prior[2] = -0.5 },
	} {
		g := twoVectors()
		change(g)
		if err := g.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want one that contains %q", err, want)
		}
	}
}

// TestGenerativeShift checks that Shift scales a vector whose probabilities sum to more than 1, and does not change the
// others.
func TestGenerativeShift(t *testing.T) {
	g := twoVectors()
	theta := []float64{math.Log(0.8), math.Log(0.8), math.Log(0.4), math.Log(0.1), math.Inf(-1)}
	by := g.Shift(theta, theta)
	for j, want := range []float64{0.4, 0.4, 0.2, 0.1, 0} {
		if got := math.Exp(theta[j]); math.Abs(got-want) > 1e-15 {
			t.Errorf("probability %d = %v, want %v", j, got, want)
		}
	}
	if math.Abs(by-math.Log(2)) > 1e-15 {
		t.Errorf("shift = %v, want log 2", by)
	}
	if again := g.Shift(theta, theta); again > 1e-15 {
		t.Errorf("second call of Shift = %v, want 0", again)
	}
}

// TestGenerativeValues checks Term, Normalise and Penalty against values found by hand.
func TestGenerativeValues(t *testing.T) {
	g := twoVectors()
	theta := []float64{-1, -2, -3, -4, math.Inf(-1)}
	if got := g.Term(theta); math.Abs(got-6.3) > 1e-12 {
		t.Errorf("Term = %v, want 0.2 + 0.6 + 1.5 + 4, and 0 for the component with prior 0", got)
	}
	g.Normalise(theta, []float64{1, 0, 2, 0, 0}, 0.1)
	for j, want := range []float64{1.1 / 3.3, 0.1 / 3.3, 2.1 / 3.3, 0.5, 0.5} {
		if math.Abs(math.Exp(theta[j])-want) > 1e-15 {
			t.Errorf("frequency %d = %v, want %v", j, math.Exp(theta[j]), want)
		}
	}
	g.Normalise(theta, make([]float64, 5), 0)
	uniform := make([]float64, 5)
	g.Uniform(uniform)
	for j := range theta {
		if theta[j] != uniform[j] {
			t.Errorf("component %d without counts = %v, want %v as in a uniform distribution", j, theta[j], uniform[j])
		}
	}
	if g.Penalty(3) != 6 || g.Penalty(-1) != 0 {
		t.Errorf("linear penalties = %v and %v, want 6 and 0", g.Penalty(3), g.Penalty(-1))
	}
	if g.Quadratic = true; g.Penalty(3) != 9 {
		t.Errorf("quadratic penalty = %v, want 9", g.Penalty(3))
	}
}
