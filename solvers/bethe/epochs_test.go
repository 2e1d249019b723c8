package bethe_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/inference/cgm"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// single is the inference for one example, one step at a time, with its own problem for bounds and residuals.
type single struct {
	by       energy.Stepwise
	problem  energy.Problem
	other    energy.Problem
	polytope models.Polytope
	at       energy.Iterate
	bound    float64
	gap      float64
	epochs   int
}

func newSingle(e *models.Example, by energy.Stepwise, gap float64) *single {
	theta := e.Features.(testbed.Scores)
	s := &single{by: by, polytope: e.Polytope, gap: gap}
	s.problem = energy.Problem{Theta: theta, Oracle: e.Exp, Energy: e.Energy}
	s.other = energy.Problem{Theta: theta, Oracle: e.Exp, Energy: e.Energy}
	if h, ok := e.Polytope.(energy.Entropic); ok {
		s.problem.Entropy = h.Entropy
	}
	s.at = by.Begin(&s.problem)
	s.bound = s.at.Bound
	return s
}

// certify returns the residual of the present iterate, and improves the bound.
func (s *single) certify() float64 {
	residual, bound := s.other.Certify(s.at.Mu)
	s.bound = max(s.bound, bound)
	return residual
}

// step makes a step, and reports whether the iterations had not ended yet.
func (s *single) step() bool {
	if s.gap > 0 {
		s.certify()
	}
	if v := s.at.Value(); s.by.Done(&s.problem) || s.gap > 0 && v-s.bound <= s.gap*(1+math.Abs(v)) {
		return false
	}
	s.at = s.by.Step(&s.problem)
	s.bound = max(s.bound, s.at.Bound)
	return true
}

// TestInferenceEpochs computes each epoch of RDA, Accelerated and Damped again, example by example: the objective, the
// bounds, all statistics, and where the run ends. The examples end in different epochs. The dual is computed only in
// some epochs, so it must remember bounds.
func TestInferenceEpochs(t *testing.T) {
	apart := 0 // runs in which examples end in different epochs
	for k, c := range []struct {
		solver solvers.Solver
		by     func(e *models.Example) energy.Stepwise
		gap    float64
	}{
		{&bethe.RDA{MaxCalls: 9}, func(*models.Example) energy.Stepwise { return energy.RDA{MaxCalls: 9} }, 0},
		{&bethe.RDA{Beta: 3, Tol: 1e-3, MaxCalls: 500},
			func(*models.Example) energy.Stepwise { return energy.RDA{Beta: 3, Tol: 1e-3, MaxCalls: 500} }, 0},
		{&bethe.Accelerated{Sigma: 0.7, Tol: 1e-3, MaxCalls: 500},
			func(*models.Example) energy.Stepwise { return energy.Accelerated{Sigma: 0.7, Tol: 1e-3, MaxCalls: 500} }, 0},
		{&bethe.Accelerated{MaxCalls: 11}, func(e *models.Example) energy.Stepwise {
			return energy.Accelerated{Sigma: 1 / float64(len(e.Truth)), MaxCalls: 11}
		}, 0},
		{&bethe.Damped{Rho: 1, Tol: 0.01, MaxCalls: 500},
			func(*models.Example) energy.Stepwise { return energy.Damped{Rho: 1, Tol: 0.01, MaxCalls: 500} }, 0},
		{&bethe.Damped{Rho: 0.3, MaxCalls: 8, Gap: 1e-9},
			func(*models.Example) energy.Stepwise { return energy.Damped{Rho: 0.3, MaxCalls: 8} }, 1e-9},
		{&bethe.Damped{Rho: 0.7, MaxCalls: 500, Gap: 1e-5},
			func(*models.Example) energy.Stepwise { return energy.Damped{Rho: 0.7, MaxCalls: 500} }, 1e-5},
	} {
		p := sequencesWith(t, "untied", totals)
		n := float64(len(p.Examples))
		var list []*single
		for i := range p.Examples {
			list = append(list, newSingle(&p.Examples[i], c.by(&p.Examples[i]), c.gap))
		}
		name := fmt.Sprintf("%d, %T", k, c.solver)
		ends, more := map[int]bool{}, true // the epochs in which examples end
		for it := range testbed.Iterates(t, solvers.Run(c.solver, p, solvers.Env{Seed: 1})) {
			if !more {
				t.Errorf("%s: the run goes on in epoch %d, after the end of all examples", name, it.Epoch)
				break
			}
			var primal float64
			for i, s := range list {
				primal += s.at.Value() / n
				if !slices.Equal(it.Scores(i), s.at.Tilted) {
					t.Errorf("%s, epoch %d: the scores of example %d differ", name, it.Epoch, i)
				}
			}
			if v := it.Primal(); math.Abs(v-primal) > 1e-12*(1+math.Abs(primal)) {
				t.Errorf("%s, epoch %d: primal = %v, want %v", name, it.Epoch, v, primal)
			}
			if it.Epoch%3 == 2 {
				want := map[string]float64{"residual": 0, "residual_share": 0, "subgradient_distance": 0, "subgradient_share": 0,
					"change": 0, "rate": 0, "infeasibility": 0, "average_primal": 0}
				var dual float64
				for _, s := range list {
					residual, distance := s.certify(), s.at.SubgradientDistance()
					dual += s.bound / n
					want["residual"] = max(want["residual"], residual)
					want["subgradient_distance"] = max(want["subgradient_distance"], distance)
					want["change"] = max(want["change"], s.at.Change)
					want["infeasibility"] = max(want["infeasibility"], s.polytope.Infeasibility(s.at.Mu), -slices.Min(s.at.Mu))
					want["rate"] += s.at.Rate / n
					want["average_primal"] += s.problem.Objective(s.at.Average) / n
					if residual <= 1e-3 {
						want["residual_share"] += 1 / n
					}
					if distance <= 1e-3 {
						want["subgradient_share"] += 1 / n
					}
				}
				if _, ok := c.solver.(*bethe.Damped); ok {
					delete(want, "average_primal")
				}
				if v := it.Dual(); math.Abs(v-dual) > 1e-12*(1+math.Abs(dual)) {
					t.Errorf("%s, epoch %d: dual = %v, want %v", name, it.Epoch, v, dual)
				}
				got := map[string]float64{}
				it.Stats(func(name string, v float64) { got[name] = v })
				for stat, v := range want {
					if x, ok := got[stat]; !ok || math.Abs(x-v) > 1e-11*(1+math.Abs(v)) || len(got) != len(want) {
						t.Errorf("%s, epoch %d: %s = %v among %d statistics, want %v among %d", name, it.Epoch, stat, x, len(got), v,
							len(want))
					}
				}
			}
			more = false
			for _, s := range list {
				if s.step() {
					more, s.epochs = true, it.Epoch+1
				}
			}
			if !more && it.Epoch < 4 {
				t.Errorf("%s: the run ends in epoch %d: want a harder problem", name, it.Epoch)
			}
		}
		if more {
			t.Errorf("%s: the run ends before its examples", name)
		}
		for _, s := range list {
			ends[s.epochs] = true
		}
		if len(ends) > 1 {
			apart++
		}
	}
	if apart < 3 {
		t.Errorf("the examples end in different epochs in %d runs, want at least 3", apart)
	}
}

// TestInferenceLacks checks problems in which a single example, the first, one in the middle or the last, lacks what
// the others have: an energy, an energy that is supported, convexity, the entropy of averages, or known constraints.
func TestInferenceLacks(t *testing.T) {
	words := func(_ *rand.Rand, e *models.Example) (models.Energy, error) {
		v, err := energy.NewVocabulary(3, [][]int{make([]int, length(e))})
		return energy.Words{Vocabulary: v, Length: length(e), Strength: energy.Constant(1)}, err
	}
	other, counts := sequencesWith(t, "untied", words), sequencesWith(t, "untied", observed)
	for _, i := range []int{0, 2, 4} {
		with := func(change func(e *models.Example)) *models.Inference {
			p := sequencesWith(t, "untied", totals)
			change(&p.Examples[i])
			return p
		}
		missing := func(e *models.Example) { e.Energy = nil }
		for what, c := range map[string]struct {
			solver solvers.Solver
			p      *models.Inference
		}{
			"needs an energy for each": {&bethe.RDA{MaxCalls: 5}, with(missing)},
			"needs an energy":          {&bethe.Damped{Rho: 1, MaxCalls: 5, Gap: 1}, with(missing)},
			"does not support": {&bethe.Accelerated{Sigma: 1, MaxCalls: 5},
				with(func(e *models.Example) { e.Energy = counts.Examples[i].Energy })},
			"sigma: 0 needs a chain": {&bethe.Accelerated{MaxCalls: 5}, with(func(e *models.Example) { e.Polytope = nil })},
			"cannot stop at gap 0.5": {&bethe.Damped{Rho: 1, MaxCalls: 5, Gap: 0.5},
				with(func(e *models.Example) { e.Energy = other.Examples[i].Energy })},
		} {
			err := solvers.Missing(c.solver, c.p)
			if !errors.Is(err, solvers.ErrUnsupported) || !strings.Contains(err.Error(), what) ||
				!strings.Contains(err.Error(), fmt.Sprintf("example %d", i)) {
				t.Errorf("Missing = %v, want %q and example %d", err, what, i)
			}
		}
		for _, c := range []struct {
			name                     string
			p                        *models.Inference
			dual, averages, feasible bool
		}{
			{"all", with(func(*models.Example) {}), true, true, true},
			{"not convex", with(func(e *models.Example) { e.Energy = other.Examples[i].Energy }), false, true, true},
			{"no constraints", with(func(e *models.Example) { e.Polytope = nil }), true, false, false},
			{"no entropy", with(func(e *models.Example) { e.Polytope = struct{ models.Polytope }{e.Polytope} }), true, false,
				true},
		} {
			for _, s := range []solvers.Solver{&bethe.RDA{MaxCalls: 3}, &bethe.Damped{Rho: 1, MaxCalls: 3}} {
				_, isRDA := s.(*bethe.RDA)
				if isRDA && !c.dual {
					continue // RDA does not support energies that are not convex
				}
				epochs := 0
				for it := range testbed.Iterates(t, solvers.Run(s, c.p, solvers.Env{})) {
					averages, feasible := false, false
					it.Stats(func(name string, _ float64) {
						averages, feasible = averages || name == "average_primal", feasible || name == "infeasibility"
					})
					if (it.Dual != nil) != c.dual || averages != (c.averages && isRDA) || feasible != c.feasible {
						t.Errorf("%s, example %d, %T: dual %v, average_primal %v, infeasibility %v, want %v, %v and %v", c.name, i, s,
							it.Dual != nil, averages, feasible, c.dual, c.averages && isRDA, c.feasible)
					}
					epochs = it.Epoch
				}
				if epochs != 2 {
					t.Errorf("%s, %T: %d epochs, want 2 with 3 calls", c.name, s, epochs)
				}
			}
		}
	}
}

// TestInferenceStops checks that a run that is stopped within an epoch ends with the reason, and makes no further
// steps.
func TestInferenceStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	p := testbed.OnCall(sequencesWith(t, "untied", totals), func() {
		if calls++; calls == 12 { // 5 in the set-up, 5 in the first epoch, 2 in the second
			cancel()
		}
	})
	var last error
	epochs := 0
	for it, err := range solvers.Run(&bethe.RDA{MaxCalls: 100}, p, solvers.Env{Context: ctx}) {
		if last = err; err == nil {
			epochs = it.Epoch
		}
	}
	if !errors.Is(last, context.Canceled) || calls != 12 || epochs != 1 {
		t.Errorf("the run ends with %v after %d calls and %d epochs, want context.Canceled, 12 and 1", last, calls, epochs)
	}
}

// TestInferenceCertifies checks that Damped certifies its end only with a gap.
func TestInferenceCertifies(t *testing.T) {
	if (&bethe.Damped{Rho: 1}).Certifies() || !(&bethe.Damped{Rho: 1, Gap: 1e-3}).Certifies() {
		t.Error("Certifies must be true exactly if Gap is positive")
	}
}

// TestInteriorPointIsItsMethod compares each iterate with the method of package cgm that the setting Structure names:
// the objective with all bits, the bound, the statistics, and the scores, which are θ at the start and then the tilted
// scores.
func TestInteriorPointIsItsMethod(t *testing.T) {
	differ := false
	for _, edges := range []string{"tied", "untied"} {
		p := migrants(t, 3, 6, 1, edges)
		e := &p.Examples[0]
		problem := e.Features.(interface{ Collective() *cgm.Problem }).Collective()
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, nil)
		values := map[string][]float64{}
		for _, tol := range []float64{0, 1e-4} {
			for name, method := range map[string]cgm.Solver{"blocks": cgm.BlockInterior{Tol: tol, MaxSteps: 50},
				"sparse": cgm.SparseInterior{Tol: tol, MaxSteps: 50}} {
				next, stop := iter.Pull2(method.Run(problem))
				s := &bethe.InteriorPoint{Structure: name, Tol: tol, MaxSteps: 50}
				for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{})) {
					at, err, ok := next()
					if err != nil {
						t.Fatal(err)
					}
					if !ok {
						t.Fatalf("%s, tol %v: the run goes on in epoch %d", name, tol, it.Epoch)
					}
					values[name] = append(values[name], at.Primal)
					want := map[string]float64{"newton_steps": float64(at.Step)}
					if at.Step > 0 {
						want["newton_decrement"], want["step_size"] = at.Decrement, at.Size
					}
					got := map[string]float64{}
					it.Stats(func(name string, v float64) { got[name] = v })
					if fmt.Sprint(got) != fmt.Sprint(want) || it.Epoch != at.Step || it.Primal() != at.Primal ||
						it.Dual() != at.Dual() {
						t.Errorf("%s, tol %v, step %d: epoch %d, statistics %v, primal %v and dual %v, want %v, %v and %v", name, tol,
							at.Step, it.Epoch, got, it.Primal(), it.Dual(), want, at.Primal, at.Dual())
					}
					scores := slices.Clone(theta)
					if at.Step > 0 {
						e.Energy.AddGradient(scores, at.Mu, -1)
					}
					if !slices.Equal(it.Scores(0), scores) {
						t.Errorf("%s, step %d: the scores are not the tilted scores", name, at.Step)
					}
				}
				if _, _, ok := next(); ok {
					t.Errorf("%s, tol %v: the run ends too early", name, tol)
				}
				stop()
			}
		}
		differ = differ || !slices.Equal(values["blocks"], values["sparse"])
	}
	if !differ {
		t.Error("both structures give the same bits: want a problem on which rounding errors tell them apart")
	}
}

// TestInteriorPointLimits checks which values of Tol are accepted, and that a collective model needs its energy.
func TestInteriorPointLimits(t *testing.T) {
	p := migrants(t, 2, 2, 1, "auto")
	for tol, ok := range map[float64]bool{0: true, 1e-13: true, 0.99e-13: false, 1: true} {
		if err := solvers.Missing(&bethe.InteriorPoint{Structure: "blocks", Tol: tol, MaxSteps: 5}, p); (err == nil) != ok {
			t.Errorf("tol %v: %v, want an error: %v", tol, err, !ok)
		}
	}
	p.Examples[0].Energy = nil
	if err := solvers.Missing(bethe.NewInteriorPoint(), p); !errors.Is(err, solvers.ErrUnsupported) {
		t.Errorf("without an energy: %v, want ErrUnsupported", err)
	}
}
