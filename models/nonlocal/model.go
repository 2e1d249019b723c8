package nonlocal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/internal/settings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// Values of Model's settings.
const (
	baseFrozen        = "frozen"
	baseTrained       = "trained"
	energyMeasured    = "measurements"
	energyCounts      = "counts"
	energyWords       = "words"
	strengthBias      = "bias"
	strengthFourier   = "fourier"
	inferenceRDA      = "rda"
	inferenceDamped   = "damped"
	inferenceFast     = "accelerated"
	defaultMaxCalls   = 10
	defaultFeatures   = 1000
	defaultTolerance  = 1e-4
	defaultRho        = 0.5
	defaultSupport    = 0.9
	defaultOccurrence = 10
)

// Model is the model nonlocal: a chain whose weights are known, and an energy whose parameters are learned. The
// energies are those of the paper's experiments: hinges of linear measurements of labels, fields and pairs of them
// (Templates; the weights c_j), and the distance from the words of a vocabulary, by counts of letters or letter by
// letter (energy.Counts, energy.Words; the strength ψ). Measurements are chosen, and the vocabulary is taken, from the
// labellings that the base was trained on; the parameters may be learned from other data, since a chain fits its own
// training data too well.
type Model struct {
	// frozen: learn the parameters of the energy only; trained: go on learning the weights of the base as well
	Base string `yaml:"base" jsonschema:"enum=frozen,enum=trained"`
	// measurements: smoothed hinges of linear measurements, made by templates; counts, words: distance of the
	// labels' counts, or of the labels, from the nearest training labelling
	Energy string `yaml:"energy" jsonschema:"enum=measurements,enum=counts,enum=words"`

	// measurements: names between spaces, such as at-most-one excludes; all if empty
	Templates string `yaml:"templates"`
	// measurements: of the training labellings that a measurement says something about, the share of which it must be true
	Support float64 `yaml:"support" jsonschema:"minimum=0,maximum=1"`
	// measurements: number of training labellings that a measurement must say something about
	Occurs int `yaml:"occurs" jsonschema:"minimum=1"`
	// measurements: smoothed hinges, else plain ones
	Smoothed bool `yaml:"smoothed"`

	// counts, words: bias: one number for all sequences; fourier: linear in the mean of random Fourier features
	// of the rows
	Strength string `yaml:"strength" jsonschema:"enum=bias,enum=fourier"`
	// fourier: their number
	Features int `yaml:"features" jsonschema:"minimum=1"`
	// fourier: of the Gaussian kernel; 0: the median distance of two training rows
	Bandwidth float64 `yaml:"bandwidth" jsonschema:"minimum=0"`
	// fourier: of the draw of the features
	Seed uint64 `yaml:"seed"`

	// weight of each measurement, or strength, to begin with
	Initial float64 `yaml:"initial"`

	// algorithm of inference; accelerated needs smoothed measurements
	Inference string `yaml:"inference" jsonschema:"enum=rda,enum=damped,enum=accelerated"`
	// cap on calls of the base's oracle in each inference
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
	// inference ends when no marginal changes by more than this
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
	// rda: constant of the proximal term
	Beta float64 `yaml:"beta" jsonschema:"minimum=0"`
	// damped: first and largest step
	Rho float64 `yaml:"rho" jsonschema:"exclusiveMinimum=0,maximum=1"`
	// accelerated: modulus of strong convexity; 1/(2l - 1) is safe for length l, 1 usually faster
	Sigma float64 `yaml:"sigma" jsonschema:"exclusiveMinimum=0"`
}

var _ models.Extender = Model{}

// New returns the model with its default settings.
func New() *Model {
	return &Model{
		Base: baseFrozen, Energy: energyMeasured, Support: defaultSupport, Occurs: defaultOccurrence, Smoothed: true,
		Strength: strengthBias, Features: defaultFeatures, Seed: 1,
		Inference: inferenceRDA, MaxCalls: defaultMaxCalls, Tol: defaultTolerance, Rho: defaultRho, Sigma: 1,
	}
}

// Build implements models.Builder.
func (Model) Build(_, _ datasets.Data) (*models.Task, error) {
	return nil, errors.New("model nonlocal stands on another model: write from: and the name of a problem with the " +
		"model chain")
}

// Extend implements models.Extender.
func (m Model) Extend(base *models.Task, w []float64, train, validation datasets.Data) (*models.Task, error) {
	if err := settings.Check(m); err != nil {
		return nil, fmt.Errorf("model nonlocal: %w", err)
	}
	if err := sequences(base); err != nil {
		return nil, fmt.Errorf("model nonlocal: %w", err)
	}
	e := Energies{Trained: m.Base == baseTrained, By: m.algorithm()}
	add := m.vocabulary
	if m.Energy == energyMeasured {
		add = m.measurements
	}
	facts, err := add(&e, base, train)
	if err != nil {
		return nil, fmt.Errorf("model nonlocal: %w", err)
	}
	t, err := e.Extend(base, w, train, validation)
	if err != nil {
		return nil, err
	}
	for name, v := range facts {
		t.Facts[name] = v
	}
	return t, nil
}

// measurements makes the energy of hinges.
func (m Model) measurements(e *Energies, base *models.Task, train datasets.Data) (map[string]float64, error) {
	names, err := labelNames(base, train)
	if err != nil {
		return nil, err
	}
	templates := Templates{Names: strings.Fields(m.Templates), Support: m.Support, Occurs: m.Occurs}
	list, err := templates.Measurements(names, labellings(base))
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no measurement is true of a share of %v of %d or more training labellings: want a smaller "+
			"support or occurs, or more templates", m.Support, m.Occurs)
	}
	e.measurements, e.Of = list, measured(list, m.Smoothed)
	e.Start = slices.Repeat([]float64{m.Initial}, len(list))
	return map[string]float64{"measurements": float64(len(list))}, nil
}

// vocabulary makes the energy of the distance from known words.
func (m Model) vocabulary(e *Energies, base *models.Task, train datasets.Data) (map[string]float64, error) {
	_, k := shape(&base.Train[0])
	v, err := energy.NewVocabulary(k, labellings(base))
	if err != nil {
		return nil, err
	}
	e.Of, e.Start = known(v, m.Energy == energyWords), []float64{m.Initial}
	words, counts := v.Size()
	facts := map[string]float64{"words": float64(words), "word_counts": float64(counts)}
	if m.Strength == strengthBias {
		return facts, nil
	}
	s, ok := train.(*datasets.Sequences)
	if !ok {
		return nil, noRows(train)
	}
	bandwidth := m.Bandwidth
	if bandwidth == 0 {
		bandwidth = energy.MedianDistance(&s.X, m.Seed)
	}
	f, err := energy.NewFourier(m.Features, s.X.Dim, bandwidth, m.Seed)
	if err != nil {
		return nil, err
	}
	e.Strengths = strengths(f)
	e.Start = append(e.Start, make([]float64, m.Features)...)
	facts["bandwidth"] = bandwidth
	return facts, nil
}

func (m Model) algorithm() energy.Inference {
	switch m.Inference {
	case inferenceDamped:
		return energy.Damped{Rho: m.Rho, MaxCalls: m.MaxCalls, Tol: m.Tol}
	case inferenceFast:
		return energy.Accelerated{Sigma: m.Sigma, MaxCalls: m.MaxCalls, Tol: m.Tol}
	}
	return energy.RDA{Beta: m.Beta, MaxCalls: m.MaxCalls, Tol: m.Tol}
}
