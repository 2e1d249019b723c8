package collective

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
)

func migration(side int) generated.Migration {
	return generated.Migration{Side: side, Steps: 20, Walkers: 1000, Distance: 1, Drift: 0.5, Noise: 0.1, Rate: 1, Seed: 1}
}

// counted returns the counts of a generated migration.
func counted(t testing.TB, m generated.Migration) *datasets.CellCounts {
	t.Helper()
	set, err := m.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return set.Train.(*datasets.CellCounts)
}

// random returns random counts, and random scores that differ from step to step.
func random(cells, steps int) *datasets.CellCounts {
	rng := rand.New(rand.NewPCG(1, 1))
	d := &datasets.CellCounts{Cells: cells, Steps: steps, Theta: make([]float64, steps*cells+(steps-1)*cells*cells),
		Counts: make([]float64, steps*cells), Population: 30, Rate: 0.3 + rng.Float64()}
	for r := range d.Theta {
		d.Theta[r] = 2 * rng.NormFloat64()
	}
	for r := range d.Counts {
		d.Counts[r] = float64(rng.IntN(4) * rng.IntN(9))
	}
	return d
}

// apart returns the largest absolute difference between corresponding elements of a and b.
func apart(a, b []float64) float64 {
	var worst float64
	for r, v := range a {
		worst = max(worst, math.Abs(v-b[r]))
	}
	return worst
}
