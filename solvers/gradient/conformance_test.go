package gradient_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func TestSGDConformance(t *testing.T) {
	solvertest.Each(t,
		solvertest.With("", &gradient.SGD{Eta0: 1},
			solvertest.Random(),
			solvertest.Lambdas(0.1, 1),
			solvertest.Accuracy(3e-2, 3e-2, 500),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			solvertest.MayDiverge(),
		),
		solvertest.With("adagrad", &gradient.SGD{Eta0: 0.3, Step: "adagrad"},
			solvertest.Lambdas(0.1, 1),
			solvertest.Accuracy(3e-2, 3e-2, 500),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
		),
		solvertest.With("average", &gradient.SGD{Eta0: 1, Average: true},
			solvertest.Random(),
			solvertest.Lambdas(0.1, 1),
			solvertest.Accuracy(3e-2, 3e-2, 500),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			solvertest.MayDiverge(),
		),
	)
}

func TestSAGAConformance(t *testing.T) {
	promises := []solvertest.Option{
		solvertest.Random(),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 12 * n }), // most while M is found
		solvertest.CallsBetweenYields(func(n int) int { return 4*n + 60 }),
	}
	solvertest.Each(t,
		solvertest.With("", gradient.NewSAGA(), promises...),
		solvertest.With("permutation, longer steps", &gradient.SAGA{Step: 1, Order: "permutation"},
			append(promises, solvertest.MayDiverge())...),
	)
}

func TestSVRGConformance(t *testing.T) {
	promises := []solvertest.Option{
		solvertest.Random(),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 13 * n }), // most while M is found
		solvertest.CallsBetweenYields(func(n int) int { return 5*n + 60 }),
	}
	solvertest.Each(t,
		solvertest.With("", gradient.NewSVRG(), promises...),
		solvertest.With("permutation, longer steps", &gradient.SVRG{Step: 0.3, Order: "permutation", Inner: 1}, promises...),
	)
}

func TestGradientConformance(t *testing.T) {
	whole := func(n int) int { return 40 * n }
	solvertest.Each(t,
		solvertest.With("", &gradient.Descent{Eta0: 0.1, Step: "decay"}, // a constant step stops short of a kink
			solvertest.Lambdas(0.1, 1),
			solvertest.Accuracy(1e-5, 5e-2, 2000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			solvertest.CallsBetweenYields(whole),
			solvertest.MayDiverge(),
		),
		solvertest.With("adagrad", &gradient.Descent{Eta0: 0.3, Step: "adagrad"},
			solvertest.Lambdas(0.1, 1),
			solvertest.Accuracy(1e-5, 3e-2, 2000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			solvertest.CallsBetweenYields(whole),
		),
		solvertest.With("average", &gradient.Descent{Eta0: 0.1, Step: "decay", Average: true},
			solvertest.Lambdas(0.1, 1),
			solvertest.Accuracy(1e-4, 5e-2, 2000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			solvertest.CallsBetweenYields(whole),
			solvertest.MayDiverge(),
		),
	)
}

func TestLBFGSConformance(t *testing.T) {
	whole := func(n int) int { return 40 * n }
	solvertest.Each(t,
		solvertest.With("", &gradient.LBFGS{Memory: 10},
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 40 * n }),
			solvertest.CallsBetweenYields(whole),
		),
	)
}
