package generative

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
)

// Values of the setting prior of generative models. For the values smoothed-ml and smaller, priorAdd is added to each
// count.
const (
	priorUniform  = "uniform"
	priorML       = "ml"
	priorSmoothed = "smoothed-ml"
	priorSmaller  = "smaller"
	priorAdd      = 0.1
)

// Values of the settings divergence and penalty.
const (
	divergenceKL  = "kl"
	divergenceChi = "chi-squared"
	divergenceLog = "squared"

	penaltyLinear    = "linear"
	penaltyQuadratic = "quadratic"
)

// regularisation has the settings that all generative models share.
type regularisation struct {
	prior, divergence, penalty string
	eta                        float64
}

// tables lists the vectors of log-probabilities of a model. In the smaller model (see the value smaller of HMM.Prior),
// all vectors of one pool are the same distribution. The vectors of a pool have the same length.
type tables struct {
	start []int // index in θ of the beginning of each vector, and then the length of θ
	pool  []int // the pool of each vector
}

// newObjective returns the unknowns of a generative model, with the priors c, the terms f_i and the penalty h of the
// settings. The priors are uniform distributions or relative frequencies in the examples.
func newObjective(model string, t tables, examples []models.Example, r regularisation) (*models.Distributions, error) {
	dim := t.start[len(t.start)-1]
	g := &models.Distributions{First: t.start, Prior: make([]float64, dim), Eta: r.eta,
		Quadratic: r.penalty == penaltyQuadratic}
	switch r.prior {
	case "", priorUniform:
		g.Uniform(g.Prior)
	case priorML:
		g.Normalise(g.Prior, models.TruthCounts(examples, dim), 0)
	case priorSmoothed:
		g.Normalise(g.Prior, models.TruthCounts(examples, dim), priorAdd)
	case priorSmaller:
		g.Normalise(g.Prior, t.pooled(models.TruthCounts(examples, dim)), priorAdd)
	}
	for j, x := range g.Prior {
		g.Prior[j] = math.Exp(x)
	}
	switch r.divergence {
	case divergenceChi:
		g.Terms = newChiSquared(g.Prior)
	case divergenceLog:
		for j, c := range g.Prior {
			if c == 0 {
				return nil, fmt.Errorf("model %s: divergence: squared needs a prior without zeros, but component %d of prior: %s "+
					"is 0; accepted priors: uniform, smoothed-ml, smaller", model, j, r.prior)
			}
		}
		g.Terms = newSquaredLog(g.Prior)
	}
	if err := g.Check(); err != nil {
		return nil, fmt.Errorf("model %s: %w", model, err)
	}
	return g, nil
}

// pooled returns the counts of the smaller model: each vector gets the sum of the counts over its pool (see tables).
func (t tables) pooled(counts []float64) []float64 {
	sums := map[int][]float64{}
	for i, p := range t.pool {
		own := counts[t.start[i]:t.start[i+1]]
		if sums[p] == nil {
			sums[p] = make([]float64, len(own))
		}
		for j, n := range own {
			sums[p][j] += n
		}
	}
	out := make([]float64, len(counts))
	for i, p := range t.pool {
		copy(out[t.start[i]:], sums[p])
	}
	return out
}
