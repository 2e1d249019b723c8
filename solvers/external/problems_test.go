package external_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
)

// noisy returns n rows of k classes with noisy features. A fifth of the values are zero, and the last feature is always
// zero.
func noisy(n, features, k int) *datasets.Labelled {
	rng := rand.New(rand.NewPCG(5, 5))
	d := &datasets.Labelled{X: datasets.Rows{N: n, Dim: features}}
	for c := range k {
		d.Classes = append(d.Classes, strconv.Itoa(c))
	}
	for i := range n {
		y := i % k
		d.Y = append(d.Y, y)
		for j := range features {
			x := rng.NormFloat64()
			if j%k == y {
				x++
			}
			if j == features-1 || rng.IntN(5) == 0 {
				x = 0
			}
			d.X.Value = append(d.X.Value, x)
		}
	}
	return d
}

// noisyClasses returns a problem of model multiclass: noisy rows of k classes, with label loss s.
func noisyClasses(t testing.TB, loss models.Loss, k int, lambda, s float64) *models.Risk {
	t.Helper()
	task, err := multiclass.Model{LossScale: s}.Build(noisy(30, 6, k), nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Objective(loss, lambda).(*models.Risk)
}

// signed returns a problem of model binary: noisy rows of two classes, with one weight vector for both classes and
// label loss s.
func signed(t testing.TB, loss models.Loss, lambda, s float64) *models.Risk {
	t.Helper()
	task, err := multiclass.Binary{LossScale: s}.Build(noisy(30, 6, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Objective(loss, lambda).(*models.Risk)
}

// kernelled returns a problem of noisy rows of two classes with the kernel rbf, label loss s, and the given bias; 0
// means no bias.
func kernelled(t testing.TB, s, bias float64) *models.Risk {
	t.Helper()
	m := kernel.New()
	m.Gamma, m.LossScale, m.Bias = 0.25, s, bias
	task, err := m.Build(noisy(30, 6, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Objective(models.Hinge(), 0.02/s).(*models.Risk)
}
