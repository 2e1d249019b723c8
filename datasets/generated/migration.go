package generated

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// Migration generates counts of a population that migrates over a grid of k = Side × Side cells, like birds. Cell i is
// in row i div Side and column i mod Side. The members of the population start near cell 0, called near, and drift
// towards cell k−1, called far. The scores of the Markov chain are, with the Euclidean distance d between cells,
//
//	s_0(i)     = −Distance·d(i, near),   and s_t = 0 afterwards
//	T_t(i, j)  = −Distance·d(i, j) + Drift·(d(i, far) − d(j, far)) + Noise·ε(i, j),   ε standard normal
//
// The transition scores are the same at every step. The paths of all members, whose number is Walkers, are drawn from
// the chain. Then noisy counts of the members in each cell at each step are drawn (see datasets.CellCounts). The data
// depend only on the settings.
type Migration struct {
	// number of cells on a side of the grid; the transitions from one step to the next have side⁴ scores
	Side int `yaml:"side" jsonschema:"minimum=2,maximum=30"`
	// number of steps at which the population is counted
	Steps int `yaml:"steps" jsonschema:"minimum=1,maximum=1000"`
	// size of the population
	Walkers int `yaml:"walkers" jsonschema:"minimum=1,maximum=1000000"`
	// decrease of the score of a move per cell width of its length
	Distance float64 `yaml:"distance" jsonschema:"minimum=0,maximum=100"`
	// increase of the score of a move per cell width by which it comes nearer to the far corner
	Drift float64 `yaml:"drift" jsonschema:"minimum=0,maximum=100"`
	// standard deviation of the noise in the scores of moves
	Noise float64 `yaml:"noise" jsonschema:"minimum=0,maximum=100"`
	// mean count per walker
	Rate float64 `yaml:"rate" jsonschema:"exclusiveMinimum=0,maximum=1000"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

const (
	migrationVersion   = "1"
	migrationMostEdges = 50_000_000 // largest number of transition scores of all steps together
)

// MigrationEntry returns the catalogue entry of Migration.
func MigrationEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "migration",
		Title:    "Generated counts of a population that migrates over a grid",
		About: "seeded generator of walkers that drift from corner to corner, and of Poisson counts of them by cell " +
			"and step: for inference in collective graphical models",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 1},
		New: func() datasets.Loader {
			return &Migration{Side: 5, Steps: 20, Walkers: 1000, Distance: 1, Drift: 0.5, Noise: 0.1, Rate: 1, Seed: 1}
		},
	}
}

// Validate implements Validator.
func (m Migration) Validate() error {
	err := check.Settings(m)
	if k := m.Side * m.Side; err == nil && m.Steps*k*k > migrationMostEdges {
		return check.Refuse("steps", m.Steps, fmt.Sprintf("at most %d steps with side %d", migrationMostEdges/(k*k), m.Side))
	}
	return err
}

// Load implements Loader. There are no validation data.
func (m Migration) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	g := generator{name: "migration", version: migrationVersion, train: 1, seed: m.Seed,
		shape: []any{m.Side, m.Steps, m.Walkers, m.Distance, m.Drift, m.Noise, m.Rate}}
	return g.load(ctx, m.draw)
}

// draw draws the scores of the chain, the paths of the population, and the counts.
func (m Migration) draw(ctx context.Context, rng *rand.Rand, _ int) (datasets.Data, error) {
	k := m.Side * m.Side
	d := &datasets.CellCounts{Cells: k, Steps: m.Steps, Theta: m.scores(rng), Counts: make([]float64, m.Steps*k),
		Population: float64(m.Walkers), Rate: m.Rate}
	if err := walk(ctx, rng, d); err != nil {
		return nil, err
	}
	for r := range d.Counts {
		if n := d.Moves[r]; n > 0 {
			d.Counts[r] = distuv.Poisson{Lambda: m.Rate * n, Src: rng}.Rand()
		}
	}
	return d, nil
}

// scores draws the scores θ of the chain.
func (m Migration) scores(rng *rand.Rand) []float64 {
	k := m.Side * m.Side
	theta := make([]float64, m.Steps*k+(m.Steps-1)*k*k)
	for i := range k {
		theta[i] = -m.Distance * m.distance(i, 0)
	}
	if m.Steps == 1 {
		return theta
	}
	pairs := theta[m.Steps*k:]
	for i := range k {
		for j := range k {
			drift := m.distance(i, k-1) - m.distance(j, k-1)
			pairs[i*k+j] = -m.Distance*m.distance(i, j) + m.Drift*drift + m.Noise*rng.NormFloat64()
		}
	}
	for t := 1; t < m.Steps-1; t++ {
		copy(pairs[t*k*k:], pairs[:k*k])
	}
	return theta
}

func (m Migration) distance(i, j int) float64 {
	return math.Hypot(float64(i/m.Side-j/m.Side), float64(i%m.Side-j%m.Side))
}

// walk draws the paths of the population from the chain and counts the moves in d.Moves. It draws all paths together,
// step by step (s and T are the scores in the comment of Migration):
//
//	p(y_0) ∝ exp(s_0(y_0) + b_0(y_0)),   p(y_{t+1} | y_t) ∝ exp(T_t(y_t, y_{t+1}) + s_{t+1}(y_{t+1}) + b_{t+1}(y_{t+1}))
//
// where the backward message b_t(y) is the logarithm of the sum of the weights of all paths that continue from y at t.
func walk(ctx context.Context, rng *rand.Rand, d *datasets.CellCounts) error {
	k, l := d.Cells, d.Steps
	onward := make([]float64, l*k) // s_t + b_t
	copy(onward, d.Theta)
	row := make([]float64, k)
	for t := l - 2; t >= 0; t-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		for y := range k {
			onward[t*k+y] += cumulate(row, moves(d, d.Theta, t, y), onward[(t+1)*k:(t+2)*k])
		}
	}
	d.Moves = make([]float64, len(d.Theta))
	cumulate(row, make([]float64, k), onward[:k])
	pick(rng, d.Moves[:k], row, int(d.Population))
	for t := range l - 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := d.Moves[(t+1)*k : (t+2)*k]
		for y, n := range d.Moves[t*k : (t+1)*k] {
			if n == 0 {
				continue
			}
			cumulate(row, moves(d, d.Theta, t, y), onward[(t+1)*k:(t+2)*k])
			out := moves(d, d.Moves, t, y)
			pick(rng, out, row, int(n))
			for j, n := range out {
				to[j] += n
			}
		}
	}
	return nil
}

// moves returns the elements of v that belong to the moves from cell y at step t. v must have the layout of d.Theta.
func moves(d *datasets.CellCounts, v []float64, t, y int) []float64 {
	k := d.Cells
	return v[d.Steps*k+(t*k+y)*k:][:k]
}

// cumulate writes the cumulative sums of exp(a + b − max(a + b)) to dst, and returns the logarithm of the sum of
// exp(a + b).
func cumulate(dst, a, b []float64) float64 {
	top := math.Inf(-1)
	for j, v := range a {
		top = max(top, v+b[j])
	}
	var sum float64
	for j, v := range a {
		sum += math.Exp(v + b[j] - top)
		dst[j] = sum
	}
	return top + math.Log(sum)
}

// pick draws n indices and adds to count how often each index was drawn. sums holds the cumulative sums of the indices'
// probabilities, times any common factor.
func pick(rng *rand.Rand, count, sums []float64, n int) {
	all := sums[len(sums)-1]
	for range n {
		u := rng.Float64() * all // less than the last sum
		count[sort.Search(len(sums)-1, func(j int) bool { return sums[j] > u })]++
	}
}
