package generated

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// Markov generates sequences of the same length. Labels form a Markov chain: a label equals the previous label with
// probability Stay, and otherwise is one of the other labels with equal probability. The features at a position are the
// unit vector of the label plus Gaussian noise, scaled to norm 1. With these data one can measure how the time of a
// solver grows with the length of sequences and with the numbers of sequences and labels.
//
// The same seed gives the same sequences. A smaller set consists of the first examples of a larger one, and validation
// sequences do not depend on Train.
type Markov struct {
	// number of training sequences
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation sequences; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// number of positions of each sequence
	Length int `yaml:"length" jsonschema:"minimum=1,maximum=10000"`
	// number of labels, and of features
	Labels int `yaml:"labels" jsonschema:"minimum=2,maximum=1000"`
	// probability that a label follows itself
	Stay float64 `yaml:"stay" jsonschema:"minimum=0,maximum=1"`
	// standard deviation of the noise of a feature
	Noise float64 `yaml:"noise" jsonschema:"minimum=0,maximum=100"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

const (
	markovVersion = "1"
)

// MarkovEntry returns the catalogue entry of Markov.
func MarkovEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "markov",
		Title:    "Generated sequences of one length",
		About: "seeded generator of Markov chains of labels with noisy rows: for measuring how work grows with " +
			"the length of sequences, their number and the number of labels",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 100, Validation: 0, Features: 5, Classes: 5, Tokens: 1000},
		New: func() datasets.Loader {
			return &Markov{Train: 100, Length: 10, Labels: 5, Stay: 0.7, Noise: 0.5, Seed: 1}
		},
	}
}

// Validate implements Validator.
func (m Markov) Validate() error { return check.Settings(m) }

// Load implements Loader.
func (m Markov) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	g := generator{
		name: "markov", version: markovVersion,
		train: m.Train, validation: m.Validation, seed: m.Seed,
		shape: []any{m.Length, m.Labels, m.Stay, m.Noise},
	}
	return g.load(ctx, m.draw)
}

// draw generates the first n sequences of a stream of random numbers.
func (m Markov) draw(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
	s := &datasets.Sequences{X: datasets.Rows{Dim: m.Labels, Start: []int{0}, Index: []int32{}}, Start: []int{0},
		Labels: make([]string, m.Labels)}
	for c := range s.Labels {
		s.Labels[c] = strconv.Itoa(c + 1)
	}
	row := make([]float64, m.Labels)
	for i := range n {
		if err := stopped(ctx, i); err != nil {
			return nil, err
		}
		label := rng.IntN(m.Labels)
		for t := range m.Length {
			if t > 0 && rng.Float64() >= m.Stay {
				label = (label + 1 + rng.IntN(m.Labels-1)) % m.Labels
			}
			norm := 0.0
			for j := range row {
				row[j] = m.Noise * rng.NormFloat64()
				if j == label {
					row[j]++
				}
				norm += row[j] * row[j]
			}
			for j, x := range row {
				if x != 0 {
					s.X.Index, s.X.Value = append(s.X.Index, int32(j)), append(s.X.Value, x/math.Sqrt(norm))
				}
			}
			s.X.Start = append(s.X.Start, len(s.X.Value))
			s.Y = append(s.Y, label)
		}
		s.Start = append(s.Start, len(s.Y))
	}
	s.X.N = len(s.Y)
	return s, nil
}
