// Package bethe has inference with energies: Bethe projections by dual averaging, accelerated and damped, and the
// interior points that they are compared with.
package bethe

import (
	"iter"
	"math"
	"slices"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// bethe is what the inference solvers share. For each example i they minimise
//
//	F_i(μ) = −H(μ) − θ_i·μ + L_i(μ)
//
// over the marginals of its model, taking turns among the examples. θ_i are the part scores, which depend on no
// weights, and L_i is the energy. The base model's marginals, a call of the exp-oracle for each example, are the
// set-up. An epoch is one more call for each example whose own run has not ended; the others stay where they are. The
// run ends when all have ended.
//
// Primal is the mean of F_i(μ_i). Where all energies are convex, Dual is the mean of the best lower bounds of min F_i
// so far: those that an algorithm has for free, and those of energy.Problem.Certify at the iterates that were watched,
// or whose Dual was called. For these, and for the residuals, the functions of an iterate call the exp-oracle once for
// each example, off the clock. Scores are the tilted scores θ_i − cḡ_i. All of these hold until the next epoch; after
// the last, for good.
//
// State: 7 floats for each part of each example, of Damped 9.
type bethe struct {
	runs     []betheRun
	env      solvers.Env
	epoch    int
	convex   bool           // all energies are
	averages bool           // the algorithm's statement is about averages, and H of them is known for all examples
	gap      float64        // certified, relative, at which an example is done; 0: there are no certificates on the clock
	feasible bool           // what to check of marginals is known for all examples
	other    energy.Problem // for certificates: its memory is shared by all examples
}

// betheRun is inference for one example.
type betheRun struct {
	by       energy.Stepwise
	problem  energy.Problem
	at       energy.Iterate
	polytope models.Polytope
	bound    float64 // the best so far
	residual float64 // |MARG(θ − ∇L(μ)) − μ|_∞
	known    bool    // whether the residual is that of the present iterate
}

// smallResidual is what residual_share counts as a fixed point, and subgradient_share as stationary.
const smallResidual = 1e-3

// betheAlgorithm returns the algorithm for an example, or the reason why there is none.
type betheAlgorithm func(e *models.Example) (energy.Stepwise, error)

// betheCheck asks for each example whether the algorithm accepts its energy.
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
			return solvers.Lacking("does not take the energy of example %d: %v", i, err)
		}
	}
	return nil
}

// runBethe implements Infer for the solvers of this package.
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

// newBethe takes the base model's marginals.
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

// next runs one epoch. It returns false if every run had already ended.
func (b *bethe) next() (more bool) {
	for i := range b.runs {
		r := &b.runs[i]
		if b.env.Stopped() {
			return true // the caller asks as well
		}
		if r.by.Done(&r.problem) || b.gap > 0 && r.solved(b.gap) {
			continue
		}
		more = true
		before := r.at.Step
		r.at = r.by.Step(&r.problem)
		r.known = r.known && r.at.Step == before // a trial that failed
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

// stats yields the residual and the distance from the subdifferential, each as its maximum and as the share of examples
// where it is small; the largest change of a marginal; the mean rate of the last steps; and, where they are known, the
// mean objective of averages and the largest violation of an equality or of a sign by the marginals.
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

// certifyAll finds the residuals and bounds of the present iterates.
func (b *bethe) certifyAll() {
	for i := range b.runs {
		b.certify(&b.runs[i])
	}
}

// certify finds the residual and the bound of an example, at the price of a call of the oracle.
func (b *bethe) certify(r *betheRun) {
	if r.known {
		return
	}
	b.other.Theta, b.other.Oracle, b.other.Energy = r.problem.Theta, r.problem.Oracle, r.problem.Energy
	residual, bound := b.other.Certify(r.at.Mu)
	r.residual, r.bound, r.known = residual, max(r.bound, bound), true
}

// solved reports whether the best bound certifies the iterate to a gap relative to 1 + |F|.
func (r *betheRun) solved(gap float64) bool {
	value := r.at.Value()
	return value-r.bound <= gap*(1+math.Abs(value))
}

func (b *bethe) mean(of func(r *betheRun) float64) float64 {
	var s float64
	for i := range b.runs {
		s += of(&b.runs[i])
	}
	return s / float64(len(b.runs))
}

// share returns the share of the examples where the distance counts as zero.
func (b *bethe) share(of func(r *betheRun) float64) float64 {
	return b.mean(func(r *betheRun) float64 {
		if of(r) <= smallResidual {
			return 1
		}
		return 0
	})
}

func (b *bethe) largest(of func(r *betheRun) float64) float64 {
	v := math.Inf(-1)
	for i := range b.runs {
		v = max(v, of(&b.runs[i]))
	}
	return v
}
