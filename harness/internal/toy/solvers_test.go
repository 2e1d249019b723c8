package toy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	fixtures "github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/solvers"
)

// TestSolvers checks that the solvers begin at the start if they say so, and that they come near one optimum. A dual
// must be a lower bound. Another seed must give other iterates only if the order of the examples is random.
func TestSolvers(t *testing.T) {
	p := fixtures.Risk(t, Classifier{}, draw(rand.New(rand.NewPCG(1, 1)), 60), models.Loss{Temp: 1}, 0.1)
	start := fixtures.Weights(5, p.Dim)
	optimum := p.Primal(last(t, &Whole{}, p, 1, 500).W)
	for name, c := range map[string]struct {
		solver solvers.Trainer
		near   float64
		random bool
	}{
		"ascent":          {&Ascent{Rate: 1, Order: "random"}, 1e-9, true},
		"ascent, cyclic":  {&Ascent{Rate: 1, Order: "cyclic"}, 1e-9, false},
		"ascent, batch":   {&Ascent{Rate: 1, Order: "batch"}, 1e-9, false},
		"ascent, slow":    {&Ascent{Rate: 0.5, Order: "cyclic"}, 1e-9, false},
		"descent":         {&Descent{Step: 0.5}, 1e-3, true},
		"whole":           {&Whole{}, 1e-12, false},
		"no step is made": {&Still{}, math.Inf(1), false},
	} {
		begin := *p
		if c.solver.Needs().Start {
			begin.Start = start
		}
		first := last(t, c.solver, &begin, 1, 0)
		if want := begin.Start; want != nil && !slices.Equal(first.W, want) {
			t.Errorf("%s begins at %v, want the start %v", name, first.W, want)
		}
		at := last(t, c.solver, &begin, 1, 500)
		v := p.Primal(at.W)
		if !(v-optimum < c.near) || v < optimum-1e-9 {
			t.Errorf("%s: primal %v, want %v with an error of at most %g", name, v, optimum, c.near)
		}
		for _, it := range []solvers.Iterate{first, at} {
			if it.Dual == nil {
				continue
			}
			if d := it.Dual(); d > optimum+1e-9 {
				t.Errorf("%s, epoch %d: dual %v is above the optimum %v", name, it.Epoch, d, optimum)
			}
		}
		same := slices.Equal(last(t, c.solver, &begin, 1, 2).W, last(t, c.solver, &begin, 2, 2).W)
		if same == c.random {
			t.Errorf("%s: another seed gives the same iterate: %v, want %v", name, same, !c.random)
		}
	}
}

// last returns the first iterate of a solver at the given epoch, or its last if there is none. The weights are a copy.
func last(t *testing.T, s solvers.Trainer, p *models.Risk, seed uint64, epoch int) (at solvers.Iterate) {
	t.Helper()
	for it, err := range s.Train(p, solvers.Env{Seed: seed}) {
		if err != nil {
			t.Fatal(err)
		}
		at = it
		if at.W = slices.Clone(it.W); it.Dual != nil {
			d := it.Dual()
			at.Dual = func() float64 { return d }
		}
		if it.Epoch >= epoch {
			break
		}
	}
	return at
}
