package generative

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// chiSquared are the terms of Pearson's divergence χ²(c_i ‖ exp θ_i) = Σ_j (c_ij − q_ij)²/q_ij = Σ_j c_ij²/q_ij − 1,
// q = exp θ, up to the constant and to mass that is missing:
//
//	f_ij(θ) = c_ij² exp(−θ).
//
// It is convex, as −c θ is. The divergences with θ in their first argument, which section 3.2 of Yu, Bertsekas and
// Rousu names, are not: the second derivative of exp(θ) (θ − log q) is exp(θ) (θ − log q + 2), negative for θ < log q
// − 2. So they are not offered.
type chiSquared struct{ square []float64 } // c²

var _ models.Convex = chiSquared{}

func newChiSquared(prior []float64) chiSquared {
	s := make([]float64, len(prior))
	for j, c := range prior {
		s[j] = c * c
	}
	return chiSquared{s}
}

func (f chiSquared) At(j int, x float64) (value, slope, curvature float64) {
	if f.square[j] == 0 { // else perhaps 0·∞
		return 0, 0, 0
	}
	v := f.square[j] * math.Exp(-x)
	return v, -v, v
}

func (f chiSquared) Tail(j int) float64 {
	if f.square[j] == 0 {
		return 0
	}
	return math.Inf(-1)
}

// squaredLog is f_ij(θ) = ½ (θ − log c_ij)²: a Gaussian prior of the log-probabilities around those of c > 0.
type squaredLog struct{ centre []float64 } // log c

var _ models.Convex = squaredLog{}

func newSquaredLog(prior []float64) squaredLog {
	l := make([]float64, len(prior))
	for j, c := range prior {
		l[j] = math.Log(c)
	}
	return squaredLog{l}
}

func (f squaredLog) At(j int, x float64) (value, slope, curvature float64) {
	d := x - f.centre[j]
	return d * d / 2, d, 1
}

func (squaredLog) Tail(int) float64 { return math.Inf(-1) }
