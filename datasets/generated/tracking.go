package generated

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// Tracking generates sequences from a hidden Markov model: the toy problem of Yu, Bertsekas and Rousu, section 4. The
// hidden path is on a ring of k = States positions. The path starts at a random position. Each step leads to the next
// position on the ring or, with probability P, to a random position. At each step one of m = Observations symbols is
// observed:
//
//	p(y_0) = 1/k,   p(y' | y) = (1 − P) [y' = y + 1 mod k] + P/k,
//	p(o | y) = (1 − Q) [o = y] + Q/m for the positions y < m,   1/m for the others.
//
// A sequence has one row per step, which is the unit vector of the observed symbol. The label is the position y. The
// paper states that P is about 0.3 and Q is small. But the losses in the paper for maximum likelihood fit much noisier
// data, such as P = 0.5 and Q = 0.65.
//
// The same seed gives the same sequences. A smaller set consists of the first examples of a larger one, and validation
// sequences do not depend on Train.
type Tracking struct {
	// number of training sequences
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation sequences; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// length of each sequence
	Length int `yaml:"length" jsonschema:"minimum=1,maximum=10000"`
	// number of states, which are the positions on the ring and the labels
	States int `yaml:"states" jsonschema:"minimum=2,maximum=1000"`
	// number of symbols; symbol i belongs to state i
	Observations int `yaml:"observations" jsonschema:"minimum=2,maximum=1000"`
	// probability that a step leads to a random state and not to the next one
	P float64 `yaml:"p" jsonschema:"minimum=0,maximum=1"`
	// probability that a state with its own symbol shows a random symbol instead
	Q float64 `yaml:"q" jsonschema:"minimum=0,maximum=1"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

const (
	trackingVersion = "1"
	trackingMost    = 50_000_000 // largest number of training or validation positions, of about 30 bytes each
)

// TrackingEntry returns the catalogue entry of Tracking.
func TrackingEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "tracking",
		Title:    "Generated paths on a ring with noisy observations",
		About: "seeded generator of sequences from a hidden Markov model on a ring, whose first states have symbols of " +
			"their own: the tracking problem of the rsd paper",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect: datasets.Counts{Train: 100, Validation: 1000, Features: 7, Classes: 10, NonZeros: 5000, Tokens: 5000,
			ValidationTokens: 50000},
		New: func() datasets.Loader {
			return &Tracking{Train: 100, Validation: 1000, Length: 50, States: 10, Observations: 7, P: 0.3, Q: 0.65, Seed: 1}
		},
	}
}

// Validate implements Validator.
func (g Tracking) Validate() error {
	err := check.Settings(g)
	if n := max(g.Train, g.Validation); err == nil && n*g.Length > trackingMost {
		return check.Refuse("length", g.Length, fmt.Sprintf("at most %d positions with %d sequences", trackingMost/n, n))
	}
	return err
}

// Load implements Loader.
func (g Tracking) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	return generator{
		name: "tracking", version: trackingVersion,
		train: g.Train, validation: g.Validation, seed: g.Seed,
		shape: []any{g.Length, g.States, g.Observations, g.P, g.Q},
	}.load(ctx, g.draw)
}

// draw generates the first n sequences of a stream of random numbers.
func (g Tracking) draw(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
	positions := n * g.Length
	s := &datasets.Sequences{
		X: datasets.Rows{N: positions, Dim: g.Observations, Start: make([]int, 1, positions+1),
			Index: make([]int32, 0, positions),
			Value: make([]float64, 0, positions)},
		Start: make([]int, 1, n+1), Y: make([]int, 0, positions), Labels: make([]string, g.States),
	}
	for y := range s.Labels {
		s.Labels[y] = strconv.Itoa(y + 1)
	}
	for i := range n {
		if err := stopped(ctx, i); err != nil {
			return nil, fmt.Errorf("sequence %d: %w", i+1, err)
		}
		state := rng.IntN(g.States)
		for t := range g.Length {
			if t > 0 {
				if state = (state + 1) % g.States; rng.Float64() < g.P {
					state = rng.IntN(g.States)
				}
			}
			symbol := state
			if symbol >= g.Observations || rng.Float64() < g.Q {
				symbol = rng.IntN(g.Observations)
			}
			s.Y = append(s.Y, state)
			s.X.Index, s.X.Value = append(s.X.Index, int32(symbol)), append(s.X.Value, 1)
			s.X.Start = append(s.X.Start, len(s.X.Index))
		}
		s.Start = append(s.Start, len(s.Y))
	}
	return s, nil
}
