package generative

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
)

// Values of the setting prior of generative models, and what is added to counts for the last.
const (
	priorUniform  = "uniform"
	priorML       = "ml"
	priorSmoothed = "smoothed-ml"
	priorAdd      = 0.1
)

// newObjective makes the objective of a generative model whose vectors begin at start, the last of which is the
// length of θ. The prior c holds uniform distributions, or relative frequencies of the examples.
func newObjective(model string, start []int, examples []models.Example, prior string,
	eta float64) (*models.Distributions, error) {
	dim := start[len(start)-1]
	g := &models.Distributions{First: start, Prior: make([]float64, dim), Eta: eta}
	switch prior {
	case "", priorUniform:
		g.Uniform(g.Prior)
	case priorML:
		g.Normalise(g.Prior, models.TruthCounts(examples, dim), 0)
	case priorSmoothed:
		g.Normalise(g.Prior, models.TruthCounts(examples, dim), priorAdd)
	}
	for j, x := range g.Prior {
		g.Prior[j] = math.Exp(x)
	}
	if err := g.Check(); err != nil {
		return nil, fmt.Errorf("model %s: %w", model, err)
	}
	return g, nil
}
