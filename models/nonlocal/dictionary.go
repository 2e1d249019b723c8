package nonlocal

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// known returns a function for the field Energies.Of, which gives each sequence an energy. The energy prefers
// labellings that are close to a word of the vocabulary. A word is a label sequence. If whole is true, the energy
// compares labelling and word position by position, otherwise only how often each label occurs. The parameter ψ of the
// energy, its strength, is one number.
func known(v *energy.Vocabulary, whole bool) func(psi []float64) func(*models.Example) energy.Parametric {
	return func(psi []float64) func(*models.Example) energy.Parametric {
		strength := energy.Strength{Psi: psi}
		return byLength(func(l, _ int) energy.Parametric {
			if whole {
				return energy.Words{Vocabulary: v, Length: l, Strength: strength}
			}
			return energy.Counts{Vocabulary: v, Length: l, Strength: strength}
		})
	}
}

// strengths returns a function for Energies.Strengths, with which the energy of a sequence has the strength ψ = b +
// v·f(x). b and v are weights, and f(x) is the mean of the random Fourier features of the sequence's rows.
func strengths(f *energy.Fourier) func(datasets.Data) ([]models.FeatureMap, error) {
	return func(data datasets.Data) ([]models.FeatureMap, error) {
		s, ok := data.(*datasets.Sequences)
		if !ok {
			return nil, noRows(data)
		}
		list := make([]models.FeatureMap, s.Len())
		for i := range list {
			list[i] = affine(f.Mean(&s.X, s.Start[i], s.Start[i+1]))
		}
		return list, nil
	}
}

func noRows(data datasets.Data) error {
	return fmt.Errorf("strength: fourier needs labelled sequences with rows of numbers; the data set has %s: set "+
		"strength: bias", data.Kind())
}

// affine is a feature map with one part, whose score is b + v·f for the weights (b, v). A value of type affine is the
// vector f.
type affine []float64

var _ models.FeatureMap = affine(nil)

// Parts implements models.FeatureMap.
func (affine) Parts() int { return 1 }

// Score implements models.FeatureMap.
func (f affine) Score(theta, w []float64) {
	f.check(theta, w)
	sum := w[0]
	for j, x := range f {
		sum += x * w[1+j]
	}
	theta[0] = sum
}

// AddAdjoint implements models.FeatureMap.
func (f affine) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	c *= mu[0]
	w[0] += c
	for j, x := range f {
		w[1+j] += c * x
	}
}

func (f affine) check(parts, w []float64) {
	if len(parts) != 1 {
		panic("nonlocal: len(theta) != Parts()")
	}
	if len(w) != 1+len(f) {
		panic("nonlocal: len(w) != Dim")
	}
}
