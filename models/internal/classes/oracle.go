package classes

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// oracle holds the oracles of a labelling that is exactly one of its parts.
type oracle struct{}

// Infeasibility is |Σ μ − 1|.
func (oracle) Infeasibility(mu []float64) float64 {
	sum := -1.0
	for _, m := range mu {
		sum += m
	}
	return math.Abs(sum)
}

func (oracle) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	best := 0
	for r, s := range theta {
		if s > theta[best] {
			best = r
		}
	}
	return append(dst[:0], best), theta[best]
}

func (oracle) LogSum(mu, theta []float64) float64 {
	if mu != nil && len(mu) != len(theta) {
		panic("classes: len(mu) != len(theta)")
	}
	top := theta[0]
	for _, s := range theta[1:] {
		top = max(top, s)
	}
	var z float64
	if mu == nil {
		for _, s := range theta {
			z += math.Exp(s - top)
		}
		return top + math.Log(z)
	}
	for r, s := range theta {
		mu[r] = math.Exp(s - top)
		z += mu[r]
	}
	for r := range mu {
		mu[r] /= z
	}
	return top + math.Log(z)
}

func (oracle) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	if len(cost) != len(theta) {
		panic("classes: len(cost) != len(theta)")
	}
	gold := truth.Dot(theta)
	best, value := 0, math.Inf(-1)
	for r, s := range theta {
		if v := cost[r] * (1 + s - gold); v > value {
			best, value = r, v
		}
	}
	return append(dst[:0], best), value
}

func (oracle) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	best, value := -1, math.Inf(-1)
	for r, s := range theta {
		if r != not[0] && (best < 0 || s > value) {
			best, value = r, s
		}
	}
	return append(dst[:0], best), value
}
