package generated

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
)

// generator is what the generators of structured data share: two streams of one seed, and an identity.
type generator struct {
	name, version     string // version: of the data that a seed gives
	train, validation int
	seed              uint64
	shape             []any // the other settings
}

// load makes the set. draw makes the first n examples of a stream of random numbers: training and validation data each
// have a stream, so neither depends on the length of the other.
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

// stopped returns the context's error, checked once in a while.
func stopped(ctx context.Context, i int) error {
	if i%1024 == 0 {
		return ctx.Err()
	}
	return nil
}
