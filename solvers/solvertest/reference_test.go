package solvertest

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// TestReference checks the enumerated problems. The number of labellings must equal the number over which the model's
// exp-oracle sums, only the true labelling may have the loss 0, and P(0) must equal P(0) of the model. The optima must
// be certified. The optimum of the smoothed hinge must be consistent with the optimum of the hinge: for k numbers, τ
// log Σ exp(·/τ) is between their maximum and the maximum + τ log k.
func TestReference(t *testing.T) {
	check := func(name string, examples []models.Example, all [][]labelling, at func(models.Loss, float64) *models.Risk) {
		most := 0
		for i := range examples {
			e := &examples[i]
			n := math.Exp(e.Exp.LogSum(nil, make([]float64, e.Features.Parts())))
			if math.Abs(n-float64(len(all[i]))) > 1e-6*n {
				t.Errorf("%s: example %d has %d listed labellings, but the oracle sums over %v", name, i, len(all[i]), n)
			}
			for y, l := range all[i] {
				if (y == 0) != (l.loss == 0) {
					t.Errorf("%s: example %d: labelling %d has the loss %v: want 0 for the first labelling, the truth, only", name,
						i, y, l.loss)
				}
			}
			most = max(most, len(all[i]))
		}
		e := enumerate(all)
		for _, lambda := range []float64{1, 0.1, 0.01} {
			bracket := func(loss models.Loss) (low, high float64) {
				p := at(loss, lambda)
				zero := p.Primal(make([]float64, p.Dim))
				if loss.Temp > 0 {
					own := e.derivatives(make([]float64, e.dim), loss.Temp, loss.Margin, lambda, nil, nil)
					if known := loss.Margin == 0 || examples[0].ZeroOne == 0; known && math.Abs(own-zero) > 1e-9*zero {
						t.Errorf("%s, %+v: P(0) = %v from the listed labellings, but %v by the model", name, loss, own, zero)
					}
					zero = own
				}
				low, high = e.optimum(loss, lambda)
				if !(high-low <= certified*zero) || !(low >= 0) || high > zero*(1+1e-12) {
					t.Errorf("%s, %+v, λ = %g: the optimum is in [%v, %v] with P(0) = %v: want a narrow interval in [0, P(0)]",
						name, loss, lambda, low, high, zero)
				}
				return low, high
			}
			bracket(models.LogLoss())
			low, high := bracket(models.Hinge())
			const tau = 1e-2
			smoothLow, smoothHigh := bracket(models.Loss{Temp: tau, Margin: 1})
			if !(smoothHigh >= low-1e-9) || !(smoothLow <= high+tau*math.Log(float64(most))+1e-9) {
				t.Errorf("%s, λ = %g: the optimum of the smoothed hinge is in [%v, %v], which contradicts [%v, %v] for the hinge",
					name, lambda, smoothLow, smoothHigh, low, high)
			}
		}
	}
	for _, d := range tables() {
		at := func(loss models.Loss, lambda float64) *models.Risk { return build(t, d, loss, lambda) }
		check(d.name, at(models.Hinge(), 1).Examples, d.classes(), at)
	}
	for _, m := range structures() {
		task := m.task(t)
		check(m.name, task.Train, m.all(task), func(loss models.Loss, lambda float64) *models.Risk {
			return task.Objective(loss, lambda).(*models.Risk)
		})
	}
}
