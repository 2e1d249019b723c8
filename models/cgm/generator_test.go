package cgm

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// small is a population on a small grid.
func small(t testing.TB, side, steps int, seed uint64) *Generated {
	t.Helper()
	made, err := Grid{Side: side, Steps: steps, Walkers: 200, Distance: 1, Drift: 0.5, Noise: 0.3, Rate: 0.5, Seed: seed}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestGridIsThatOfItsSeed(t *testing.T) {
	one, same, other := small(t, 3, 5, 1), small(t, 3, 5, 1), small(t, 3, 5, 2)
	if !slices.Equal(one.Truth, same.Truth) || !slices.Equal(one.Problem.Counts, same.Problem.Counts) || !slices.Equal(one.Problem.Theta, same.Problem.Theta) {
		t.Error("the same seed gave another population")
	}
	if slices.Equal(one.Truth, other.Truth) {
		t.Error("another seed gave the same population")
	}
}

// Walkers neither appear nor vanish.
func TestGridConservesWalkers(t *testing.T) {
	made := small(t, 3, 6, 1)
	mu := make([]float64, len(made.Truth))
	for r, n := range made.Truth {
		mu[r] = n / made.Problem.Population
	}
	if worst := infeasibility(made.Problem, mu); worst > 1e-12 {
		t.Errorf("the flows do not fit by %v", worst)
	}
}

// Walkers follow the chain, counts the walkers: both within 5 standard deviations, over many cells.
func TestGridStatistics(t *testing.T) {
	g := Grid{Side: 4, Steps: 20, Walkers: 2000, Distance: 1, Drift: 0.5, Noise: 0.1, Rate: 0.7, Seed: 3}
	made, err := g.Generate()
	if err != nil {
		t.Fatal(err)
	}
	p, walkers := made.Problem, float64(g.Walkers)
	mu := make([]float64, len(p.Theta))
	if err := p.start(mu); err != nil {
		t.Fatal(err)
	}
	for r, m := range mu {
		if sd := math.Sqrt(walkers*m*(1-m)) + 1; math.Abs(made.Truth[r]-walkers*m) > 5*sd {
			t.Errorf("part %d has %v walkers: want about %v", r, made.Truth[r], walkers*m)
		}
	}
	var chi, cells float64
	for r, y := range p.Counts {
		n := g.Rate * made.Truth[r]
		if n == 0 && y != 0 {
			t.Errorf("count %d is %v where nobody was", r, y)
		}
		if n > 0 {
			chi += (y - n) * (y - n) / n
			cells++
		}
	}
	if math.Abs(chi/cells-1) > 5*math.Sqrt(3/cells) { // the variance of a count over its mean is 1
		t.Errorf("counts vary by %v of what Poisson's do", chi/cells)
	}
	first, last := made.Truth[:p.Cells], made.Truth[(p.Steps-1)*p.Cells:p.Steps*p.Cells]
	if slices.Max(first) != first[0] || g.away(first) < g.away(last)+1 {
		t.Errorf("walkers begin %v from the far corner and end %v from it", g.away(first), g.away(last))
	}
}

// away is the mean distance from the far corner.
func (g Grid) away(n []float64) float64 {
	var sum float64
	for i, v := range n {
		sum += v * g.distance(i, g.Side*g.Side-1)
	}
	return sum / float64(g.Walkers)
}

func TestGridScores(t *testing.T) {
	g := Grid{Side: 3, Steps: 3, Walkers: 1, Distance: 2, Drift: 0.5, Rate: 1}
	made, err := g.Generate()
	if err != nil {
		t.Fatal(err)
	}
	theta := made.Problem.Theta
	// 0 1 2
	// 3 4 5: from 4 to 8 the distance is √2, and as much nearer to the far corner
	// 6 7 8
	for r, want := range map[int]float64{0: 0, 4: -2 * math.Sqrt2, 9 + 4: 0, 27 + 4*9 + 8: -1.5 * math.Sqrt2, 27 + 81 + 8*9 + 4: -2.5 * math.Sqrt2} {
		if math.Abs(theta[r]-want) > 1e-12 {
			t.Errorf("score %d is %v: want %v", r, theta[r], want)
		}
	}
}

func TestGridsThatAreNone(t *testing.T) {
	good := Grid{Side: 2, Steps: 2, Walkers: 1, Rate: 1}
	for want, change := range map[string]func(*Grid){
		"side 1":      func(g *Grid) { g.Side = 1 },
		"0 steps":     func(g *Grid) { g.Steps = 0 },
		"0 walkers":   func(g *Grid) { g.Walkers = 0 },
		"distance -1": func(g *Grid) { g.Distance = -1 },
		"drift NaN":   func(g *Grid) { g.Drift = math.NaN() },
		"noise +Inf":  func(g *Grid) { g.Noise = math.Inf(1) },
		"rate":        func(g *Grid) { g.Rate = 0 },
		"too widely":  func(g *Grid) { g.Distance = 1000 },
	} {
		g := good
		change(&g)
		if _, err := g.Generate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want one with %q", err, want)
		}
	}
}
