package dualspace

import "github.com/gaplab/gaplab/models"

// Difference is working memory for one example: its part scores, a labelling, and the difference between the true
// labelling and this labelling.
type Difference struct {
	Theta   []float64
	Y       models.Vertex
	Adjoint Adjoint // computes and stores Aᵀ(1_truth − 1_y), the difference of the features

	mu []float64
}

// Indicators returns 1_truth − 1_y: for each part, how often the true labelling contains it minus how often y does. The
// slice is valid until the next call.
func (x *Difference) Indicators(e *models.Example, y models.Vertex) []float64 {
	x.mu = models.Resize(x.mu, e.Features.Parts())
	clear(x.mu)
	for _, r := range e.Truth {
		x.mu[r]++
	}
	for _, r := range y {
		x.mu[r]--
	}
	return x.mu
}
