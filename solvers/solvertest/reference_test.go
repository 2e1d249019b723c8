package solvertest

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// The two references agree where their losses meet, and with the models' own primal at zero.
func TestReference(t *testing.T) {
	for _, d := range tables() {
		for _, lambda := range []float64{1, 0.1, 0.01} {
			low, high := optimum(d, models.Hinge(), lambda)
			if !(high-low <= certified) {
				t.Errorf("%s, λ = %g: hinge optimum in [%v, %v]", d.name, lambda, low, high)
			}
			// τ log Σ exp(·/τ) lies between the maximum and the maximum + τ log k.
			const tau = 1e-3
			smoothLow, smoothHigh := optimum(d, models.Loss{Temp: tau, Margin: 1}, lambda)
			if smoothHigh-smoothLow > 1e-6 {
				t.Errorf("%s, λ = %g: smoothed hinge optimum in [%v, %v]", d.name, lambda, smoothLow, smoothHigh)
			}
			if !(smoothHigh >= low-1e-9) || !(smoothLow <= high+tau*math.Log(float64(d.k))+1e-9) {
				t.Errorf("%s, λ = %g: smoothed hinge optimum in [%v, %v], hinge in [%v, %v]", d.name, lambda, smoothLow, smoothHigh, low, high)
			}
			for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), {Temp: 0.5, Margin: 1}} {
				p := build(t, d, loss, lambda)
				low, high := optimum(d, loss, lambda)
				if zero := p.Primal(make([]float64, p.Dim)); low > zero || high > zero+1e-12 {
					t.Errorf("%s, λ = %g: optimum [%v, %v] above P(0) = %v", d.name, lambda, low, high, zero)
				}
			}
		}
	}
}
