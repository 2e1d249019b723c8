package gradient

import "math"

// Values of the setting step.
const (
	stepDecay   = "decay"
	stepAdaGrad = "adagrad"
)

// adaGrad takes the steps of AdaGrad with a diagonal matrix (Duchi, Hazan and Singer 2011): for a gradient g
//
//	G_j ← G_j + g_j²,   w_j ← w_j − η₀ g_j/√(G_j + ε)
//
// so that a weight whose derivatives are small or rare moves as far as others. ε only keeps the rounding errors of a
// zero derivative from counting as a derivative.
type adaGrad struct {
	eta0 float64
	sum  []float64 // G
}

const adaGradSmallest = 1e-12 // ε

func newAdaGrad(eta0 float64, dim int) adaGrad { return adaGrad{eta0, make([]float64, dim)} }

func (a adaGrad) step(w, g []float64) {
	for j, v := range g {
		a.sum[j] += v * v
		w[j] -= a.eta0 * v / math.Sqrt(a.sum[j]+adaGradSmallest)
	}
}
