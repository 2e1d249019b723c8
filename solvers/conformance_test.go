package solvers_test

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// subject is a solver with settings, and what it promises under them beside the common contract.
type subject struct {
	name     string
	solver   solvers.Solver
	promises []solvertest.Option
}

// subjects are the settings of each listed solver that go through the suite. A solver without a line here goes through
// with its defaults and no promises.
func subjects() map[string][]subject {
	online := []solvertest.Option{ // a trial of a rate is a call, and an update has up to 40
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-6, 1e-2, 2000), // EG is slow on the hinge: O(1/ε)
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 5 * n }),
		solvertest.CallsBetweenYields(func(n int) int { return max(2, n) }),
	}
	whole := func(n int) int { return 40 * n }
	// an epoch is a QP, for which the cache may do; a 0/1 loss over labellings takes up to two calls
	planes := func(accuracy float64, epochs int) []solvertest.Option {
		return []solvertest.Option{
			solvertest.MonotoneDual(),
			solvertest.Accuracy(1, accuracy, epochs), // there is no smooth loss
			solvertest.CallsPerEpoch(func(n int) (int, int) { return 0, 2 * n }),
			solvertest.CallsBetweenYields(func(n int) int { return 2 * n }),
		}
	}
	passes := []solvertest.Option{ // an epoch is a pass
		solvertest.MonotoneDual(),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 2 * n }),
		solvertest.CallsBetweenYields(func(n int) int { return max(2, 2*(n/5)) }),
	}
	inference := []solvertest.Option{ // an epoch is a call for each example
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-7, 1e-7, 5000),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return 1, n }),
		solvertest.CallsBetweenYields(func(n int) int { return n }),
	}
	return map[string][]subject{
		"eg": {
			{"random", &solvers.EG{Order: "random", Rate: "adaptive"}, online},
			{"rate and start given", &solvers.EG{Eta: 0.5, StartScore: 10, Order: "random", Rate: "adaptive"}, online},
			{"permutation", &solvers.EG{Order: "permutation", Rate: "adaptive"}, online},
			{"cyclic", &solvers.EG{Order: "cyclic", Rate: "adaptive"},
				append(online[:len(online):len(online)], solvertest.Deterministic())},
			{"constant", &solvers.EG{Eta: 0.05, Order: "random", Rate: "constant"}, []solvertest.Option{
				solvertest.Lambdas(0.1, 1),
				solvertest.MonotoneDual(),
				solvertest.Accuracy(1e-6, 1e-2, 2000),
				solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			}},
			{"batch", &solvers.EG{Eta: 0.5, Order: "batch", Rate: "adaptive"}, []solvertest.Option{
				solvertest.MonotoneDual(),
				solvertest.Deterministic(),
				solvertest.Accuracy(1e-5, 1e-2, 5000),
				solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 40 * n }),
				solvertest.CallsBetweenYields(whole),
			}},
		},
		"egr":           egrSubjects(),
		"smo":           smoSubjects(),
		"bcfw":          bcfwSubjects(),
		"extragradient": extragradientSubjects(),
		"bmrm":          bmrmSubjects(),
		"sdca":          sdcaSubjects(),
		"one-slack": {
			{"without a cache", &solvers.OneSlack{CacheRule: "svmstruct", Step: "qp", Drop: 50, Workers: 1}, planes(1e-6, 500)},
			{"cache", &solvers.OneSlack{Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50, Workers: 1},
				planes(1e-6, 2000)},
			{"cache, the paper's rule", &solvers.OneSlack{Epsilon: 1e-9, Cache: 10, CacheRule: "paper", Step: "qp", Drop: 50,
				Workers: 3}, planes(1e-6, 2000)},
			{"line search", &solvers.OneSlack{CacheRule: "svmstruct", Step: "line-search", Workers: 1}, planes(1e-2, 2000)},
		},
		"n-slack": {
			{"coordinate", &solvers.NSlack{Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50}, passes},
			{"decomposition", &solvers.NSlack{Precision: "halving", QP: "decomposition", Batch: 100, Drop: 50}, passes},
		},
		"decomposition": {
			{"", &solvers.Decomposition{Tol: 1e-7, Cache: 100, Pair: "violating"}, []solvertest.Option{
				solvertest.MonotoneDual(), solvertest.CallsPerEpoch(func(int) (int, int) { return 0, 0 }),
			}},
			{"look-ahead, two columns kept", &solvers.Decomposition{Tol: 1e-7, Pair: "look-ahead"}, []solvertest.Option{
				solvertest.MonotoneDual(), solvertest.CallsPerEpoch(func(int) (int, int) { return 0, 0 }),
			}},
		},
		"sgd": {
			{"", &solvers.SGD{Eta0: 1}, []solvertest.Option{
				solvertest.Lambdas(0.1, 1),
				solvertest.Accuracy(3e-2, 3e-2, 500),
				solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
				solvertest.MayDiverge(),
			}},
			{"adagrad", &solvers.SGD{Eta0: 0.3, Step: "adagrad"}, []solvertest.Option{
				solvertest.Lambdas(0.1, 1),
				solvertest.Accuracy(3e-2, 3e-2, 500),
				solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			}},
		},
		"gradient": {
			{"", &solvers.Gradient{Eta0: 0.1, Step: "decay"}, []solvertest.Option{ // a constant step stops short of a kink
				solvertest.Lambdas(0.1, 1),
				solvertest.Accuracy(1e-5, 5e-2, 2000),
				solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
				solvertest.CallsBetweenYields(whole),
				solvertest.MayDiverge(),
			}},
			{"adagrad", &solvers.Gradient{Eta0: 0.3, Step: "adagrad"}, []solvertest.Option{
				solvertest.Lambdas(0.1, 1),
				solvertest.Accuracy(1e-5, 3e-2, 2000),
				solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
				solvertest.CallsBetweenYields(whole),
			}},
		},
		"bethe-rda": {
			{"", &solvers.BetheRDA{MaxCalls: 5000}, append(inference[:len(inference):len(inference)], solvertest.MayDiverge())},
			{"beta", &solvers.BetheRDA{Beta: 20, MaxCalls: 5000},
				append(inference[:len(inference):len(inference)], solvertest.MayDiverge(), solvertest.Accuracy(1e-5, 1e-5, 5000))},
		},
		"bethe-accelerated": {
			{"", &solvers.BetheAccelerated{Sigma: 1, MaxCalls: 5000}, inference},
			{"modulus of the trees", &solvers.BetheAccelerated{MaxCalls: 5000}, inference},
		},
		"bethe-damped": {
			{"", &solvers.BetheDamped{Rho: 0.5, MaxCalls: 5000}, inference},
			{"full steps, tolerance", &solvers.BetheDamped{Rho: 1, MaxCalls: 5000, Tol: 1e-9}, inference},
		},
		"lbfgs": {
			{"", &solvers.LBFGS{Memory: 10}, []solvertest.Option{
				solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 40 * n }),
				solvertest.CallsBetweenYields(whole),
			}},
		},
	}
}

func TestConformance(t *testing.T) {
	special := subjects()
	for _, e := range solvers.All() {
		if slices.Contains([]string{"external", "interior-point", "given", "ml", "rsd"}, e.Name) {
			// needs a program, or a model that the suite does not have, or searches for nothing: their tests are their own
			continue
		}
		list := special[e.Name]
		if list == nil {
			list = []subject{{"", e.New(), nil}}
		}
		delete(special, e.Name)
		if testing.Short() {
			list = list[:1] // the other settings take the same paths, for the most part
		}
		for _, s := range list {
			name := e.Name
			if s.name != "" {
				name += "/" + s.name
			}
			t.Run(name, func(t *testing.T) { solvertest.Check(t, s.solver, s.promises...) })
		}
	}
	for name := range special {
		t.Errorf("this test has settings for %q, which is not in solvers.All", name)
	}
}
