package energy_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestErrors checks that the message of an error contains the wrong value.
func TestErrors(t *testing.T) {
	chain := chainOf(t, 2, 3, "tied")
	ok := func() *energy.Problem {
		return &energy.Problem{Theta: make([]float64, chain.Features.Parts()), Oracle: chain.Exp,
			Energy: energy.Linear{Smoothed: true}}
	}
	noOracle, noEnergy, noScores, kinks := ok(), ok(), ok(), ok()
	noOracle.Oracle, noEnergy.Energy, noScores.Theta, kinks.Energy = nil, nil, nil, energy.Linear{}
	_, vocabularyLabel := energy.NewVocabulary(2, [][]int{{0, 2}})
	_, vocabularyEmpty := energy.NewVocabulary(2, [][]int{{}})
	_, negative := energy.NewPoisson([]float64{1, -1}, 10, 1)
	_, nobody := energy.NewPoisson([]float64{1}, 0, 1)
	_, rate := energy.NewPoisson([]float64{1}, 10, math.NaN())
	_, bandwidth := energy.NewFourier(10, 3, 0, 1)
	_, tooMany := energy.NewFourier(1e6, 1e6, 1, 1)
	_, totals := energy.NewTotals(2, 3,
		energy.Linear{Rows: []models.Sparse{{Index: []int32{6}, Value: []float64{1}}}, Weights: []float64{1}})
	for want, err := range map[string]error{
		"no exp-oracle":                        energy.RDA{MaxCalls: 1}.Supports(noOracle),
		"no energy":                            energy.RDA{MaxCalls: 1}.Supports(noEnergy),
		"1e+12 numbers: want at most 67108864": tooMany,
		"no part scores":                       energy.RDA{MaxCalls: 1}.Supports(noScores),
		"rda: max_calls is 0: want at least 1": energy.RDA{}.Supports(ok()),
		"beta is -1":                           energy.RDA{Beta: -1, MaxCalls: 1}.Supports(ok()),
		"tol is NaN":                           energy.RDA{Tol: math.NaN(), MaxCalls: 1}.Supports(ok()),
		"rho is 2: want 0 < rho":               energy.Damped{Rho: 2, MaxCalls: 1}.Supports(ok()),
		"rho is 0":                             energy.Damped{MaxCalls: 1}.Supports(ok()),
		"sigma is 0":                           energy.Accelerated{MaxCalls: 1}.Supports(ok()),
		"Lipschitz continuous gradient":        energy.Accelerated{Sigma: 1, MaxCalls: 1}.Supports(kinks),
		"1 measurements, 0 weights":            energy.Linear{Rows: make([]models.Sparse, 1)}.Check(),
		"part 1 at index 1": energy.Linear{
			Rows: []models.Sparse{{Index: []int32{1, 1}, Value: []float64{1, 1}}}, Weights: []float64{1}}.Check(),
		"the weight NaN": energy.Linear{Rows: make([]models.Sparse, 1),
			Weights: []float64{math.NaN()}}.Check(),
		"word 0 of the vocabulary has label 2": vocabularyLabel,
		"word 0 of the vocabulary is empty":    vocabularyEmpty,
		"the count of cell 1 is -1":            negative,
		"population is 0":                      nobody,
		"rate of counts is NaN":                rate,
		"bandwidth of random Fourier":          bandwidth,
		"with 2 labels there are only 6":       totals,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want one that contains %q", err, want)
		}
	}
	if err := (energy.Accelerated{Sigma: 1, MaxCalls: 1}).Supports(ok()); err != nil {
		t.Error(err)
	}
	defer func() {
		if r := recover(); r == nil || !strings.HasPrefix(r.(string), "energy: ") {
			t.Errorf("panic of a run that is not supported = %v, want a string that begins with the package's name", r)
		}
	}()
	energy.Solve(noEnergy, energy.RDA{MaxCalls: 1})
}

// TestPoissonNearZero checks that the Poisson energy is convex and finite near 0, and that it ignores cells without a
// count.
func TestPoissonNearZero(t *testing.T) {
	e := poisson(t, []float64{5, math.NaN(), 0}, 100, 0.5)
	value := func(m float64) float64 { return e.Value([]float64{m, 0.3, 0.1}) }
	slope := func(m float64) float64 {
		g := make([]float64, 3)
		e.AddGradient(g, []float64{m, 0.3, 0.1}, 1)
		if g[1] != 0 || math.Abs(g[2]-0.5) > 1e-15 {
			t.Errorf("gradient = %v, want 0 for the cell without a count, and the rate for the cell with count 0", g)
		}
		return g[0]
	}
	points := []float64{0, 1e-13, 9e-13, 1e-12, 1.1e-12, 1e-9, 1e-3, 1}
	for i, m := range points {
		if v := value(m); math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("value at %v = %v, want a finite number", m, v)
		}
		for _, n := range points[:i] {
			if below := value(n) + slope(n)*(m-n) - value(m); below > 1e-12 {
				t.Errorf("tangent at %v: the energy at %v is %v below it, want it above", n, m, below)
			}
		}
	}
}

// TestFourier checks that inner products of random Fourier features are close to the Gaussian kernel, that sparse and
// dense rows have the same features, and that Mean is the mean over rows.
func TestFourier(t *testing.T) {
	const d, bandwidth = 4000, 1.5
	f, err := energy.NewFourier(d, 3, bandwidth, 1)
	if err != nil {
		t.Fatal(err)
	}
	dense := &datasets.Rows{N: 3, Dim: 3, Value: []float64{1, 0, 2, 0, 0.5, 0, -1, 1, 1}}
	sparse := &datasets.Rows{N: 3, Dim: 4, Start: []int{0, 2, 4, 7}, Index: []int32{0, 2, 1, 3, 0, 1, 2},
		Value: []float64{1, 2, 0.5, 9, -1, 1, 1}}
	for i := range 3 {
		a := f.Mean(dense, i, i+1)
		if b := f.Mean(sparse, i, i+1); distance(a, b) > 1e-12 {
			t.Errorf("row %d: difference between sparse and dense = %v, want at most 1e-12", i, distance(a, b))
		}
		for j := range 3 {
			square := 0.0
			for r := range 3 {
				x := dense.Value[3*i+r] - dense.Value[3*j+r]
				square += x * x
			}
			if got, want := dot(a, f.Mean(dense, j, j+1)), math.Exp(-square/(2*bandwidth*bandwidth)); math.Abs(got-want) > 0.05 {
				t.Errorf("rows %d and %d: inner product = %v, want about the kernel %v", i, j, got, want)
			}
		}
	}
	mean := f.Mean(dense, 0, 3)
	for i := range 3 {
		for r, z := range f.Mean(dense, i, i+1) {
			mean[r] -= z / 3
		}
	}
	if d := largest(mean); d > 1e-12 {
		t.Errorf("difference between the mean map and the mean of the rows' maps = %v, want at most 1e-12", d)
	}
}

// TestMoreErrors checks further values that are refused, each beside one that is accepted.
func TestMoreErrors(t *testing.T) {
	row := func(index []int32, value []float64) energy.Linear {
		return energy.Linear{Rows: []models.Sparse{{Index: index, Value: value}}, Weights: []float64{1}}
	}
	linear := func(e energy.Linear) error { return e.Check() }
	fourier := func(d, inputs int, bandwidth float64) error {
		_, err := energy.NewFourier(d, inputs, bandwidth, 1)
		return err
	}
	poisson := func(count, population, rate float64) error {
		_, err := energy.NewPoisson([]float64{0, count}, population, rate)
		return err
	}
	totals := func(labels, length int, e energy.Energy) error {
		_, err := energy.NewTotals(labels, length, e)
		return err
	}
	offsets := row([]int32{0}, []float64{1})
	offsets.Offsets = []float64{1, 2}
	infinite := row([]int32{0}, []float64{1})
	infinite.Weights = []float64{math.Inf(-1)}
	inf := math.Inf(1)
	for _, c := range []struct {
		err  error
		want string
	}{
		{linear(row([]int32{0, 3}, []float64{1, -1})), ""},
		{linear(row([]int32{-1}, []float64{1})), "part -1 at index 0"},
		{linear(row([]int32{2, 1}, []float64{1, 1})), "part 1 at index 1"},
		{linear(row([]int32{0, 1}, []float64{1})), "2 parts and 1 values"},
		{linear(row([]int32{0, 1}, []float64{1, inf})), "value +Inf for part 1"},
		{linear(row([]int32{0, 1}, []float64{math.NaN(), 1})), "value NaN for part 0"},
		{linear(offsets), "2 offsets"},
		{linear(infinite), "weight -Inf"},
		{fourier(1, 1, 1), ""},
		{fourier(0, 1, 1), "0 random Fourier features"},
		{fourier(1, 0, 1), "0 inputs"},
		{fourier(1, 1, inf), "is +Inf"},
		{fourier(1, 1, math.NaN()), "is NaN"},
		{poisson(math.NaN(), 1, 1), ""},
		{poisson(inf, 1, 1), "cell 1 is +Inf"},
		{poisson(1, inf, 1), "population is +Inf"},
		{poisson(1, 1, inf), "rate of counts is +Inf"},
		{poisson(1, 1, 0), "rate of counts is 0"},
		{totals(1, 1, energy.Sum{}), ""},
		{totals(0, 1, energy.Sum{}), "0 labels"},
		{totals(1, 0, energy.Sum{}), "0 positions"},
		{totals(1, 1, nil), "is nil"},
		{totals(2, 3, row([]int32{5}, []float64{1})), ""},
	} {
		if c.want == "" && c.err != nil || c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
	examples.Panics(t, "a strength with too few parameters", "energy: ", "1 parameters and 2 features", func() {
		energy.Strength{Psi: []float64{1}, Features: []float64{1, 2}}.Value()
	})
	examples.Panics(t, "a strength with too many parameters", "energy: ", "3 parameters and 1 features", func() {
		energy.Strength{Psi: []float64{1, 2, 3}, Features: []float64{1}}.Value()
	})
	if v := (energy.Strength{Psi: []float64{1, 2, -1}, Features: []float64{3, 4}}).Value(); v != 3 {
		t.Errorf("strength 1 + 2·3 − 4 = %v, want 3", v)
	}
}
