package solvertest

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// inferenceOptimum returns an interval that contains the mean of min F_i over the examples i, for chains with convex
// energies. F is an example's objective, θ its part scores and L its energy. inferenceOptimum uses mirror descent with
// step length ρ on the probabilities q of all labellings y:
//
//	F(q) = Σ_y q_y log q_y − θ·μ + L(μ),   μ = Σ q_y 1_y,   log q_y ← (1 − ρ) log q_y + ρ (θ − ∇L(μ))·1_y
//
// The minimum of F(q) is also min F over marginals. The tangent of L at μ gives the lower end of the interval, L(μ) −
// ∇L(μ)·μ − log Σ_y exp((θ − ∇L(μ))·1_y).
func inferenceOptimum(p *models.Inference) (low, high float64) {
	n := float64(len(p.Examples))
	for i := range p.Examples {
		l, h := exampleOptimum(&p.Examples[i])
		low, high = low+l/n, high+h/n
	}
	return low, high
}

// exampleOptimum returns an interval that contains min F of one example (see inferenceOptimum).
func exampleOptimum(e *models.Example) (low, high float64) {
	theta, g := make([]float64, e.Features.Parts()), make([]float64, e.Features.Parts())
	e.Features.Score(theta, nil)
	all := untiedLabellings((len(e.Truth) + 1) / 2)
	// at evaluates the distribution q with the given logits. It returns F(q), the scores of all labellings by the tangent
	// of the energy, and the lower bound by this tangent.
	at := func(logits []float64) (value float64, scores []float64, bound float64) {
		q, logZ := softmax(logits)
		mu := make([]float64, len(theta))
		for j, y := range all {
			value += q[j] * (logits[j] - logZ)
			for _, r := range y {
				mu[r] += q[j]
			}
		}
		energy := e.Energy.Value(mu)
		value += energy - inner(theta, mu)
		clear(g)
		e.Energy.AddGradient(g, mu, 1)
		scores = make([]float64, len(all))
		for j, y := range all {
			scores[j] = y.Dot(theta) - y.Dot(g)
		}
		_, logZ = softmax(scores)
		return value, scores, energy - inner(g, mu) - logZ
	}
	logits := make([]float64, len(all))
	value, scores, bound := at(logits)
	low, high = bound, value
	for rho, trials := 0.5, 0; high-low > certified/100 && trials < 20000; trials++ {
		next := make([]float64, len(all))
		for j, v := range logits {
			next[j] = v + rho*(scores[j]-v)
		}
		v, s, b := at(next)
		low = max(low, b)
		if !(v <= value+1e-14*(1+math.Abs(value))) {
			rho /= 2
			continue
		}
		logits, value, scores, rho = next, v, s, min(1, 1.2*rho)
		high = min(high, value)
	}
	return low, high
}

// untiedLabellings returns all labellings, as lists of parts, of a chain of l positions with untied transitions.
func untiedLabellings(l int) (all []models.Vertex) {
	const k = inferenceLabels
	for labels := range tuples(l, k) {
		var y models.Vertex
		for t, label := range labels {
			y = append(y, t*k+int(label))
		}
		for t := range l - 1 {
			y = append(y, l*k+t*k*k+int(labels[t])*k+int(labels[t+1]))
		}
		all = append(all, y)
	}
	return all
}

// inferenceLabels is the number of labels of the chains with energies. The chains have one to four positions.
const inferenceLabels = 3
