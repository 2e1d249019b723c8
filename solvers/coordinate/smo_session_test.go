package coordinate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSMOAfterItsEnd checks that a session that has ended by itself at one λ runs to the optimum at other λ.
func TestSMOAfterItsEnd(t *testing.T) {
	for _, c := range smoCases(t, 1) {
		for _, order := range []string{"random", "cyclic"} {
			session, err := (&SMO{Order: order, Steps: 1}).Start(c.p, solvers.Env{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, lambda := range []float64{1, 2, 0.8, 1} {
				q := c.p.At(lambda)
				if at := testbed.EndOfRun(t, session.Run(lambda), q); math.Abs(at.Primal-at.Dual) > 1e-9*at.Primal {
					t.Errorf("%s, %s, λ = %v: primal = %v and dual = %v at the end, want a gap of 0", c.name, order, lambda,
						at.Primal, at.Dual)
				}
			}
		}
	}
}

// TestSMOSettled checks that settled is the number of different examples that were visited since the last step or
// change of λ, which decides when a run ends. An example whose visit made a step is not counted.
func TestSMOSettled(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 4))
	for _, c := range smoCases(t, 1) {
		st := newSMOState(c.p)
		settled, repeated, changes := map[int]bool{}, 0, 0
		for visit := range 4000 {
			if visit%1000 == 999 {
				st.setLambda(1 + rng.Float64())
				clear(settled)
			}
			st.setLambda(st.lambda) // the same λ changes nothing
			i, before := rng.IntN(len(c.p.Examples)), slices.Clone(st.mu)
			if err := st.visit(i, 1); err != nil {
				t.Fatal(err)
			}
			if settled[i] {
				repeated++
			}
			if slices.Equal(before, st.mu) {
				settled[i] = true
			} else {
				clear(settled)
				changes++
			}
			if st.settled != len(settled) {
				t.Fatalf("%s, visit %d: settled = %d, want %d", c.name, visit, st.settled, len(settled))
			}
		}
		if repeated < 20 || changes < 20 {
			t.Errorf("%s: %d visits of examples that were counted, and %d visits with steps, want at least 20 of each", c.name,
				repeated, changes)
		}
	}
}

// TestSMOSteps checks that a visit of a run makes as many steps as the setting Steps allows, but ends when the gap
// is 0.
func TestSMOSteps(t *testing.T) {
	for _, c := range smoCases(t, 0.01) {
		for _, steps := range []int{1, 2, 5} {
			st, visits, n := newSMOState(c.p), 0, len(c.p.Examples)
			for it := range testbed.Iterates(t, (&SMO{Order: "cyclic", Steps: steps}).Train(c.p, solvers.Env{Seed: 1})) {
				if d := testbed.Distance(it.W, st.w); d > 0 {
					t.Fatalf("%s, steps %d: |w − w'| = %v after %d visits, want 0", c.name, steps, d, visits)
				}
				if it.Epoch == 5 {
					break
				}
				for range steps { // n is so small that the solver yields after each visit
					if err := st.visit(visits%n, 1); err != nil {
						t.Fatal(err)
					}
				}
				visits++
			}
		}
	}
}

// TestSMOInfeasibility checks that the statistic infeasibility is the largest violation of all examples, whichever
// example has it.
func TestSMOInfeasibility(t *testing.T) {
	for _, c := range smoCases(t, 1) {
		for i := range c.p.Examples {
			st := newSMOState(c.p)
			for k := range c.p.Examples {
				st.marginals(k)[0] += 0.01
			}
			st.marginals(i)[0] += 0.5
			want := c.p.Examples[i].Polytope.Infeasibility(st.marginals(i))
			if _, got := st.shape(); got != want || got < 0.3 {
				t.Errorf("%s: infeasibility = %v, want %v as in example %d", c.name, got, want, i)
			}
		}
	}
}

// TestSMODualWithMargin checks that the dual counts label losses with the factor Margin.
func TestSMODualWithMargin(t *testing.T) {
	for _, c := range smoCases(t, 0.1) {
		for _, margin := range []float64{0, 1, 2.5} {
			p := *c.p
			p.Loss = models.Loss{Margin: margin}
			st, before := newSMOState(&p), math.Inf(-1)
			for k := range 10 * len(p.Examples) {
				if err := st.visit(k%len(p.Examples), 2); err != nil {
					t.Fatal(err)
				}
				want := margin * lossOf(&p, st)
				for _, v := range st.w {
					want -= p.Lambda / 2 * v * v
				}
				if got := st.dual(); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) || got < before-1e-12 {
					t.Fatalf("%s, margin %v: dual = %v after %v, want %v and no decrease", c.name, margin, got, before, want)
				}
				before = st.dual()
			}
		}
	}
}

// lossOf returns the mean label loss of the marginals of a state.
func lossOf(p *models.Risk, st *smoState) (mean float64) {
	for i := range p.Examples {
		for r, cost := range p.Examples[i].Cost {
			mean += cost * st.marginals(i)[r] / float64(len(p.Examples))
		}
	}
	return mean
}
