package solvers

import (
	"testing"

	"github.com/gaplab/gaplab/models"
)

// BenchmarkEpoch times one epoch of the online methods, and one evaluation of L-BFGS, over the same examples with one
// worker; ns/example is what to compare. Allocations are those of starting the solver, spread over the epochs.
func BenchmarkEpoch(b *testing.B) {
	const n = 5000
	p := digits(b, n)
	for _, s := range []struct {
		name   string
		solver Solver
	}{
		{"eg/adaptive", &EG{Eta: 0.5, Order: "random", Rate: "adaptive"}},
		{"eg/constant", &EG{Eta: 0.01, Order: "random", Rate: "constant"}},
		{"eg/batch", &EG{Eta: 1e-3, Order: "batch", Rate: "constant"}},
		{"sgd", &SGD{Eta0: 0.01}},
		{"lbfgs", &LBFGS{Memory: 10}},
	} {
		b.Run(s.name, func(b *testing.B) { benchmarkEpochs(b, p, s.solver) })
	}
	b.Run("gradient", func(b *testing.B) { benchmarkGradient(b, p) })
}

// benchmarkEpochs is one epoch an operation.
func benchmarkEpochs(b *testing.B, p *models.Risk, solver Solver) {
	b.ReportAllocs()
	epochs, last := 0, 0
	for it, err := range Run(solver, p, Env{Seed: 1}) {
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
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.Examples)), "ns/example")
}

// benchmarkGradient is one evaluation of the risk and its gradient.
func benchmarkGradient(b *testing.B, p *models.Risk) {
	g, w := make([]float64, p.Dim), make([]float64, p.Dim)
	for b.Loop() {
		p.Gradient(g, w)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.Examples)), "ns/example")
}
