package classes

import (
	"math"

	"github.com/gaplab/gaplab/internal/explog"
	"github.com/gaplab/gaplab/models"
)

// oracle holds the oracles of a labelling that is exactly one of its parts.
type oracle struct{}

// Infeasibility returns |Σ μ − 1|.
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
	top, other := theta[0], theta[len(theta)-1] // two of them, so that one max need not wait for the last
	for r := 1; r < len(theta)-1; r += 2 {
		top, other = max(top, theta[r]), max(other, theta[r+1])
	}
	top = max(top, other)
	var z float64
	if mu == nil {
		var few [16]float64
		for s := theta; len(s) > 0; {
			e := few[:min(len(s), len(few))]
			explog.Exp(e, s[:len(e)], top)
			for _, x := range e {
				z += x
			}
			s = s[len(e):]
		}
		return top + math.Log(z)
	}
	explog.Exp(mu, theta, top)
	for _, x := range mu {
		z += x
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
