// Package generative implements models whose weights are log-probabilities (models.Distributions): HMM for sequences of
// symbols, and BayesNet for rows of discrete variables. They share the priors that regularise the parameters.
//
//	task, err := generative.NewHMM().Build(train, validation)
package generative

import (
	"fmt"

	"github.com/gaplab/gaplab/internal/settings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// Values of HMM.LabelLoss.
const (
	lossHamming = "hamming"
	lossRing    = "ring"
)

// HMM is a generative model: a hidden Markov model with k states, of sequences of m different symbols. For states s_0
// .. s_{l−1} and symbols o_0 .. o_{l−1},
//
//	log P(s, o) = π(s_0) + Σ_{t > 0} T(s_{t−1}, s_t) + Σ_t E(s_t, o_t),
//
// The 1 + 2k vectors of log-probabilities θ_i are π, the rows of T, and the rows of E, in this order. They have k + k²
// + km numbers. The setting Hidden determines which states are hidden in training. The model has the parts and oracles
// of a chain with tied transitions (sequence.Oracle). π is added to the scores of position 0.
//
// The label loss is the number of wrong states, or the sum over positions of the distance min(|a − b|, k − |a − b|)
// between states a and b on a ring.
//
// Each row of the sequences must be the unit vector of a symbol.
type HMM struct {
	// hamming: number of wrong states; ring: sum of distances between states on a ring
	LabelLoss string `yaml:"label_loss" jsonschema:"enum=hamming,enum=ring"`
	// how states are predicted; viterbi: the most probable path; marginal: at each position the most probable state; risk:
	// the path with the smallest expected label loss (label_loss)
	Decode string `yaml:"decode" jsonschema:"enum=viterbi,enum=marginal,enum=risk" settings:"optional"`
	// factor η of the penalties of the slacks; the regularisation terms have the factor 1
	Eta float64 `yaml:"eta" jsonschema:"exclusiveMinimum=0"`
	// distributions c towards which the parameters are regularised; ml: relative frequencies in the training data;
	// smoothed-ml: the same with 0.1 added to each count; smaller: relative frequencies of the smaller model in which a
	// state does not depend on the state before
	Prior string `yaml:"prior" jsonschema:"enum=uniform,enum=ml,enum=smoothed-ml,enum=smaller" settings:"optional"`
	// regularisation term of parameters θ with the prior c; kl: −c·θ; chi-squared: c²/exp(θ); squared: half of
	// (θ − log c)²
	Divergence string `yaml:"divergence" jsonschema:"enum=kl,enum=chi-squared,enum=squared" settings:"optional"`
	// penalty of a slack; linear: the slack; quadratic: half of its square
	Penalty string `yaml:"penalty" jsonschema:"enum=linear,enum=quadratic" settings:"optional"`
	// states that are hidden in training; alternate: every other state, beginning with the first state in one sequence and
	// the second in the next; the other states are given. In validation data all states are hidden
	Hidden string `yaml:"hidden" jsonschema:"enum=all,enum=alternate" settings:"optional"`
}

// NewHMM returns the model with its default settings.
func NewHMM() *HMM {
	return &HMM{LabelLoss: lossHamming, Eta: 0.1, Prior: priorUniform, Divergence: divergenceKL, Penalty: penaltyLinear,
		Hidden: hiddenAll, Decode: sequence.Viterbi}
}

// Build implements models.Builder for labelled sequences of symbols. The validation data may be nil. They must not have
// labels or symbols that are not in the training data.
func (m HMM) Build(train, validation datasets.Data) (*models.Task, error) {
	if err := settings.Check(m); err != nil {
		return nil, fmt.Errorf("model hmm: %w", err)
	}
	d, held, err := sequence.Rows("hmm", "symbols", 2, train, validation)
	if err != nil {
		return nil, err
	}
	shape, err := m.shape(len(d.Labels), d.X.Dim)
	if err != nil {
		return nil, fmt.Errorf("model hmm: %w", err)
	}
	t := &models.Task{Model: "hmm", Posterior: shape.decoding != nil, Metrics: hmmMetrics(shape.k, m.LabelLoss),
		Vocabulary: func() any { return sequence.NewVocabulary(d) }}
	if t.Train, err = m.examples(shape, d, "training"); err != nil {
		return nil, err
	}
	if held != nil {
		if t.Validation, err = m.examples(shape, held, "validation"); err != nil {
			return nil, err
		}
	}
	g, err := newObjective("hmm", shape.tables(), t.Train,
		regularisation{m.Prior, m.Divergence, m.Penalty, m.Eta})
	if err != nil {
		return nil, err
	}
	if m.Hidden == hiddenAlternate { // only the max-oracle supports given states
		for i := range t.Train {
			e := &t.Train[i]
			e.Max, e.Exp, e.Slack, e.Second = &given{shape, e.Truth, i}, nil, nil, nil
		}
	}
	t.Unknowns, t.Facts = g, map[string]float64{"vectors": float64(g.Vectors()), "dim": float64(g.Dim())}
	return t, nil
}

func (m HMM) examples(shape *hmmShape, d *datasets.Sequences, part string) ([]models.Example, error) {
	symbol, wrong := symbolsOf(&d.X)
	if wrong > 0 {
		return nil, fmt.Errorf("model hmm: row %d of the %s sequences is not a unit vector: want one 1, otherwise 0", wrong,
			part)
	}
	examples, features, o := make([]models.Example, d.Len()), make([]hmmFeatures, d.Len()), shape.oracle
	for i := range examples {
		lo, hi := d.Start[i], d.Start[i+1]
		features[i] = hmmFeatures{shape, symbol[lo:hi]}
		truth := make(models.Vertex, hi-lo, 2*(hi-lo)-1)
		for t, y := range d.Y[lo:hi] {
			truth[t] = t*shape.k + y
		}
		examples[i] = models.Example{Features: &features[i], Max: o, Exp: o, Slack: o, Second: o, Decoding: shape.decoding,
			Truth: o.Transitions(truth), Cost: m.cost(shape.k, d.Y[lo:hi])}
	}
	return examples, nil
}

// symbolsOf returns the symbols of rows that are unit vectors. If a row is not a unit vector, wrong is the number of
// the first such row, counted from 1.
func symbolsOf(x *datasets.Rows) (symbol []int32, wrong int) {
	symbol = make([]int32, x.N)
	for t := range symbol {
		var ok bool
		if symbol[t], ok = symbolOf(x.Row(t)); !ok {
			return nil, t + 1
		}
	}
	return symbol, 0
}

// symbolOf returns the index of the 1 in a unit vector. If the row is not a unit vector, ok is false.
func symbolOf(index []int32, value []float64) (symbol int32, ok bool) {
	for j, x := range value {
		switch {
		case x == 0:
			continue
		case x != 1 || ok:
			return 0, false
		case index != nil:
			symbol = index[j]
		default:
			symbol = int32(j)
		}
		ok = true
	}
	return symbol, ok
}

// shape returns the sizes, the oracle and the rule of prediction for k states and n symbols.
func (m HMM) shape(k, n int) (*hmmShape, error) {
	s := newHMMShape(k, n)
	states := make([]int, k)
	for y := range states {
		states[y] = y
	}
	var err error
	s.decoding, err = s.oracle.Decoding(m.Decode, m.cost(k, states)) // the cost is symmetric in the two states
	return s, err
}

// cost returns the label loss of each part if truth has the true states: element t·k + s is the loss of state s at
// position t.
func (m HMM) cost(k int, truth []int) []float64 {
	cost := make([]float64, len(truth)*k)
	for t, y := range truth {
		for s := range k {
			switch {
			case m.LabelLoss == lossRing:
				cost[t*k+s] = ringDistance(s, y, k)
			case s != y:
				cost[t*k+s] = 1
			}
		}
	}
	return cost
}

// ringDistance returns the distance between states a and b on a ring of k states.
func ringDistance(a, b, k int) float64 {
	d := max(a-b, b-a)
	return float64(min(d, k-d))
}

// hmmMetrics returns five metrics: the share of wrong states, the share of sequences with a wrong state, and the means
// over sequences of the label loss, of the number of wrong states, and of the sum of distances on a ring.
func hmmMetrics(k int, labelLoss string) []models.Metric {
	sum := func(prediction models.Vertex, e *models.Example, distance func(a, b int) float64) (total float64, l int) {
		l = (len(e.Truth) + 1) / 2
		for t, r := range prediction[:l] {
			total += distance(r-t*k, e.Truth[t]-t*k)
		}
		return total, l
	}
	hamming := func(a, b int) float64 {
		if a == b {
			return 0
		}
		return 1
	}
	ring := func(a, b int) float64 { return ringDistance(a, b, k) }
	mean := func(name string, distance func(a, b int) float64) models.Metric {
		return models.Metric{Name: name, Of: func(prediction models.Vertex, e *models.Example) (num, den float64) {
			total, _ := sum(prediction, e, distance)
			return total, 1
		}}
	}
	trained := hamming
	if labelLoss == lossRing {
		trained = ring
	}
	return []models.Metric{
		{Name: "validation_error", Of: func(prediction models.Vertex, e *models.Example) (num, den float64) {
			total, l := sum(prediction, e, hamming)
			return total, float64(l)
		}},
		{Name: "validation_sequence_error", Of: models.ZeroOneLoss},
		mean("validation_loss", trained),
		mean("validation_hamming", hamming),
		mean("validation_ring", ring),
	}
}

// Restore implements models.Restorer.
func (m HMM) Restore(text []byte) (models.Decoder, error) {
	v, err := sequence.ReadVocabulary(text)
	if err != nil {
		return nil, err
	}
	shape, err := m.shape(len(v.Labels), v.Features)
	if err != nil {
		return nil, err
	}
	return &sequence.Decoder{Vocabulary: v, Weights: shape.dim, Of: func(s *datasets.Sequences) (models.Example, error) {
		symbol, wrong := symbolsOf(&s.X)
		if wrong > 0 {
			return models.Example{}, fmt.Errorf("row %d of the sequence is not a unit vector: want one 1, at one of the %d "+
				"features of the training sequences, otherwise 0", wrong, shape.m)
		}
		return models.Example{Features: &hmmFeatures{shape, symbol}, Max: shape.oracle, Exp: shape.oracle,
			Decoding: shape.decoding}, nil
	}}, nil
}
