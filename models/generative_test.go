package models_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// twoVectors returns Distributions with a vector of 3 and a vector of 2 components.
func twoVectors() *models.Distributions {
	return &models.Distributions{First: []int{0, 3, 5}, Prior: []float64{0.2, 0.3, 0.5, 1, 0}, Eta: 2}
}

// squares has the terms f_ij(x) = (j + 1)·x².
type squares struct{}

func (squares) At(j int, x float64) (value, slope, curvature float64) {
	c := float64(j + 1)
	return c * x * x, 2 * c * x, 2 * c
}
func (squares) Tail(int) float64 { return math.Inf(-1) }

// TestGenerativeCheck checks that Check accepts valid Distributions and that its errors name the wrong value.
func TestGenerativeCheck(t *testing.T) {
	terms, both := twoVectors(), twoVectors()
	terms.Terms, terms.Prior, both.Terms = squares{}, nil, squares{}
	for _, g := range []*models.Distributions{twoVectors(), terms, both} {
		if err := g.Check(); err != nil {
			t.Error(err)
		}
	}
	for want, change := range map[string]func(g *models.Distributions){
		"the prior has 5 components":       func(g *models.Distributions) { g.First[2] = 4 },
		"First is [1 3 5]":                 func(g *models.Distributions) { g.First[0] = 1 },
		"First is []":                      func(g *models.Distributions) { g.First = nil },
		"vector 1 of log-probabilities":    func(g *models.Distributions) { g.First = []int{0, 5, 5} },
		"eta is NaN":                       func(g *models.Distributions) { g.Eta = math.NaN() },
		"the prior has 4 components":       func(g *models.Distributions) { g.Prior = g.Prior[1:] },
		"component 2 of the prior is -0.5": func(g *models.Distributions) { g.Prior[2] = -0.5 },
		"component 4 of the prior is NaN":  func(g *models.Distributions) { g.Prior[4] = math.NaN() },
		"component 0 of the prior is +Inf": func(g *models.Distributions) { g.Prior[0] = math.Inf(1) },
		"the prior has 6 components":       func(g *models.Distributions) { g.Prior = append(g.Prior, 0) },
		"the prior has 0 components":       func(g *models.Distributions) { g.Prior = nil },
		"the prior has 3 components":       func(g *models.Distributions) { g.Terms, g.Prior = squares{}, g.Prior[:3] },
		"First is [0]":                     func(g *models.Distributions) { g.First = g.First[:1] },
		"vector 0 of log-probabilities":    func(g *models.Distributions) { g.First[1] = 0 },
		"eta is 0":                         func(g *models.Distributions) { g.Eta = 0 },
		"eta is +Inf":                      func(g *models.Distributions) { g.Eta = math.Inf(1) },
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

// TestGenerativeShiftOfSeveral checks that Shift lowers each vector by its own amount, returns the largest amount
// wherever this vector is, and writes only to its result.
func TestGenerativeShiftOfSeveral(t *testing.T) {
	by := []float64{math.Log(2), math.Log(5), math.Log(3)} // vectors of 1, 2 and 3 components, which are equal
	g := &models.Distributions{First: []int{0, 1, 3, 6}}
	theta, want := make([]float64, 6), make([]float64, 6)
	for i, b := range by {
		for j := g.First[i]; j < g.First[i+1]; j++ {
			want[j] = -math.Log(float64(i + 1))
			theta[j] = want[j] + b
		}
	}
	before, dst := slices.Clone(theta), slices.Repeat([]float64{9}, 6)
	if got := g.Shift(dst, theta); math.Abs(got-by[1]) > 1e-15 || !slices.Equal(theta, before) {
		t.Errorf("shift = %v of %v, want %v; the argument is %v afterwards", got, before, by[1], theta)
	}
	for j := range want {
		if math.Abs(dst[j]-want[j]) > 1e-15 {
			t.Errorf("component %d = %v, want %v", j, dst[j], want[j])
		}
	}
}

// TestTruthCounts checks the counts of labelled chains, in which a part occurs several times and whose lengths differ,
// with feature maps that are sparse and with ones that are not.
func TestTruthCounts(t *testing.T) {
	task := examples.Build(t, chain.Model{}, examples.Sequences(1, "ones", 2, 4, 5, 2, 4), nil)
	want := make([]float64, task.Dim())
	for i := range task.Train {
		task.Train[i].Features.(models.SparseMap).Add(want, 1, task.Train[i].Truth)
	}
	list := slices.Clone(task.Train)
	for i := range list {
		if got := models.TruthCounts(list, task.Dim()); !slices.Equal(got, want) {
			t.Errorf("counts with %d dense feature maps = %v, want %v", i, got, want)
		}
		list[i].Features = struct{ models.FeatureMap }{list[i].Features}
	}
	if got := models.TruthCounts(list, task.Dim()); !slices.Equal(got, want) {
		t.Errorf("counts with dense feature maps = %v, want %v", got, want)
	}
}

// TestGenerativeTerms checks that Term adds the terms of Terms over all components, whatever the prior is.
func TestGenerativeTerms(t *testing.T) {
	g := twoVectors()
	g.Terms = squares{}
	if got := g.Term([]float64{1, -1, 2, -3, 1}); got != 1+2+3*4+4*9+5 {
		t.Errorf("Term = %v, want 56", got)
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
