package models

// Generative makes the weights θ of a problem the log-probabilities of a generative model: vectors θ_i, one for each
// conditional distribution, one after the other. Training minimises (Yu, Bertsekas and Rousu, (2) to (5))
//
//	Σ_i f_i(θ_i) + η Σ_k h(ε_k)   subject to   a_k(s)·θ + b_k(s) ≤ ε_k for every labelling s of every example k,
//	Σ_j exp(θ_ij) ≤ 1,   θ ≤ 0,   ε ≥ 0,
//
// where a_k(s) are the counts A_kᵀ(1_s − 1_truth) of an example's feature map, b_k(s) its label loss, f_i(θ_i) = −c_i·θ_i the
// divergence from a distribution c_i up to a constant, and h(ε) = ε. There is no squared norm and no mean over examples: the
// sums are the paper's.
type Generative struct {
	Start []int     // vector i has the components Start[i] .. Start[i+1]−1 of θ
	Prior []float64 // c, as long as θ
	Eta   float64   // η > 0
}
