package models

import (
	"fmt"
	"math"
)

// Distributions describes the weights θ of a generative model, which are log-probabilities, and the regularisation of
// θ.
type Distributions struct {
	First     []int     // vector θ_i has the components First[i] .. First[i+1]−1 of θ
	Prior     []float64 // c ≥ 0, one number for each component of θ; if Terms is nil, f_i(θ_i) = −c_i·θ_i
	Eta       float64   // η > 0, the factor of the penalties η h(ε) of the slacks ε (see Generative)
	Terms     Convex    // the terms f_i of the objective (see Generative); nil: the terms that Prior defines
	Quadratic bool      // the function h of a slack ε is ε²/2 instead of ε
}

// Convex is a sum of convex, twice differentiable terms f_i(θ_i) = Σ_j f_ij(θ_ij). The argument j of the methods is the
// index of the component θ_ij in θ, which has all vectors θ_i one after the other.
type Convex interface {
	At(j int, x float64) (value, slope, curvature float64)
	Tail(j int) float64 // the limit of the derivative of f_ij as its argument goes to −∞; may be −∞
}

func (g *Distributions) dim() int { return g.Dim() }

// Dim returns the length of θ, the vector of all log-probabilities.
func (g *Distributions) Dim() int { return g.First[len(g.First)-1] }

// Vectors returns the number of vectors θ_i.
func (g *Distributions) Vectors() int { return len(g.First) - 1 }

// Check returns an error if a vector has no components, if the prior has the wrong length or invalid numbers, or if η
// is not positive.
func (g *Distributions) Check() error {
	if len(g.First) < 2 || g.First[0] != 0 {
		return fmt.Errorf("models: Distributions.First is %v: want at least 2 offsets, the first of them 0", g.First)
	}
	dim := g.Dim()
	switch {
	case !(g.Eta > 0) || math.IsInf(g.Eta, 1):
		return fmt.Errorf("models: eta is %v: want a positive finite number", g.Eta)
	case len(g.Prior) != dim && (g.Terms == nil || g.Prior != nil):
		return fmt.Errorf("models: the prior has %d components: want %d", len(g.Prior), dim)
	}
	for i := range g.Vectors() {
		if g.First[i+1] <= g.First[i] {
			return fmt.Errorf("models: vector %d of log-probabilities has no components", i)
		}
	}
	for j, c := range g.Prior {
		if !(c >= 0) || math.IsInf(c, 1) {
			return fmt.Errorf("models: component %d of the prior is %v: want a finite number of at least 0", j, c)
		}
	}
	return nil
}

// Term returns Σ_i f_i(θ_i), the sum of the terms that Terms or Prior defines.
func (g *Distributions) Term(theta []float64) float64 {
	var s float64
	if g.Terms == nil {
		for j, c := range g.Prior {
			if c != 0 { // avoids 0·∞, which is NaN
				s -= c * theta[j]
			}
		}
		return s
	}
	for j, x := range theta {
		v, _, _ := g.Terms.At(j, x)
		s += v
	}
	return s
}

// Penalty returns the penalty η h(ε) (see Generative) of the slack ε = max(0, v), where v is the largest violation of
// an example.
func (g *Distributions) Penalty(v float64) float64 {
	v = max(0, v)
	if g.Quadratic {
		return g.Eta / 2 * v * v
	}
	return g.Eta * v
}

// Shift writes θ into dst after lowering each vector θ_i until Σ_j exp(θ_ij) ≤ 1:
//
//	θ_i − max(0, log Σ_j exp(θ_ij)).
//
// It returns the largest amount by which it lowers a vector. dst may be theta.
func (g *Distributions) Shift(dst, theta []float64) float64 {
	largest := 0.0
	for i := range g.Vectors() {
		lo, hi := g.First[i], g.First[i+1]
		by := max(0, logSumExp(theta[lo:hi]))
		for j := lo; j < hi; j++ {
			dst[j] = theta[j] - by
		}
		largest = max(largest, by)
	}
	return largest
}

// Uniform writes the logarithms of uniform distributions to theta.
func (g *Distributions) Uniform(theta []float64) {
	for i := range g.Vectors() {
		lo, hi := g.First[i], g.First[i+1]
		for j := lo; j < hi; j++ {
			theta[j] = -math.Log(float64(hi - lo))
		}
	}
}

// Normalise adds smoothing to each count and writes the logarithms of the relative frequencies to theta. A vector whose
// counts are all 0 becomes uniform. In any other vector, a count of 0 gives −∞ if smoothing is 0.
func (g *Distributions) Normalise(theta, counts []float64, smoothing float64) {
	for i := range g.Vectors() {
		lo, hi := g.First[i], g.First[i+1]
		sum := smoothing * float64(hi-lo)
		for _, c := range counts[lo:hi] {
			sum += c
		}
		for j := lo; j < hi; j++ {
			if sum > 0 {
				theta[j] = math.Log((counts[j] + smoothing) / sum)
			} else {
				theta[j] = -math.Log(float64(hi - lo))
			}
		}
	}
}

// logSumExp returns log Σ exp(x_j).
func logSumExp(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, v)
	}
	if math.IsInf(top, -1) {
		return top
	}
	var s float64
	for _, v := range x {
		s += math.Exp(v - top)
	}
	return top + math.Log(s)
}

// TruthCounts returns the counts Σ_k A_kᵀ1_truth of the labelled examples: how often each value occurs in each
// conditional distribution of the model. Then counts·θ is the log-likelihood Σ_k log P(s_k, o_k) of the examples, where
// o_k is the input of example k and s_k its true labelling.
func TruthCounts(examples []Example, dim int) []float64 {
	counts := make([]float64, dim)
	var mu []float64
	for k := range examples {
		e := &examples[k]
		if f, ok := e.Features.(SparseMap); ok {
			f.Add(counts, 1, e.Truth)
			continue
		}
		mu = Resize(mu, e.Features.Parts())
		clear(mu)
		for _, r := range e.Truth {
			mu[r]++
		}
		e.Features.AddAdjoint(counts, 1, mu)
	}
	return counts
}

// MaximumLikelihood returns the log-probabilities θ that make the labelled examples most likely: relative frequencies,
// after adding smoothing to every count,
//
//	θ_ij = log (n_ij + smoothing)/(Σ_j n_ij + smoothing·d_i).
//
// Here n_ij is how often value j of distribution i occurs, and d_i is the number of its values. Without smoothing, a
// value that never occurs gets −∞. If no value of a distribution occurs, the distribution is uniform.
func (g *Distributions) MaximumLikelihood(examples []Example, smoothing float64) []float64 {
	theta := make([]float64, g.Dim())
	g.Normalise(theta, TruthCounts(examples, len(theta)), smoothing)
	return theta
}
