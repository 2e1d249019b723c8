package nonlocal

import (
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// Inference is the model inference. For the known weights of a problem with the model nonlocal, its task is the
// inference problem of each example
//
//	min_μ F(μ) = −H(μ) − θ·μ + L_ψ(μ)
//
// with fixed θ and ψ. There are no weights to learn. Solvers of inference use Example.Energy with the base's oracles,
// and gaplab records F and the predictions after each oracle call. Training and validation examples are the same: the
// examples of the validation data, or of the training data if there are no validation data.
type Inference struct{}

// NewInference returns the model with its default settings.
func NewInference() *Inference { return &Inference{} }

var _ models.Extender = Inference{}

// Build implements models.Builder.
func (Inference) Build(_, _ datasets.Data) (*models.Task, error) {
	return nil, errors.New(`model inference has no weights of its own: set the key "from" to the name of a problem with ` +
		"the model nonlocal")
}

// Extend implements models.Extender.
func (Inference) Extend(base *models.Task, w []float64, train, validation datasets.Data) (*models.Task, error) {
	if len(w) != base.Dim() {
		return nil, fmt.Errorf("model inference: the base has %d weights: want %d", len(w), base.Dim())
	}
	if validation == nil {
		validation = train
	}
	if base.Examples == nil {
		return nil, notNonlocal(base)
	}
	list, err := base.Examples(validation)
	if err != nil {
		return nil, err
	}
	var shared func(*models.Example) energy.Parametric // the energies if all examples have one ψ, otherwise nil
	for i := range list {
		x, ok := list[i].Features.(*example)
		if !ok {
			return nil, notNonlocal(base)
		}
		theta := make([]float64, x.Parts())
		x.Score(theta, w)
		n := len(theta) - x.parts
		of := shared
		if of == nil {
			of = x.Of(theta[n:])
		}
		if x.strength == nil {
			shared = of
		}
		list[i] = x.below
		list[i].Features, list[i].Energy = &fixed{theta[:n:n], x.below.Features}, of(&x.below)
	}
	return &models.Task{
		Model: "inference", Unknowns: models.Marginals{}, Train: list, Validation: list,
		Metrics: base.Metrics, Classes: base.Classes, Facts: base.Facts,
	}, nil
}

func notNonlocal(base *models.Task) error {
	return fmt.Errorf("model inference needs a problem with the model nonlocal, but the problem that the key "+
		"\"from\" names has the model %s", base.Model)
}

// fixed is a feature map without weights: its part scores are constant.
type fixed struct {
	scores []float64
	base   models.FeatureMap
}

var _ models.Layered = (*fixed)(nil)

// Base implements models.Layered.
func (f *fixed) Base() models.FeatureMap { return f.base }

// Parts implements models.FeatureMap.
func (f *fixed) Parts() int { return len(f.scores) }

// Score implements models.FeatureMap.
func (f *fixed) Score(theta, w []float64) {
	f.check(theta, w)
	copy(theta, f.scores)
}

// AddAdjoint implements models.FeatureMap. It only checks the lengths, since there are no weights.
func (f *fixed) AddAdjoint(w []float64, _ float64, mu []float64) { f.check(mu, w) }

func (f *fixed) check(parts, w []float64) {
	if len(parts) != len(f.scores) {
		panic("nonlocal: len(theta) != Parts()")
	}
	if len(w) != 0 {
		panic("nonlocal: len(w) != Dim")
	}
}
