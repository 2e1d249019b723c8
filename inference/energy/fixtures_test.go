package energy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// chainOf returns a chain of l positions with k labels. With untied transitions it has l·k + (l−1)·k² parts.
func chainOf(t testing.TB, k, l int, edges string) models.Example {
	t.Helper()
	data := &datasets.Sequences{
		X: datasets.Rows{N: l, Dim: 1, Value: make([]float64, l)}, Start: []int{0, l}, Y: make([]int, l),
		Labels: make([]string, k),
	}
	task, err := chain.Model{Edges: edges}.Build(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Train[0]
}

// chainProblem returns a problem with random scores and without an energy, and the example of its chain.
func chainProblem(t testing.TB, rng *rand.Rand, k, l int) (*energy.Problem, models.Example) {
	e := chainOf(t, k, l, "untied")
	return &energy.Problem{
		Theta: examples.Normals(rng, e.Features.Parts(), 1), Oracle: e.Exp,
		Entropy: func(mu []float64) float64 { return models.ChainEntropy(mu, k) },
	}, e
}

// marginals returns the marginals that the oracle o computes for random scores.
func marginals(rng *rand.Rand, o models.ExpOracle, parts int) []float64 {
	mu := make([]float64, parts)
	o.LogSum(mu, examples.Normals(rng, parts, 1.5))
	return mu
}

// labellings lists all labellings of l positions with k labels, for a chain with untied transitions.
func labellings(k, l int) []models.Vertex {
	return examples.Chains(k, true)(&models.Example{Truth: make(models.Vertex, 2*l-1)})
}

func indicator(y models.Vertex, parts int) []float64 {
	s := make([]float64, parts)
	for _, r := range y {
		s[r]++
	}
	return s
}

// measurements returns an energy of n random linear measurements of the parts. Some weights are negative, so the terms
// of these measurements are 0 (see energy.Linear).
func measurements(rng *rand.Rand, parts, n int, smoothed bool) energy.Linear {
	e := energy.Linear{Smoothed: smoothed}
	for range n {
		var row models.Sparse
		for r := range parts {
			if rng.IntN(4) == 0 {
				row.Index = append(row.Index, int32(r))
				row.Value = append(row.Value, rng.NormFloat64())
			}
		}
		e.Rows = append(e.Rows, row)
		e.Weights = append(e.Weights, 3*rng.Float64()-0.5)
		e.Offsets = append(e.Offsets, rng.NormFloat64())
	}
	return e
}

func vocabulary(t testing.TB, k int, words ...[]int) *energy.Vocabulary {
	v, err := energy.NewVocabulary(k, words)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func poisson(t testing.TB, counts []float64, population, rate float64) *energy.Poisson {
	e, err := energy.NewPoisson(counts, population, rate)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// randomPoisson returns the Poisson energy of random counts. Each of 1000 individuals is counted with rate 0.5, so the
// counts scatter around 500 μ, where μ are marginals of random scores.
func randomPoisson(t testing.TB, rng *rand.Rand, o models.ExpOracle, cells, parts int) *energy.Poisson {
	mu := marginals(rng, o, parts)
	counts := make([]float64, cells)
	for i := range counts {
		counts[i] = math.Round(500 * mu[i] * 2 * rng.Float64())
	}
	counts[0] = 0
	return poisson(t, counts, 1000, 0.5)
}

// enumeratedOptimum returns the minimum of F over all distributions on the labellings of a chain. L-BFGS minimises over
// the logits of the probabilities. For convex L, the minimum equals that over marginals, and every stationary point is
// a minimum.
func enumeratedOptimum(t testing.TB, p *energy.Problem, all []models.Vertex) (mu []float64, value float64) {
	t.Helper()
	probability, gradient := make([]float64, len(all)), make([]float64, len(p.Theta))
	mu = make([]float64, len(p.Theta))
	normalise := func(z []float64) {
		top, sum := math.Inf(-1), 0.0
		for _, v := range z {
			top = max(top, v)
		}
		for i, v := range z {
			probability[i] = math.Exp(v - top)
			sum += probability[i]
		}
		clear(mu)
		for i, y := range all {
			probability[i] /= sum
			for _, r := range y {
				mu[r] += probability[i]
			}
		}
	}
	objective := func() float64 {
		v := p.Energy.Value(mu)
		for r, m := range mu {
			v -= p.Theta[r] * m
		}
		for _, q := range probability {
			if q > 0 {
				v += q * math.Log(q)
			}
		}
		return v
	}
	problem := optimize.Problem{
		Func: func(z []float64) float64 { normalise(z); return objective() },
		Grad: func(grad, z []float64) {
			normalise(z)
			clear(gradient)
			p.Energy.AddGradient(gradient, mu, 1)
			mean := 0.0
			for i, y := range all {
				d := math.Log(max(probability[i], 1e-300)) + y.Dot(gradient) - y.Dot(p.Theta)
				grad[i] = d
				mean += probability[i] * d
			}
			for i, q := range probability {
				grad[i] = q * (grad[i] - mean)
			}
		},
	}
	settings := &optimize.Settings{GradientThreshold: 1e-11, MajorIterations: 3000,
		Converger: &optimize.FunctionConverge{Absolute: 1e-15, Relative: 1e-15, Iterations: 50}}
	result, err := optimize.Minimize(problem, make([]float64, len(all)), settings, &optimize.LBFGS{Store: 30})
	if result == nil {
		t.Fatal(err)
		return nil, 0
	}
	normalise(result.X)
	return mu, objective()
}

// distance returns |a − b|_∞, the largest difference between elements of a and b.
func distance(a, b []float64) float64 {
	var worst float64
	for r, v := range a {
		worst = max(worst, math.Abs(v-b[r]))
	}
	return worst
}

func dot(a, b []float64) float64 {
	var s float64
	for r, v := range a {
		s += v * b[r]
	}
	return s
}
