package sequence

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
)

// Values of the setting decode of models of sequences.
const (
	Viterbi  = "viterbi"  // the labelling with the largest score
	Marginal = "marginal" // at each position the label with the largest marginal
	Risk     = "risk"     // the labelling with the smallest expected label loss
)

// decoding predicts the labelling that minimises the expected loss under P(y) ∝ exp(θ·1_y), for a loss that is a sum
// over positions:
//
//	ŷ_t = argmin_y Σ_s μ_t(s) loss(s, y),   μ_t(s) = P(y_t = s)
//
// For the 0/1 loss of a position this is the label with the largest marginal. Among equal labels it takes the smallest.
// The forward-backward algorithm computes μ (see Oracle.LogSum).
type decoding struct {
	*Oracle
	loss []float64 // loss[s·k + y] is the loss of label y if s is true; nil: 1 for a wrong label
}

// Decoding returns the rule of prediction with a name, or nil for Viterbi, because the prediction is then a maximiser
// of the score. loss is the label loss of a position (see decoding) for Risk.
func (c *Oracle) Decoding(name string, loss []float64) (models.Decoding, error) {
	switch name {
	case "", Viterbi:
		return nil, nil
	case Marginal:
		return &decoding{c, nil}, nil
	case Risk:
		return &decoding{c, loss}, nil
	}
	return nil, fmt.Errorf("decode is %q; accepted: %s, %s, %s", name, Viterbi, Marginal, Risk)
}

// Decode implements models.Decoding. If every labelling has the score −∞, there is no distribution, and Decode returns
// the labelling of Max.
func (d *decoding) Decode(dst models.Vertex, theta []float64) models.Vertex {
	l, k := d.length(len(theta)), d.k
	s := d.pool.Get()
	defer d.pool.Put(s)
	s.mu = models.Resize(s.mu, len(theta))
	if v := d.LogSum(s.mu, theta); math.IsNaN(v) || math.IsInf(v, -1) {
		y, _ := d.Max(dst, theta)
		return y
	}
	dst = dst[:0]
	for t := range l {
		mu := s.mu[t*k : (t+1)*k]
		y, _ := argmax(mu)
		if d.loss != nil {
			y = d.leastRisk(mu)
		}
		dst = append(dst, t*k+y)
	}
	return d.Transitions(dst)
}

// leastRisk returns the label y with the smallest Σ_s mu[s] loss(s, y).
func (d *decoding) leastRisk(mu []float64) (label int) {
	least := math.Inf(1)
	for y := range mu {
		var risk float64
		for s, p := range mu {
			risk += p * d.loss[s*d.k+y]
		}
		if risk < least {
			label, least = y, risk
		}
	}
	return label
}
