package examples

import (
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/models"
)

// Weights draws n weights from the standard normal distribution.
func Weights(seed uint64, n int) []float64 {
	rng := rand.New(rand.NewPCG(seed, 3))
	w := make([]float64, n)
	for j := range w {
		w[j] = rng.NormFloat64()
	}
	return w
}

// Normals draws n numbers from the normal distribution with the standard deviation scale.
func Normals(rng *rand.Rand, n int, scale float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = scale * rng.NormFloat64()
	}
	return v
}

// LogProbabilities returns the logarithms of a random distribution for each vector of the model.
func LogProbabilities(g *models.Distributions, seed uint64) []float64 {
	theta := Weights(seed, g.First[len(g.First)-1])
	for i := range g.Vectors() {
		v := theta[g.First[i]:g.First[i+1]]
		sum := 0.0
		for _, x := range v {
			sum += math.Exp(x)
		}
		for j := range v {
			v[j] -= math.Log(sum)
		}
	}
	return theta
}
