package gradient

import "math"

// Values of the setting "step" of SGD and Descent.
const (
	stepDecay   = "decay"
	stepAdaGrad = "adagrad"
)

// adaGrad makes the steps of AdaGrad with a diagonal matrix (Duchi, Hazan and Singer 2011). For a gradient g, a step is
//
//	G_j ← G_j + g_j²,   w_j ← w_j − η₀ g_j/√(G_j + ε).
//
// So a weight whose derivatives are small, or mostly 0, moves as far as the other weights. ε makes the step small if
// the derivatives of a weight are only rounding errors of 0.
type adaGrad struct {
	eta0 float64
	sum  []float64 // G, the sums of squares of the derivatives so far
}

const adaGradSmallest = 1e-12 // ε in a step of adaGrad

func newAdaGrad(eta0 float64, dim int) adaGrad { return adaGrad{eta0, make([]float64, dim)} }

// step makes the step of adaGrad for the gradient g: it changes w and the sums.
func (a adaGrad) step(w, g []float64) {
	for j, v := range g {
		a.sum[j] += v * v
		w[j] -= a.eta0 * v / math.Sqrt(a.sum[j]+adaGradSmallest)
	}
}
