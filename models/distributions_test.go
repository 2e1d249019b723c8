package models_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// generativeTasks returns one task of each generative model.
func generativeTasks(t testing.TB, prior string) []*models.Task {
	return []*models.Task{
		examples.Build(t, generative.HMM{LabelLoss: "ring", Eta: 0.1, Prior: prior},
			examples.Symbols(1, 3, 4, true, 5, 9, 1, 7), nil),
		examples.Build(t, generative.BayesNet{Nodes: 5, Structure: "tan", LossScale: 1, Eta: 0.1, Prior: prior},
			examples.Discrete(t, 60, 0), nil),
	}
}

// TestMaximumLikelihood checks that maximum likelihood gives distributions with the right components, and that other
// distributions make the examples less likely.
func TestMaximumLikelihood(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, task := range generativeTasks(t, "uniform") {
		g := task.Unknowns.(*models.Distributions)
		counts := models.TruthCounts(task.Train, task.Dim())
		likelihood := func(theta []float64) (sum float64) {
			var scores []float64
			for i := range task.Train {
				e := &task.Train[i]
				scores = models.Resize(scores, e.Features.Parts())
				e.Features.Score(scores, theta)
				sum += e.Truth.Dot(scores)
			}
			return sum
		}
		for _, add := range []float64{0, 0.1} {
			theta := g.MaximumLikelihood(task.Train, add)
			for i := range g.Vectors() {
				lo, hi := g.First[i], g.First[i+1]
				total, n := 0.0, 0.0
				for j := lo; j < hi; j++ {
					total += math.Exp(theta[j])
					n += counts[j]
				}
				if math.Abs(total-1) > 1e-12 {
					t.Errorf("%s: sum of the probabilities of vector %d = %v, want 1", task.Model, i, total)
				}
				for j := lo; j < hi; j++ {
					want := (counts[j] + add) / (n + add*float64(hi-lo))
					if n+add == 0 {
						want = 1 / float64(hi-lo)
					}
					if got := math.Exp(theta[j]); math.Abs(got-want) > 1e-12 {
						t.Errorf("%s: component %d of vector %d = %v, want %v", task.Model, j-lo, i, got, want)
					}
				}
			}
		}
		best := g.MaximumLikelihood(task.Train, 0)
		for j := range best {
			best[j] = max(best[j], -700) // exp(−700) is 0 up to rounding; −∞ would give 0·−∞
		}
		value := likelihood(best)
		if dot := models.SparseOf(counts).Dot(best); math.Abs(dot-value) > 1e-9 {
			t.Errorf("%s: counts·θ = %v, want the log-likelihood %v", task.Model, dot, value)
		}
		for range 50 {
			i := rng.IntN(g.Vectors())
			other := slices.Clone(best)
			move := other[g.First[i]:g.First[i+1]]
			total := 0.0
			for j := range move {
				move[j] += 0.3 * rng.NormFloat64()
				total += math.Exp(move[j])
			}
			for j := range move {
				move[j] -= math.Log(total)
			}
			if v := likelihood(other); v > value+1e-9 {
				t.Errorf("%s: another vector %d raises the log-likelihood from %v to %v, want a maximum", task.Model, i, value, v)
			}
		}
	}
}

// TestPriors checks that priors are valid, that the uniform prior is uniform, and that priors from the data are the
// relative frequencies of maximum likelihood.
func TestPriors(t *testing.T) {
	for prior, add := range map[string]float64{"uniform": math.Inf(1), "ml": 0, "smoothed-ml": 0.1} {
		for _, task := range generativeTasks(t, prior) {
			g := task.Unknowns.(*models.Distributions)
			if err := g.Check(); err != nil {
				t.Errorf("%s: %v", task.Model, err)
			}
			theta := make([]float64, task.Dim())
			if g.Uniform(theta); !math.IsInf(add, 1) {
				theta = g.MaximumLikelihood(task.Train, add)
			}
			for j, x := range theta {
				if math.Abs(g.Prior[j]-math.Exp(x)) > 1e-15 {
					t.Fatalf("%s, prior %s: component %d = %v, want %v", task.Model, prior, j, g.Prior[j], math.Exp(x))
				}
			}
		}
	}
}
