package solvers_test

import (
	"context"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// digits is a problem of the shape of MNIST.
func digits(b *testing.B, n int) *models.Problem {
	b.Helper()
	set, err := (datasets.Digits{Train: n, Seed: 1}).Load(context.Background(), datasets.Source{})
	if err != nil {
		b.Fatal(err)
	}
	task, err := models.Multiclass{}.Build(set.Train, nil)
	if err != nil {
		b.Fatal(err)
	}
	return task.Problem(models.LogLoss(), 10/float64(n))
}

// BenchmarkEpoch times one epoch of the online methods, and one evaluation of L-BFGS, over the same examples with one
// worker; ns/example is what to compare. Allocations are those of starting the solver, spread over the epochs.
func BenchmarkEpoch(b *testing.B) {
	const n = 5000
	p := digits(b, n)
	for _, s := range []struct {
		name   string
		solver solvers.Solver
	}{
		{"eg/adaptive", &solvers.EG{Eta: 0.5, Order: "random", Rate: "adaptive", Seed: 1}},
		{"eg/constant", &solvers.EG{Eta: 0.01, Order: "random", Rate: "constant", Seed: 1}},
		{"eg/batch", &solvers.EG{Eta: 1e-3, Order: "batch", Rate: "constant", Seed: 1}},
		{"sgd", &solvers.SGD{Eta0: 0.01, Seed: 1}},
		{"lbfgs", &solvers.LBFGS{Memory: 10}},
	} {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			epochs, last := 0, 0
			for it, err := range s.solver.Run(p) {
				if err != nil {
					b.Fatal(err)
				}
				if it.Epoch == last {
					continue
				}
				last = it.Epoch
				if epochs == 0 {
					b.ResetTimer() // the first epoch warms up: a start, and rates that are too large
				}
				if epochs++; epochs > b.N {
					break
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/example")
		})
	}
	b.Run("gradient", func(b *testing.B) {
		g, w := make([]float64, p.Dim), make([]float64, p.Dim)
		for b.Loop() {
			p.Gradient(g, w)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/example")
	})
}
