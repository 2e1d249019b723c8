package classes

import (
	"math"

	"github.com/gaplab/gaplab/internal/explog"
	"github.com/gaplab/gaplab/models"
)

// Oracle implements the oracles for labellings that consist of exactly one part.
type Oracle struct{}

var (
	_ models.SingleOracle = Oracle{}
	_ models.ExpOracle    = Oracle{}
	_ models.SlackOracle  = Oracle{}
	_ models.SecondOracle = Oracle{}
	_ models.Polytope     = Oracle{}
)

// Infeasibility implements models.Polytope. It returns the distance of the sum of the marginals from 1.
func (Oracle) Infeasibility(mu []float64) float64 {
	sum := -1.0
	for _, m := range mu {
		sum += m
	}
	return math.Abs(sum)
}

// SinglePart implements models.SingleOracle.
func (Oracle) SinglePart() {}

// Max implements models.MaxOracle.
func (Oracle) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	checkScores(theta)
	best := 0
	for r, s := range theta {
		if s > theta[best] {
			best = r
		}
	}
	return append(dst[:0], best), theta[best]
}

// LogSum implements models.ExpOracle.
func (Oracle) LogSum(mu, theta []float64) float64 {
	if mu != nil && len(mu) != len(theta) {
		panic("classes: len(mu) != len(theta)")
	}
	checkScores(theta)
	top, other := theta[0], theta[len(theta)-1] // two maxima, so that the processor can compute both in parallel
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

// MaxSlack implements models.SlackOracle.
func (Oracle) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
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

// Second implements models.SecondOracle.
func (Oracle) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	best, value := -1, math.Inf(-1)
	for r, s := range theta {
		if r != not[0] && (best < 0 || s > value) {
			best, value = r, s
		}
	}
	return append(dst[:0], best), value
}

func checkScores(theta []float64) {
	if len(theta) == 0 {
		panic("classes: no part scores: want at least one")
	}
}
