// Package bethe implements inference with energies: Bethe projections by dual averaging (RDA), with acceleration
// (Accelerated) and with damping (Damped), and the interior-point methods with which these are compared
// (InteriorPoint).
package bethe

import (
	"iter"
	"math"
	"slices"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// bethe is the common state of the solvers RDA, Accelerated and Damped. For each example i, they minimise
//
//	F_i(μ) = −H(μ) − θ_i·μ + L_i(μ)
//
// over the marginals of the example's model. θ_i are the part scores, which depend on no weights, and L_i is the
// energy. The set-up computes the base model's marginals, with one call of the exp-oracle for each example. An epoch is
// one more call for each example whose iterations have not ended; the other examples do not change. The run ends when
// the iterations of all examples have ended.
//
// Primal is the mean of F_i(μ_i). If all energies are convex, Dual is the mean of the best lower bounds on min F_i so
// far. The bounds come from two sources: some algorithms compute bounds without extra cost, and energy.Problem.Certify
// computes bounds at iterates whose Watch or Dual was called. For these bounds, and for the residuals, the functions of
// an iterate call the exp-oracle once for each example, while the clock is stopped. Scores are the tilted scores
// (energy.Iterate.Tilted), whose marginals are μ_i. Primal, Dual and Scores are valid until the next epoch, and after
// the last epoch they stay valid.
//
// State: 7 floats for each part of each example; 9 floats for Damped.
type bethe struct {
	runs     []betheRun
	env      solvers.Env
	epoch    int
	convex   bool           // whether all energies are convex
	averages bool           // whether to report the objective of the average of the iterates (see newBethe)
	gap      float64        // relative certified gap at which an example ends; 0: this rule is off
	feasible bool           // whether the constraints on marginals are known for all examples
	other    energy.Problem // computes residuals and bounds (see certify) for all examples
}

// betheRun is the state of the inference for one example.
type betheRun struct {
	by       energy.Stepwise // the algorithm of the solver
	problem  energy.Problem
	at       energy.Iterate  // the present iterate
	polytope models.Polytope // the constraints on the marginals, or nil if they are not known
	bound    float64         // the best lower bound on the example's optimum so far
	residual float64         // distance of μ from a fixed point, |MARG(θ − ∇L(μ)) − μ|_∞ (see energy.Problem.Certify)
	known    bool            // whether residual belongs to the present iterate
}

// smallResidual is the limit for two statistics: residual_share counts the examples whose residual is at most
// smallResidual, and subgradient_share counts those whose distance from the subdifferential is at most smallResidual.
const smallResidual = 1e-3

// betheAlgorithm is a function that returns the algorithm for an example, or an error if the algorithm cannot solve the
// example.
type betheAlgorithm func(e *models.Example) (energy.Stepwise, error)

// betheCheck returns an error if the algorithm does not support the energy of an example.
func betheCheck(p *models.Inference, by betheAlgorithm) error {
	for i := range p.Examples {
		e := &p.Examples[i]
		if e.Energy == nil {
			return solvers.Lacking("needs an energy for each example; example %d has none", i)
		}
		a, err := by(e)
		if err == nil {
			err = a.Supports(&energy.Problem{Theta: []float64{0}, Oracle: e.Exp, Energy: e.Energy})
		}
		if err != nil {
			return solvers.Lacking("does not support the energy of example %d: %v", i, err)
		}
	}
	return nil
}

// runBethe implements Infer for RDA, Accelerated and Damped.
func runBethe(s solvers.Inferrer, p *models.Inference, env solvers.Env, by betheAlgorithm, averages bool,
	gap float64) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		env.Enter("setup")
		b := newBethe(p, by, averages)
		b.env, b.gap = env, gap
		env.Enter("")
		if gap > 0 {
			b.certifyAll()
		}
		for more := true; more && !env.Interrupted(yield); more = b.next() {
			if !yield(b.iterate(), nil) {
				return
			}
		}
	})
}

// newBethe returns the state at the base model's marginals. If averages is true, the algorithm's theorem is about
// averages of iterates, and the objective of these averages is reported. This requires that the entropy H of an average
// can be computed for all examples.
func newBethe(p *models.Inference, by betheAlgorithm, averages bool) *bethe {
	b := &bethe{runs: make([]betheRun, len(p.Examples)), convex: true, averages: averages, feasible: true}
	for i := range b.runs {
		r, e := &b.runs[i], &p.Examples[i]
		r.by, _ = by(e)
		r.problem.Theta = make([]float64, e.Features.Parts())
		e.Features.Score(r.problem.Theta, nil)
		r.problem.Oracle, r.problem.Energy, r.polytope = e.Exp, e.Energy, e.Polytope
		if h, ok := e.Polytope.(energy.Entropic); ok {
			r.problem.Entropy = h.Entropy
		} else {
			b.averages = false
		}
		b.convex = b.convex && e.Energy.Convex()
		b.feasible = b.feasible && e.Polytope != nil
		r.at = r.by.Begin(&r.problem)
		r.bound = r.at.Bound
	}
	return b
}

// next runs one epoch. It returns false if the iterations of every example had already ended.
func (b *bethe) next() (more bool) {
	for i := range b.runs {
		r := &b.runs[i]
		if b.env.Stopped() {
			return true // the caller ends the run, because it checks Stopped too
		}
		if r.by.Done(&r.problem) || b.gap > 0 && r.solved(b.gap) {
			continue
		}
		more = true
		before := r.at.Step
		r.at = r.by.Step(&r.problem)
		r.known = r.known && r.at.Step == before // after a failed trial, the residual is still known
		r.bound = max(r.bound, r.at.Bound)
		if b.gap > 0 {
			b.certify(r)
		}
	}
	if more {
		b.epoch++
	}
	return more
}

func (b *bethe) iterate() solvers.Iterate {
	it := solvers.Iterate{Epoch: b.epoch, Watch: b.certifyAll, Primal: b.primal, Stats: b.stats,
		Scores: func(i int) []float64 { return b.runs[i].at.Tilted }}
	if b.convex {
		it.Dual = b.dual
	}
	return it
}

func (b *bethe) primal() float64 {
	return b.mean(func(r *betheRun) float64 { return r.at.Value() })
}

func (b *bethe) dual() float64 {
	b.certifyAll()
	return b.mean(func(r *betheRun) float64 { return r.bound })
}

// stats yields the statistics of an epoch: the largest residual and the share of examples with a small residual; the
// largest distance from the subdifferential and the share of examples with a small distance; the largest change of a
// marginal and the mean rate in the last steps. If b.averages is true, stats also yields the mean objective of the
// averages. If b.feasible is true, it also yields the largest violation of an equality or of non-negativity by the
// marginals.
func (b *bethe) stats(yield func(name string, v float64)) {
	b.certifyAll()
	yield("residual", b.largest(func(r *betheRun) float64 { return r.residual }))
	yield("residual_share", b.share(func(r *betheRun) float64 { return r.residual }))
	distance := func(r *betheRun) float64 { return r.at.SubgradientDistance() }
	yield("subgradient_distance", b.largest(distance))
	yield("subgradient_share", b.share(distance))
	yield("change", b.largest(func(r *betheRun) float64 { return r.at.Change }))
	yield("rate", b.mean(func(r *betheRun) float64 { return r.at.Rate }))
	if b.averages {
		yield("average_primal", b.mean(func(r *betheRun) float64 { return r.problem.Objective(r.at.Average) }))
	}
	if b.feasible {
		yield("infeasibility", b.largest(func(r *betheRun) float64 {
			return max(r.polytope.Infeasibility(r.at.Mu), -slices.Min(r.at.Mu))
		}))
	}
}

// certifyAll computes the residuals and lower bounds of the present iterates of all examples.
func (b *bethe) certifyAll() {
	for i := range b.runs {
		b.certify(&b.runs[i])
	}
}

// certify computes the residual and the lower bound of an example's present iterate, with one call of the exp-oracle.
func (b *bethe) certify(r *betheRun) {
	if r.known {
		return
	}
	b.other.Theta, b.other.Oracle, b.other.Energy = r.problem.Theta, r.problem.Oracle, r.problem.Energy
	residual, bound := b.other.Certify(r.at.Mu)
	r.residual, r.bound, r.known = residual, max(r.bound, bound), true
}

// solved reports whether the objective F of the present iterate exceeds the best lower bound by at most gap·(1 + |F|).
func (r *betheRun) solved(gap float64) bool {
	value := r.at.Value()
	return value-r.bound <= gap*(1+math.Abs(value))
}

// mean returns the mean of a function over the examples.
func (b *bethe) mean(of func(r *betheRun) float64) float64 {
	var s float64
	for i := range b.runs {
		s += of(&b.runs[i])
	}
	return s / float64(len(b.runs))
}

// share returns the share of the examples for which a function, the argument `of`, is at most smallResidual.
func (b *bethe) share(of func(r *betheRun) float64) float64 {
	return b.mean(func(r *betheRun) float64 {
		if of(r) <= smallResidual {
			return 1
		}
		return 0
	})
}

// largest returns the largest value of a function over the examples.
func (b *bethe) largest(of func(r *betheRun) float64) float64 {
	v := math.Inf(-1)
	for i := range b.runs {
		v = max(v, of(&b.runs[i]))
	}
	return v
}
