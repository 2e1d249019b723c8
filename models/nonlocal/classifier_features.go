package nonlocal

import (
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/blockrow"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// meanFeatures is the feature map A_i of WordClassifier for one sequence: (A w)_c = Σ_f x_f w[first + f·m + c] for the
// m words c that are as long as the sequence. The weights of these words begin at w[first]. If there are no words of
// this length, the map has one part with the score 0.
type meanFeatures struct {
	wordList
	every       []int32   // indices 0, 1, 2, ... of the features
	x           []float64 // f(x), and 1 with a bias; nil if there are no words
	norm        float64   // |x|²
	dim, length int       // length of w, length of the sequence
}

var _ models.Gram = (*meanFeatures)(nil)

func (f *meanFeatures) Parts() int { return max(1, len(f.words)) }

func (f *meanFeatures) Score(theta, w []float64) {
	f.check(theta)
	blockrow.Score(theta, f.every, f.x, f.own(w))
}

func (f *meanFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu)
	blockrow.AddOuter(f.own(w), c, f.every, f.x, mu)
}

// NormSq implements models.Gram. It returns |Aᵀv|² = |x|² |v|², since Aᵀv has a block x_f v for each feature f.
func (f *meanFeatures) NormSq(v []float64) float64 {
	f.check(v)
	return f.norm * vec.NormSq(v)
}

// own returns the weights of the words that have the length of the sequence.
func (f *meanFeatures) own(w []float64) []float64 {
	if len(w) != f.dim {
		panic("nonlocal: len(w) != Dim")
	}
	return w[f.first : f.first+len(f.x)*len(f.words)]
}

func (f *meanFeatures) check(parts []float64) {
	if len(parts) != f.Parts() {
		panic("nonlocal: len(theta) != Parts()")
	}
}

// mean returns the feature map of one sequence, whose rows are lo to hi−1 of s. The features of the map are the means
// of the Fourier features over these rows and, with a bias, the constant 1.
func (c *wordLists) mean(s *datasets.Sequences, lo, hi int, fourier *energy.Fourier) *meanFeatures {
	f := &meanFeatures{every: c.every, dim: c.dim, length: hi - lo}
	list := c.ofLength[hi-lo]
	if list == nil {
		return f
	}
	f.wordList = *list
	f.x = fourier.Mean(&s.X, lo, hi)
	if c.bias {
		f.x = append(f.x, 1)
	}
	for _, x := range f.x {
		f.norm += x * x
	}
	return f
}
