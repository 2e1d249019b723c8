package solvertest

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// TestReference checks that the two references agree where their losses meet, and with the models' own primal at zero.
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
				t.Errorf("%s, λ = %g: smoothed hinge optimum in [%v, %v], hinge in [%v, %v]", d.name, lambda, smoothLow, smoothHigh,
					low, high)
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

// TestReferenceOfStructures checks that the labellings are as many as the model's oracle sums over, the truths those of
// the model, and the two references for structures agree where their losses meet.
func TestReferenceOfStructures(t *testing.T) {
	for _, m := range structures() {
		task := m.task(t)
		all := m.all(task)
		choices := 0
		for i := range task.Train {
			e := &task.Train[i]
			if n := math.Exp(e.Exp.LogSum(nil, make([]float64, e.Features.Parts()))); math.Abs(n-float64(len(all[i]))) > 1e-6*n {
				t.Errorf("%s: example %d has %d labellings by definition, %v by the oracle", m.name, i, len(all[i]), n)
			}
			if len(all[i]) > 1 {
				choices++
			}
			for y, l := range all[i] {
				if (y == 0) != (l.loss == 0) {
					t.Errorf("%s: example %d: labelling %d has the loss %v: want 0 for the truth only, which is the first", m.name, i,
						y, l.loss)
				}
			}
		}
		if 2*choices < len(all) {
			t.Errorf("%s: %d of %d examples leave a choice", m.name, choices, len(all))
		}
		e := enumerate(all)
		for _, lambda := range []float64{1, 0.1, 0.01} {
			low, high := e.optimum(models.Hinge(), lambda)
			unit := task.Objective(models.Hinge(), lambda).(*models.Risk).Primal(make([]float64, task.Dim()))
			if !(high-low <= certified*unit) || !(low > 0) || high > 0.99*unit {
				t.Errorf("%s, λ = %g: hinge optimum in [%v, %v], P(0) = %v", m.name, lambda, low, high, unit)
			}
			const tau = 1e-2
			smoothLow, smoothHigh := e.optimum(models.Loss{Temp: tau, Margin: 1}, lambda)
			if !(smoothHigh-smoothLow <= 1e-6*unit) || !(smoothHigh >= low-1e-9) || !(smoothLow <= high+tau*math.Log(100)) {
				t.Errorf("%s, λ = %g: smoothed hinge optimum in [%v, %v], hinge in [%v, %v]", m.name, lambda, smoothLow, smoothHigh,
					low, high)
			}
			p := task.Objective(models.LogLoss(), lambda).(*models.Risk)
			low, high = e.optimum(p.Loss, lambda)
			zero := p.Primal(make([]float64, task.Dim()))
			if !(high-low <= certified*zero) || high > 0.95*zero {
				t.Errorf("%s, λ = %g: optimum of the log loss in [%v, %v], P(0) = %v", m.name, lambda, low, high, zero)
			}
			if value := e.derivatives(make([]float64, e.dim), 1, 0, lambda, nil, nil); math.Abs(value-zero) > 1e-9*zero {
				t.Errorf("%s: P(0) is %v by definition, %v by the model", m.name, value, zero)
			}
		}
	}
}
