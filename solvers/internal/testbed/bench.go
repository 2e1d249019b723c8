package testbed

import (
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
)

// BenchmarkEpochs measures the time of an epoch of the solver on p; one operation is one epoch.
func BenchmarkEpochs(b *testing.B, p *models.Risk, solver solvers.Solver) {
	b.ReportAllocs()
	epochs, last := 0, 0
	for it := range Iterates(b, solvers.Run(solver, p, solvers.Env{Seed: 1})) {
		if it.Epoch == last {
			continue
		}
		last = it.Epoch
		if epochs == 0 {
			b.ResetTimer() // the first epoch is not measured: it has the set-up and trials of rates that are too large
		}
		if epochs++; epochs > b.N {
			break
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.Examples)), "ns/example")
}

// BenchmarkGradient measures the time of one evaluation of the risk and its gradient.
func BenchmarkGradient(b *testing.B, p *models.Risk) {
	g, w := make([]float64, p.Dim), make([]float64, p.Dim)
	for b.Loop() {
		p.Gradient(g, w)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.Examples)), "ns/example")
}

// Digits returns a multiclass problem with n examples. It has as many features and classes as MNIST.
func Digits(t testing.TB, n int) *models.Risk {
	t.Helper()
	return Build(t, multiclass.Model{}, generated.Digits{Train: n, Seed: 1}).Objective(models.LogLoss(),
		10/float64(n)).(*models.Risk)
}

// Terrain returns a multiclass problem with n examples similar to Covertype, with λ = 1/n.
func Terrain(t testing.TB, n int) *models.Risk {
	t.Helper()
	return Build(t, multiclass.Model{}, generated.Terrain{Train: n, Scale: "unit", Seed: 1}).Objective(models.LogLoss(),
		1/float64(n)).(*models.Risk)
}
