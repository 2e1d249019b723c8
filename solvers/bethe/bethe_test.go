package bethe_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// sequencesWith returns chains of 2 to 6 positions with 3 labels and random scores. The function upon returns the
// energy of each chain.
func sequencesWith(t testing.TB, edges string,
	upon func(rng *rand.Rand, e *models.Example) (models.Energy, error)) *models.Inference {
	t.Helper()
	return testbed.Chains(t, rand.New(rand.NewPCG(3, 1)), edges, []int{2, 3, 4, 5, 6}, upon)
}

// length returns the number of positions of a chain.
func length(e *models.Example) int { return (len(e.Truth) + 1) / 2 }

// totals returns an energy of smoothed hinges, which penalises each label whose expected count in a chain exceeds 1.
func totals(rng *rand.Rand, e *models.Example) (models.Energy, error) {
	hinges := energy.Linear{Smoothed: true}
	for label := range int32(3) {
		hinges.Rows = append(hinges.Rows, models.Sparse{Index: []int32{label}, Value: []float64{-1}})
		hinges.Weights, hinges.Offsets = append(hinges.Weights, 1+rng.Float64()), append(hinges.Offsets, -2)
	}
	return energy.NewTotals(3, length(e), hinges)
}

// observed returns the Poisson energy of observed counts. The gradient of this energy is unbounded.
func observed(rng *rand.Rand, e *models.Example) (models.Energy, error) {
	theta := testbed.Gaussian(rng, e.Features.Parts())
	e.Exp.LogSum(theta, theta)
	counts := theta[:3*length(e)]
	for i, m := range counts {
		counts[i] = math.Round(100 * m)
	}
	return energy.NewPoisson(counts, 200, 0.5)
}

// reached contains the values of a run at one iterate.
type reached struct {
	epoch        int
	primal, dual float64
	stats        map[string]float64
	scores       [][]float64
}

// follow runs a solver for at most the given number of epochs. It calls the function each, if it is not nil, at every
// iterate, and returns the values of the last iterate.
func follow(t testing.TB, s solvers.Solver, p *models.Inference, epochs int, each func(reached)) reached {
	t.Helper()
	var last reached
	for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
		last = reached{epoch: it.Epoch, primal: it.Primal(), dual: math.NaN(), stats: map[string]float64{}}
		if it.Dual != nil {
			last.dual = it.Dual()
		}
		it.Stats(func(name string, v float64) { last.stats[name] = v })
		last.scores = nil
		for i := range p.Examples {
			last.scores = append(last.scores, slices.Clone(it.Scores(i)))
		}
		if each != nil {
			each(last)
		}
		if it.Epoch >= epochs {
			break
		}
	}
	return last
}

// TestInferenceAgrees checks that RDA, Accelerated and Damped find the same optimum of a convex problem, and that their
// duals certify this optimum.
func TestInferenceAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test solves problems to the end")
	}
	for _, edges := range []string{"untied", "tied"} {
		p := sequencesWith(t, edges, totals)
		var values []float64
		for _, s := range []solvers.Solver{
			&bethe.Damped{Rho: 1, MaxCalls: 1000, Tol: 1e-12}, &bethe.RDA{MaxCalls: 3000},
			&bethe.Accelerated{Sigma: 1, MaxCalls: 3000},
		} {
			end := follow(t, s, p, 3000, nil)
			values = append(values, end.primal)
			if gap := end.primal - end.dual; !(gap < 1e-7 && gap > -1e-9) || end.stats["residual"] > 1e-3 ||
				end.stats["residual_share"] != 1 {
				t.Errorf("%s, %T: gap = %v, residual = %v and residual_share = %v after %d epochs: want about 0, 0 and 1", edges, s,
					gap, end.stats["residual"], end.stats["residual_share"], end.epoch)
			}
			_, averages := end.stats["average_primal"]
			_, damped := s.(*bethe.Damped)
			if worst, known := end.stats["infeasibility"]; known != (edges == "untied") || worst > 1e-9 ||
				averages != (known && !damped) {
				t.Errorf("%s, %T: infeasibility = %v (reported: %v, want %v), average_primal reported: %v, want %v", edges, s,
					worst, known, edges == "untied", averages, known && !damped)
			}
		}
		if slices.Max(values)-slices.Min(values) > 1e-7 {
			t.Errorf("%s: the final primal values of damped, rda and accelerated are %v, want equal values", edges, values)
		}
	}
}

// TestInferenceRates checks the suboptimality of the averaged iterates after t epochs: it is O(ln(t)/t) for Bethe-RDA
// and O(1/t²) for the accelerated variant.
func TestInferenceRates(t *testing.T) {
	p := sequencesWith(t, "untied", totals)
	optimum := follow(t, &bethe.Damped{Rho: 1, MaxCalls: 1000, Tol: 1e-13}, p, 1000, nil).primal
	for _, c := range []struct {
		solver solvers.Solver
		order  func(t float64) float64
	}{
		{&bethe.RDA{MaxCalls: 2000}, func(t float64) float64 { return math.Log(t+1) / t }},
		{&bethe.Accelerated{MaxCalls: 2000}, func(t float64) float64 { return 1 / (t * (t + 1)) }},
	} {
		at10, worst := math.NaN(), 0.0
		follow(t, c.solver, p, 1000, func(r reached) {
			excess := r.stats["average_primal"] - optimum
			if excess < -1e-10 {
				t.Errorf("%T: average_primal is below the optimum by %v", c.solver, -excess)
			}
			switch scaled := (excess - 1e-10) / c.order(float64(r.epoch)); {
			case r.epoch == 10:
				at10 = scaled
			case r.epoch > 10:
				worst = max(worst, scaled)
			}
		})
		if !(worst <= 2*at10) {
			t.Errorf("%T: suboptimality divided by its rate = %v at epoch 10 and up to %v later: want at most twice as much",
				c.solver, at10, worst)
		}
	}
}

// TestInferenceByTurns checks that the scores of an example have the same bits in two cases: if the solver alternates
// between all examples, and if the problem contains only this example.
func TestInferenceByTurns(t *testing.T) {
	for name, upon := range map[string]func(*rand.Rand, *models.Example) (models.Energy, error){"totals": totals,
		"counts": observed} {
		p := sequencesWith(t, "untied", upon)
		for _, c := range []struct {
			solver solvers.Solver
			by     energy.Inference
		}{
			{&bethe.RDA{Beta: 1, MaxCalls: 50, Tol: 1e-3}, energy.RDA{Beta: 1, MaxCalls: 50, Tol: 1e-3}},
			{&bethe.Accelerated{Sigma: 0.5, MaxCalls: 50, Tol: 1e-3},
				energy.Accelerated{Sigma: 0.5, MaxCalls: 50, Tol: 1e-3}},
			{&bethe.Damped{Rho: 1, MaxCalls: 50, Tol: 1e-6}, energy.Damped{Rho: 1, MaxCalls: 50, Tol: 1e-6}},
		} {
			if err := solvers.Missing(c.solver, p); err != nil {
				if name != "counts" || !errors.Is(err, solvers.ErrUnsupported) {
					t.Error(err)
				}
				continue
			}
			end := follow(t, c.solver, p, 1000, nil)
			value, calls := 0.0, 0
			for i := range p.Examples {
				e := &p.Examples[i]
				one := energy.Solve(&energy.Problem{Theta: e.Features.(testbed.Scores), Oracle: e.Exp, Energy: e.Energy}, c.by)
				value += one.Value() / float64(len(p.Examples))
				calls = max(calls, one.Calls)
				if !slices.Equal(one.Tilted, end.scores[i]) {
					t.Errorf("%s, %T: the final scores of example %d differ from those of a run on this example alone", name, c.solver,
						i)
				}
			}
			if math.Abs(value-end.primal) > 1e-12*(1+math.Abs(value)) || end.epoch != calls-1 {
				t.Errorf("%s, %T: F = %v after %d epochs, want %v after %d", name, c.solver, end.primal, end.epoch, value, calls-1)
			}
		}
	}
}

// TestInferenceDescends checks that the damped variant never increases the objective, and that its dual reaches the
// objective, even if the gradient of the energy is unbounded.
func TestInferenceDescends(t *testing.T) {
	p := sequencesWith(t, "untied", observed)
	before, rate := math.Inf(1), 1.0
	end := follow(t, &bethe.Damped{Rho: 1, MaxCalls: 500, Tol: 1e-12}, p, 500, func(r reached) {
		if r.primal > before+1e-9 {
			t.Errorf("epoch %d: F increases from %v to %v", r.epoch, before, r.primal)
		}
		before, rate = r.primal, min(rate, r.stats["rate"])
	})
	if gap := end.primal - end.dual; !(math.Abs(gap) < 1e-8) {
		t.Errorf("gap = %v after %d epochs, want 0", gap, end.epoch)
	}
	if rate == 1 {
		t.Error("all steps have rate 1: want a problem on which the solver shortens steps")
	}
}

// TestInferenceGap checks the setting Gap: the iterations for each example stop as soon as the duality gap of this
// example is small enough, and not earlier.
func TestInferenceGap(t *testing.T) {
	p := sequencesWith(t, "untied", totals)
	const gap = 1e-5
	end := follow(t, &bethe.Damped{Rho: 1, MaxCalls: 500, Gap: gap}, p, 500, nil)
	if end.epoch == 500 || end.primal-end.dual > gap*(1+math.Abs(end.primal)) {
		t.Errorf("gap = %v after %d epochs, want a relative gap of at most %v before epoch 500", end.primal-end.dual,
			end.epoch, gap)
	}
	alone := 0
	for i := range p.Examples {
		one := &models.Inference{Examples: p.Examples[i : i+1]}
		s := follow(t, &bethe.Damped{Rho: 1, MaxCalls: 500}, one, 500, func(r reached) {
			if r.primal-r.dual > gap*(1+math.Abs(r.primal)) {
				alone = max(alone, r.epoch+1)
			}
		})
		if math.IsNaN(s.dual) {
			t.Fatalf("example %d: the run has no dual", i)
		}
	}
	if alone != end.epoch {
		t.Errorf("the run ends after %d epochs, want %d as for the slowest example alone", end.epoch, alone)
	}
}

// TestInferenceNeeds checks that solvers.Missing returns an error for energies that a solver or its settings do not
// support.
func TestInferenceNeeds(t *testing.T) {
	tied, counts := sequencesWith(t, "tied", totals), sequencesWith(t, "untied", observed)
	words := sequencesWith(t, "untied", func(_ *rand.Rand, e *models.Example) (models.Energy, error) {
		v, err := energy.NewVocabulary(3, [][]int{make([]int, length(e))})
		return energy.Words{Vocabulary: v, Length: length(e), Strength: energy.Constant(1)}, err
	})
	for _, c := range []struct {
		solver  solvers.Solver
		problem *models.Inference
	}{
		{&bethe.Damped{MaxCalls: 1, Rho: 1, Gap: 1e-6}, words},
		{&bethe.Accelerated{MaxCalls: 1}, tied},
		{&bethe.Accelerated{MaxCalls: 1, Sigma: 1}, counts},
	} {
		if err := solvers.Missing(c.solver, c.problem); !errors.Is(err, solvers.ErrUnsupported) {
			t.Errorf("%+v: Missing = %v, want ErrUnsupported", c.solver, err)
		}
	}
}
