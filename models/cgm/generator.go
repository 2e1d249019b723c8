package cgm

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Grid generates a population that migrates over a grid of Side × Side cells, k in all. Cell i is in row i div Side and
// column i mod Side, d is the Euclidean distance between cells, 0 is the near corner and k−1 the far one:
//
//	θ of step 0:       −Distance·d(i, near)
//	θ of i → j:        −Distance·d(i, j) + Drift·(d(i, far) − d(j, far)) + Noise·ε(i, j),   ε standard normal
//
// the same at every step, so an edge has k² potentials. Walkers paths are drawn from the chain, and counts y ~
// Poisson(Rate·n) of those in each cell at each step. What is generated depends on the fields alone.
type Grid struct {
	Side, Steps, Walkers         int     // Side ≥ 2, the others ≥ 1
	Distance, Drift, Noise, Rate float64 // Rate > 0, the others ≥ 0
	Seed                         uint64
}

// Generated is a problem, and the movements that it hides.
type Generated struct {
	Problem *Problem
	Truth   []float64 // how many walkers were in each cell, and moved along each edge, in the layout of marginals
}

// Generate makes the chain, walks, and counts.
func (g Grid) Generate() (*Generated, error) {
	switch {
	case g.Side < 2:
		return nil, fmt.Errorf("cgm: a grid with side %d: want at least 2", g.Side)
	case g.Steps < 1:
		return nil, fmt.Errorf("cgm: a grid with %d steps: want at least 1", g.Steps)
	case g.Walkers < 1:
		return nil, fmt.Errorf("cgm: a grid with %d walkers: want at least 1", g.Walkers)
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"distance", g.Distance}, {"drift", g.Drift}, {"noise", g.Noise}} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return nil, fmt.Errorf("cgm: a grid with %s %v: want a finite number, at least 0", f.name, f.value)
		}
	}
	rng := rand.New(rand.NewPCG(g.Seed, 0))
	k := g.Side * g.Side
	counts := make([]float64, g.Steps*k)
	p, err := NewProblem(k, g.Steps, g.scores(rng), counts, float64(g.Walkers), g.Rate)
	if err != nil {
		return nil, err
	}
	mu := make([]float64, len(p.Theta))
	if err := p.start(mu); err != nil {
		return nil, err
	}
	truth := walk(rng, mu, k, g.Steps, g.Walkers)
	for r := range counts {
		if truth[r] > 0 {
			counts[r] = distuv.Poisson{Lambda: g.Rate * truth[r], Src: rng}.Rand()
		}
	}
	return &Generated{Problem: p, Truth: truth}, nil
}

// scores is θ.
func (g Grid) scores(rng *rand.Rand) []float64 {
	k := g.Side * g.Side
	theta := make([]float64, parts(k, g.Steps))
	for i := range k {
		theta[i] = -g.Distance * g.distance(i, 0)
	}
	pairs := theta[g.Steps*k:]
	if g.Steps == 1 {
		return theta
	}
	for i := range k {
		for j := range k {
			drift := g.distance(i, k-1) - g.distance(j, k-1)
			pairs[i*k+j] = -g.Distance*g.distance(i, j) + g.Drift*drift + g.Noise*rng.NormFloat64()
		}
	}
	for t := 1; t < g.Steps-1; t++ {
		copy(pairs[t*k*k:], pairs[:k*k])
	}
	return theta
}

func (g Grid) distance(i, j int) float64 {
	return math.Hypot(float64(i/g.Side-j/g.Side), float64(i%g.Side-j%g.Side))
}

// walk draws paths of the chain with marginals mu, and counts their cells and moves.
func walk(rng *rand.Rand, mu []float64, k, l, walkers int) []float64 {
	truth := make([]float64, len(mu))
	for range walkers {
		at := draw(rng, mu[:k])
		truth[at]++
		for t := range l - 1 {
			row := l*k + t*k*k + at*k
			to := draw(rng, mu[row:row+k])
			truth[row+to]++
			truth[(t+1)*k+to]++
			at = to
		}
	}
	return truth
}

// draw returns an index with probability proportional to weight.
func draw(rng *rand.Rand, weight []float64) int {
	var sum float64
	for _, w := range weight {
		sum += w
	}
	u := rng.Float64() * sum
	for i, w := range weight {
		if u -= w; u < 0 {
			return i
		}
	}
	return len(weight) - 1
}
