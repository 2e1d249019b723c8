package generated

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
)

// generator holds the settings that most generators have in common.
type generator struct {
	name              string // name in the catalogue
	version           string // must be raised when the same settings give other data
	train, validation int    // numbers of examples
	seed              uint64
	shape             []any // the other settings, which enter the checksum
}

// load generates the set. The function draw generates n examples from a stream of random numbers. Training and
// validation data have separate streams, so neither depends on the length of the other.
func (g generator) load(ctx context.Context,
	draw func(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error)) (*datasets.Set, error) {
	identity := []string{g.name, g.version, fmt.Sprint(g.train), fmt.Sprint(g.validation), fmt.Sprint(g.seed)}
	for _, s := range g.shape {
		identity = append(identity, fmt.Sprint(s))
	}
	set := &datasets.Set{Name: g.name, Synthetic: true, Checksum: datasets.Checksum(identity...)}
	err := ctx.Err()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.name, err)
	}
	if set.Train, err = draw(ctx, rand.New(rand.NewPCG(g.seed, 1)), g.train); err != nil {
		return nil, fmt.Errorf("%s: %w", g.name, err)
	}
	if g.validation > 0 {
		if set.Validation, err = draw(ctx, rand.New(rand.NewPCG(g.seed, 2)), g.validation); err != nil {
			return nil, fmt.Errorf("%s: %w", g.name, err)
		}
	}
	return set, nil
}

// stopped returns the error of the context. It checks the context only if i is a multiple of 1024.
func stopped(ctx context.Context, i int) error {
	if i%1024 == 0 {
		return ctx.Err()
	}
	return nil
}
