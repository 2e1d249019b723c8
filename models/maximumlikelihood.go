package models

// TruthCounts are the counts Σ_k A_kᵀ1_truth of the labelled examples: how often each value occurs in each of the
// model's conditional distributions. Σ_k log P(s_k, o_k) = counts·θ.
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

// MaximumLikelihood are the log-probabilities θ that make the labelled examples most likely: relative frequencies,
// after `smoothing` has been added to every count,
//
//	θ_ij = log (n_ij + smoothing)/(Σ_j n_ij + smoothing·d_i).
//
// Without smoothing what never occurs gets −∞, and a distribution of which nothing occurs is uniform.
func (g *Distributions) MaximumLikelihood(examples []Example, smoothing float64) []float64 {
	theta := make([]float64, g.Dim())
	g.Normalise(theta, TruthCounts(examples, len(theta)), smoothing)
	return theta
}
