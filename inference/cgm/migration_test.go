package cgm

import (
	"context"
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
)

// counted returns the data set of noisy counts that the generator m produces.
func counted(t testing.TB, m generated.Migration) *datasets.CellCounts {
	t.Helper()
	set, err := m.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return set.Train.(*datasets.CellCounts)
}

// problem returns the problem of inferring the movements of a generated population from its noisy counts.
func problem(t testing.TB, m generated.Migration) *Problem {
	t.Helper()
	p, err := problemOf(counted(t, m))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// small returns the problem of 200 walkers on a small grid.
func small(t testing.TB, side, steps int, seed uint64) *Problem {
	t.Helper()
	return problem(t, generated.Migration{Side: side, Steps: steps, Walkers: 200, Distance: 1, Drift: 0.5, Noise: 0.3,
		Rate: 0.5, Seed: seed})
}

// TestWalkersFollowTheChain checks the data generator, which uses no oracle. In every cell and along every edge, the
// number of walkers is within 5 standard deviations of its expectation under the chain. Let n be the number of walkers
// at a node, M the population and μ the node's marginal. The sum of (n − Mμ)²/(M μ (1 − μ)) over the nodes is about the
// number of nodes.
func TestWalkersFollowTheChain(t *testing.T) {
	for _, m := range []generated.Migration{
		{Side: 4, Steps: 20, Walkers: 2000, Distance: 1, Drift: 0.5, Noise: 0.1, Rate: 1, Seed: 3},
		{Side: 3, Steps: 4, Walkers: 100_000, Distance: 0.3, Drift: 1, Noise: 1, Rate: 1, Seed: 4},
		{Side: 2, Steps: 1, Walkers: 1000, Distance: 1, Rate: 1, Seed: 5},
	} {
		d := counted(t, m)
		p, err := problemOf(d)
		if err != nil {
			t.Fatal(err)
		}
		mu := make([]float64, len(p.Theta))
		p.Exp.LogSum(mu, p.Theta)
		var chi, nodes float64
		for r, q := range mu {
			off, variance := d.Moves[r]-d.Population*q, d.Population*q*(1-q)
			if math.Abs(off) > 5*math.Sqrt(variance)+1 {
				t.Errorf("%+v: walkers of part %d = %v, want about %v", m, r, d.Moves[r], d.Population*q)
			}
			if r < p.Steps*p.Cells && variance > 5 {
				chi += off * off / variance
				nodes++
			}
		}
		if nodes > 20 && math.Abs(chi/nodes-1) > 0.75 { // a wide tolerance: the counts of nodes are dependent
			t.Errorf("%+v: variance of the walkers / variance of the chain = %v, want about 1", m, chi/nodes)
		}
	}
}
