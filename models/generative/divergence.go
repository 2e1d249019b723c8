package generative

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// chiSquared has the terms of Pearson's divergence χ²(c_i ‖ q_i) = Σ_j (c_ij − q_ij)²/q_ij = Σ_j c_ij²/q_ij − 1 with q
// = exp θ, without the constant, and without a correction if q sums to less than 1:
//
//	f_ij(θ) = c_ij² exp(−θ).
//
// The terms are convex, like the default terms −c θ. Section 3.2 of Yu, Bertsekas and Rousu also names divergences with
// θ in their first argument. They are not convex: the second derivative of exp(θ) (θ − log q) is exp(θ) (θ − log q +
// 2), which is negative for θ < log q − 2. So they are not implemented.
type chiSquared struct{ square []float64 } // c², for each component c of the prior

var _ models.Convex = chiSquared{}

func newChiSquared(prior []float64) chiSquared {
	s := make([]float64, len(prior))
	for j, c := range prior {
		s[j] = c * c
	}
	return chiSquared{s}
}

func (f chiSquared) At(j int, x float64) (value, slope, curvature float64) {
	if f.square[j] == 0 { // avoids 0·∞, which is NaN
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

// squaredLog has the terms f_ij(θ) = ½ (θ − log c_ij)², a Gaussian prior on the log-probabilities with mean log c, for
// c > 0.
type squaredLog struct{ centre []float64 } // log c, for each component c of the prior

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
