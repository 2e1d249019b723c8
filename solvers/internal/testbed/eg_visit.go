package testbed

import (
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
)

// Digits returns a problem of the shape of MNIST.
func Digits(t testing.TB, n int) *models.Risk {
	t.Helper()
	return Build(t, multiclass.Model{}, generated.Digits{Train: n, Seed: 1}).Objective(models.LogLoss(),
		10/float64(n)).(*models.Risk)
}

// Terrain returns a problem of the shape of Covertype, at its λ.
func Terrain(t testing.TB, n int) *models.Risk {
	t.Helper()
	return Build(t, multiclass.Model{}, generated.Terrain{Train: n, Scale: "unit", Seed: 1}).Objective(models.LogLoss(),
		1/float64(n)).(*models.Risk)
}
