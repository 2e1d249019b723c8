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

// Model is the model nonlocal: a chain with known weights, plus an energy whose parameters are learned. The three
// energies are the energies in the experiments of Vilnis et al. (2015). One is a sum of hinges of linear measurements
// of labels, fields and pairs of fields (Templates). Its parameters are the weights c_j of the measurements. The other
// two are distances from the nearest word of a vocabulary, where a word is a label sequence. energy.Counts compares how
// often each label occurs, and energy.Words compares label by label. The parameter of both is the strength ψ.
// Measurements and vocabulary are built from the labellings of the base's training data. The parameters can be learned
// from other data, which is better because a chain fits its own training data too well.
type Model struct {
	// frozen: learn only the parameters of the energy; trained: also continue to train the weights of the base
	Base string `yaml:"base" jsonschema:"enum=frozen,enum=trained"`
	// measurements: hinges of linear measurements from templates; counts: distance of the label counts from the nearest
	// training labelling; words: distance of the labels from the nearest training labelling
	Energy string `yaml:"energy" jsonschema:"enum=measurements,enum=counts,enum=words"`

	// for measurements: names of templates separated by spaces, such as at-most-one excludes; empty: all templates
	Templates string `yaml:"templates"`
	// for measurements: a measurement is used if it is true for at least this share of the training labellings to which it
	// applies
	Support float64 `yaml:"support" jsonschema:"minimum=0,maximum=1"`
	// for measurements: a measurement is used if it applies to at least this number of training labellings
	Occurs int `yaml:"occurs" jsonschema:"minimum=1"`
	// for measurements: use smoothed hinges instead of plain hinges
	Smoothed bool `yaml:"smoothed"`

	// for counts and words: bias: the strength is one number for all sequences; fourier: it is linear in the mean of
	// random Fourier features of the rows
	Strength string `yaml:"strength" jsonschema:"enum=bias,enum=fourier"`
	// for fourier: number of random features
	Features int `yaml:"features" jsonschema:"minimum=1"`
	// for fourier: bandwidth of the Gaussian kernel; 0: the median distance between training rows
	Bandwidth float64 `yaml:"bandwidth" jsonschema:"minimum=0"`
	// for fourier: seed for drawing the random features
	Seed uint64 `yaml:"seed"`

	// initial weight of each measurement, or initial strength
	Initial float64 `yaml:"initial"`

	// inference algorithm; accelerated needs smoothed measurements
	Inference string `yaml:"inference" jsonschema:"enum=rda,enum=damped,enum=accelerated"`
	// largest number of calls of the base's oracle in one inference
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
	// inference ends if no marginal changes by more than this
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
	// for rda: constant of the proximal term
	Beta float64 `yaml:"beta" jsonschema:"minimum=0"`
	// for damped: first and largest step size
	Rho float64 `yaml:"rho" jsonschema:"exclusiveMinimum=0,maximum=1"`
	// for accelerated: assumed modulus of strong convexity of the negative entropy; 1/(2l - 1) guarantees convergence for
	// length l, 1 is usually faster
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
	return nil, errors.New(`model nonlocal extends another model: set the key "from" to the name of a problem with the ` +
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

// measurements sets the fields of e for the setting energy: measurements. It returns facts for the task.
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
		return nil, fmt.Errorf("no measurement applies to at least %[2]d training labellings and is true for a share of at "+
			"least %[1]v of "+
			`them: reduce "support" or "occurs", or add templates`, m.Support, m.Occurs)
	}
	e.measurements, e.Of = list, measured(list, m.Smoothed)
	e.Start = slices.Repeat([]float64{m.Initial}, len(list))
	return map[string]float64{"measurements": float64(len(list))}, nil
}

// vocabulary sets the fields of e for the settings energy: counts and energy: words. It returns facts for the task.
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
