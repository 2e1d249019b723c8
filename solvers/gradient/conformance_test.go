package gradient_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func each(n int) (low, high int) { return n, n }

func whole(n int) int { return 40 * n }

func TestSGDConformance(t *testing.T) {
	promises := []solvertest.Option{solvertest.Random(), solvertest.Lambdas(0.1, 1), solvertest.Accuracy(3e-2, 3e-2, 500),
		solvertest.CallsPerEpoch(each)}
	solvertest.Each(t,
		solvertest.With("average", &gradient.SGD{Eta0: 1, Average: true}, append(promises, solvertest.MayDiverge())...),
		solvertest.With("adagrad", &gradient.SGD{Eta0: 0.3, Step: "adagrad"}, promises...),
	)
}

func TestSAGAConformance(t *testing.T) {
	promises := []solvertest.Option{
		solvertest.Random(),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 12 * n }), // most calls estimate M (see SAGA)
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
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 13 * n }), // most calls estimate M (see SAGA)
		solvertest.CallsBetweenYields(func(n int) int { return 5*n + 60 }),
	}
	solvertest.Each(t,
		solvertest.With("", gradient.NewSVRG(), promises...),
		solvertest.With("permutation, longer steps", &gradient.SVRG{Step: 0.3, Order: "permutation", Inner: 1}, promises...),
	)
}

func TestGradientConformance(t *testing.T) {
	promises := []solvertest.Option{solvertest.Lambdas(0.1, 1), solvertest.CallsPerEpoch(each),
		solvertest.CallsBetweenYields(whole)}
	solvertest.Each(t,
		solvertest.With("average", &gradient.Descent{Eta0: 0.1, Step: "decay", Average: true},
			append(promises, solvertest.Accuracy(1e-4, 5e-2, 2000), solvertest.MayDiverge())...),
		solvertest.With("adagrad", &gradient.Descent{Eta0: 0.3, Step: "adagrad"},
			append(promises, solvertest.Accuracy(1e-5, 3e-2, 2000))...),
	)
}

func TestLBFGSConformance(t *testing.T) {
	solvertest.Check(t, &gradient.LBFGS{Memory: 10}, solvertest.CallsBetweenYields(whole),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 40 * n }))
}
