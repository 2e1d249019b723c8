package eg

import (
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// BenchmarkEpoch measures the time of one epoch of each online method, and of one evaluation of L-BFGS, over the same
// examples with one worker. Compare ns/example. The reported allocations are those of the solver's start, divided by
// the number of epochs.
func BenchmarkEpoch(b *testing.B) {
	const n = 5000
	p := testbed.Digits(b, n)
	for _, s := range []struct {
		name   string
		solver solvers.Solver
	}{
		{"eg/adaptive", &Solver{Eta: 0.5, Order: "random", Rate: "adaptive"}},
		{"eg/constant", &Solver{Eta: 0.01, Order: "random", Rate: "constant"}},
		{"eg/batch", &Solver{Eta: 1e-3, Order: "batch", Rate: "constant"}},
		{"sgd", &gradient.SGD{Eta0: 0.01}},
		{"lbfgs", &gradient.LBFGS{Memory: 10}},
	} {
		b.Run(s.name, func(b *testing.B) { testbed.BenchmarkEpochs(b, p, s.solver) })
	}
	b.Run("gradient", func(b *testing.B) { testbed.BenchmarkGradient(b, p) })
}

// BenchmarkEpochOfStructures measures the time of one epoch of online EG for each structured model and loss.
func BenchmarkEpochOfStructures(b *testing.B) {
	for _, s := range testbed.Structures(b, 1000) {
		for _, name := range s.Losses {
			loss, _ := models.LossNamed(name)
			p := s.Task.Objective(loss, 1/float64(len(s.Task.Train))).(*models.Risk)
			b.Run(s.Name+"/"+name, func(b *testing.B) {
				testbed.BenchmarkEpochs(b, p, &Solver{Eta: 0.5, Order: "random", Rate: "adaptive"})
			})
		}
	}
}
