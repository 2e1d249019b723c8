package bethe_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/inference/cgm"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/collective"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// migrants returns a collective graphical model: a population that moves on a grid.
func migrants(t testing.TB, side, steps int, seed uint64, edges string) *models.Inference {
	t.Helper()
	m := generated.Migration{Side: side, Steps: steps, Walkers: 1000, Distance: 1, Drift: 0.5, Noise: 0.1, Rate: 1,
		Seed: seed}
	set, err := m.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := collective.Model{Edges: edges}.Build(set.Train, set.Validation)
	if err != nil {
		t.Fatal(err)
	}
	return task.Objective(models.Loss{}, 0).(*models.Inference)
}

func interiorPoints() map[string]*bethe.InteriorPoint {
	return map[string]*bethe.InteriorPoint{
		"blocks": {Structure: "blocks", MaxSteps: 100},
		"sparse": {Structure: "sparse", MaxSteps: 100},
	}
}

// optimum contains the last values of a run.
type optimum struct {
	primal, dual float64
	epoch        int
	scores       []float64
}

// finish runs a solver until it stops, and returns the last iterate.
func finish(t testing.TB, s solvers.Solver, p *models.Inference) (last optimum) {
	t.Helper()
	for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{})) {
		last = optimum{it.Primal(), it.Dual(), it.Epoch, slices.Clone(it.Scores(0))}
	}
	return last
}

// TestInteriorPointsAgreeWithBethe checks that InteriorPoint solves the same problem as Bethe projections (RDA and its
// variants). On a grid of 25 cells, with 625 moves between cells, both must have the same final objective. The scores
// of InteriorPoint are the tilted scores, so both must also have the same marginals of cells and moves.
func TestInteriorPointsAgreeWithBethe(t *testing.T) {
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		p := migrants(t, 5, 20, 1+seed, "untied")
		e := &p.Examples[0]
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, nil)
		bethe := energy.Solve(&energy.Problem{Theta: theta, Oracle: e.Exp, Energy: e.Energy},
			energy.Damped{Rho: 1, MaxCalls: 3000, Tol: 1e-9})
		mu := make([]float64, len(theta))
		for name, s := range interiorPoints() {
			last := finish(t, s, p)
			e.Exp.LogSum(mu, last.scores)
			if d := math.Abs(last.primal - bethe.Value()); d > 1e-6*(1+math.Abs(last.primal)) {
				t.Errorf("seed %d, %s: objective = %v, want %v as for Bethe projections", seed, name, last.primal, bethe.Value())
			}
			for r, m := range mu {
				if math.Abs(m-bethe.Mu[r]) > 1e-3 {
					t.Errorf("seed %d, %s: marginal %d = %v, want %v as for Bethe projections", seed, name, r, m, bethe.Mu[r])
				}
			}
		}
	}
}

// untouched is an exp-oracle that fails the test when it is called.
type untouched struct{ t testing.TB }

func (o untouched) LogSum(_, _ []float64) float64 { o.t.Error("an oracle was called"); return 0 }

// TestInteriorPointContract checks that a run calls no oracle, enters only the phase of the set-up, and never increases
// the objective. At the end, the gap is 0, and the objective at the marginals of the scores is the primal.
func TestInteriorPointContract(t *testing.T) {
	for _, edges := range []string{"tied", "untied"} {
		for name, s := range interiorPoints() {
			p := migrants(t, 3, 6, 1, edges)
			base := p.Examples[0]
			theta := make([]float64, base.Features.Parts())
			base.Features.Score(theta, nil)
			p.Examples[0].Exp = untouched{t}
			var phases []string
			var last optimum
			before := math.Inf(1)
			env := solvers.Env{Phase: func(name string) { phases = append(phases, name) }}
			for it := range testbed.Iterates(t, solvers.Run(s, p, env)) {
				last = optimum{it.Primal(), it.Dual(), it.Epoch, slices.Clone(it.Scores(0))}
				if last.primal > before+1e-11 {
					t.Errorf("%s, epoch %d: the objective increases from %v to %v", name, it.Epoch, before, last.primal)
				}
				before = last.primal
			}
			if gap := last.primal - last.dual; math.Abs(gap) > 1e-11*(1+math.Abs(last.primal)) || last.epoch < 3 {
				t.Errorf("%s, %s: the run ends after %d steps with gap = %v, want at least 3 steps and 0", name, edges, last.epoch,
					gap)
			}
			if !slices.Equal(phases, []string{"setup", ""}) {
				t.Errorf("%s: phases = %q, want only the set-up", name, phases)
			}
			if v := energyAt(&base, theta, last.scores); math.Abs(v-last.primal) > 1e-9*(1+math.Abs(v)) {
				t.Errorf("%s, %s: the objective at the marginals of the scores is %v, want %v", name, edges, v, last.primal)
			}
		}
	}
}

// energyAt returns the objective F at the marginals μ of the given scores: −log Z + (scores − θ)·μ + L(μ), where log Z
// is the log-partition at these scores and L is the energy.
func energyAt(e *models.Example, theta, scores []float64) float64 {
	mu := make([]float64, len(theta))
	value := -e.Exp.LogSum(mu, scores) + e.Energy.Value(mu)
	for r, m := range mu {
		value += (scores[r] - theta[r]) * m
	}
	return value
}

// TestInteriorPointTolerance checks that a run stops early with a large Tol, and that it returns an error if MaxSteps
// is too small.
func TestInteriorPointTolerance(t *testing.T) {
	p := migrants(t, 3, 6, 1, "tied")
	for name, s := range interiorPoints() {
		all := finish(t, s, p)
		coarse := *s
		coarse.Tol = 1e-6
		some := finish(t, &coarse, p)
		if gap := some.primal - some.dual; gap > 1e-6*(1+math.Abs(some.primal)) || some.epoch >= all.epoch {
			t.Errorf("%s: with tol = 1e-6, gap = %v after %d steps: want a gap within tol, after fewer than %d steps", name, gap,
				some.epoch, all.epoch)
		}
		coarse.MaxSteps = 1
		var failed error
		for _, err := range solvers.Run(&coarse, p, solvers.Env{Seed: 1}) {
			failed = err
		}
		if failed == nil || !strings.Contains(failed.Error(), "after 1 steps") {
			t.Errorf("%s: with one step, error = %v, want one that contains %q", name, failed, "after 1 steps")
		}
	}
}

// TestInteriorPointRefuses checks the errors for wrong settings and unsupported problems.
func TestInteriorPointRefuses(t *testing.T) {
	chain := testbed.TaskOf(t, chain.Model{Edges: "untied"}, testbed.ShortSequences(1, 2, 1))
	for want, change := range map[string]func(*bethe.InteriorPoint, *models.Inference){
		"tol is 1e-14": func(s *bethe.InteriorPoint, _ *models.Inference) { s.Tol = 1e-14 },
		"InteriorPoint solves one": func(_ *bethe.InteriorPoint, p *models.Inference) {
			p.Examples = append(p.Examples, p.Examples[0])
		},
		"use model collective": func(_ *bethe.InteriorPoint, p *models.Inference) { p.Examples = chain.Train },
	} {
		s, p := interiorPoints()["blocks"], migrants(t, 2, 2, 1, "auto")
		change(s, p)
		err := solvers.Missing(s, p)
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(want, " is ") == errors.Is(err, solvers.ErrUnsupported) {
			t.Errorf("Missing = %v, want an error that contains %q", err, want)
		}
	}
	wide := migrants(t, 2, 3, 1, "auto")
	wide.Examples[0].Features.(interface{ Collective() *cgm.Problem }).Collective().Theta[0] = -1000
	for _, err := range solvers.Run(interiorPoints()["sparse"], wide, solvers.Env{Seed: 1}) {
		if err == nil || !strings.Contains(err.Error(), "too widely") {
			t.Errorf("scores of very different size: error = %v, want one that contains %q", err, "too widely")
		}
	}
}
