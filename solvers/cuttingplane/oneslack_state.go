package cuttingplane

import (
	"fmt"
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/qp"
)

const (
	oneSlackStart   = 100   // first working precision (see oneSlackState.work), as in the authors' program
	oneSlackRebuild = 50    // w is recomputed from the constraints after this number of iterations
	oneSlackRound   = 1e-13 // largest violation that may be a rounding error, relative to the label loss
)

// oneSlackState is the state of OneSlack: a working set of constraints w·g_k ≥ d_k − ξ, each for a labelling of the
// whole data set. The QP stores d_k, the matrix H of the inner products g_k·g_l, and the multipliers α. The weights are
// w = Σ α_k g_k.
type oneSlackState struct {
	o     *OneSlack
	p     *models.Risk
	env   solvers.Env
	sep   *separation     // finds violated constraints
	dual  *qp.Simplex     // the dual of the QP, with a column for each constraint
	g     []models.Sparse // g_k in the constraints w·g_k ≥ d_k − ξ
	idle  []int           // for each constraint: number of the last consecutive QPs with multiplier 0
	w     []float64
	alpha []float64 // the multipliers from which w was computed
	image []float64 // kernel matrix times the g of the newest constraint, if the problem has a kernel

	found      bool    // whether the last iteration found a constraint, or the QP made progress
	iterations int     // number of iterations so far
	cached     int     // number of iterations with a constraint of cached labellings
	passes     int     // number of oracle passes
	watched    int     // iterations + passes + 1 when sep.watch was last called; 0 before its first call
	full       float64 // violation beyond the slack ξ at the last oracle pass; 0 before the first pass
	added      float64 // violation beyond ξ of the last added constraint
	// work is the working precision: the least violation beyond ξ at an oracle pass so far. workCached also takes into
	// account the cached constraints since the last pass. refine sets both numbers. Half of workCached is the default
	// tolerance of the QP.
	work, workCached float64
	most, steps      int // size of the largest working set so far; total number of steps of the QPs
}

func newOneSlackState(o *OneSlack, p *models.Risk, env solvers.Env) *oneSlackState {
	p = p.Parallel(env.Workers)
	s := &oneSlackState{o: o, p: p, env: env, sep: newSeparation(p, o.Cache),
		dual: qp.NewSimplex(1 / p.Lambda), w: make([]float64, p.Dim), work: oneSlackStart, workCached: oneSlackStart}
	s.dual.Stop = env.Stopped
	return s
}

// Run implements Session.
func (s *oneSlackState) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		resumed, err := s.env.Resumed(s.carry)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		if resumed {
			s.p = s.p.At(lambda)
		} else {
			s.setLambda(lambda)
			s.found = true
		}
		if !yield(s.iterate(), nil) {
			return
		}
		if before := s.iterations; before > 0 && !resumed { // there are constraints from a run at another λ
			s.env.Enter("qp")
			s.refine()
			s.env.Enter("")
			if s.env.Interrupted(yield) || s.iterations > before && !yield(s.saved(), nil) {
				return
			}
		}
		for s.found {
			s.env.Enter("cache")
			s.found = s.fromCache()
			if !s.found {
				s.env.Enter("oracle")
				s.found = s.fromOracle()
			}
			s.env.Enter("qp")
			if s.found {
				s.addConstraint()
				s.solve()
			} else {
				s.found = s.refine()
			}
			s.env.Enter("")
			if s.env.Interrupted(yield) || !yield(s.saved(), nil) {
				return
			}
		}
		if s.unsolved() { // the last iterate was yielded before
			yield(solvers.Iterate{}, fmt.Errorf(
				"solvers: one-slack: the QP ends at a gap of %.3g, above its tolerance: the squares of the features, "+
					"divided by lambda, are too large", s.dual.Gap()))
		}
	}
}

// carry saves or loads the state that later iterations depend on.
func (s *oneSlackState) carry(to *solvers.State) {
	s.sep.carry(to)
	s.dual.Carry(to)
	carrySparse(to, &s.g)
	to.Carry(&s.idle, &s.w, &s.alpha, &s.found, &s.iterations, &s.cached, &s.passes, &s.watched, &s.full, &s.added,
		&s.work, &s.workCached, &s.most, &s.steps)
}

// saved returns the present iterate with a State. The first iterate of a run has no State, because the QP has not yet
// been solved at the λ of this run.
func (s *oneSlackState) saved() solvers.Iterate {
	it := s.iterate()
	it.State = s.carry
	return it
}

// setLambda changes λ and keeps the working set. The multipliers α scale with C = 1/λ, so λw does not change.
func (s *oneSlackState) setLambda(lambda float64) {
	if lambda == s.p.Lambda && s.iterations == 0 {
		return
	}
	s.p, s.full, s.work, s.workCached = s.p.At(lambda), 0, oneSlackStart, oneSlackStart
	s.dual.SetC(1 / lambda)
	s.rebuild()
}

// fromCache builds the constraint of the most violated cached labellings, and reports whether its violation is large
// enough to add it (see OneSlack.CacheRule).
func (s *oneSlackState) fromCache() bool {
	if s.o.Cache == 0 || s.passes == 0 {
		return false
	}
	least, enough := 0.0, s.o.Epsilon
	if s.o.CacheRule == "svmstruct" {
		least, enough = s.full/2, max(s.o.Epsilon, s.full/10)
	}
	violation := s.sep.best(s.w, least)
	beyond := violation - s.slack()
	if beyond <= max(enough, s.rounding()) {
		return false
	}
	s.cached++
	s.added = beyond
	s.workCached = min(s.workCached, beyond)
	return true
}

// fromOracle computes the most violated constraint by calling the oracle for each example, and reports whether its
// violation exceeds the slack ξ by more than ε.
func (s *oneSlackState) fromOracle() bool {
	violation := s.sep.call(s.w, max(1e-4*s.o.Epsilon, s.rounding()))
	s.passes++
	s.full = violation - s.slack()
	if s.full <= max(s.o.Epsilon, s.rounding()) {
		return false
	}
	s.added = s.full
	s.work = min(s.work, s.full)
	s.workCached = s.work
	return true
}

// slack returns the slack ξ. A constraint counts as violated if its violation exceeds ξ. With step: line-search, the QP
// is not solved. Then ξ is the mean violation of the constraints, weighted by the multipliers α. So P − D is the
// violation of the most violated constraint minus ξ.
func (s *oneSlackState) slack() float64 {
	if s.o.Step == "line-search" {
		return s.dual.Slack() - s.dual.Gap()
	}
	return s.dual.Slack()
}

// refine handles this case: no constraint is violated enough to be added, but w is the solution of a QP with a large
// tolerance. Then
//
//	P(w) − D = violation beyond ξ + gap of the QP.
//
// If P(w) − D is larger than ε plus the final tolerance of the QP, refine solves the QP again. It reports whether the
// QP made progress.
func (s *oneSlackState) refine() bool {
	if !s.unsolved() {
		return false
	}
	precision, gap := max(s.o.Epsilon, s.rounding()), s.dual.Gap()
	s.work = max(precision, gap/5)
	s.workCached = s.work
	s.solve()
	return s.dual.Gap() < 0.9*gap
}

// unsolved reports whether P(w) − D is larger than ε plus the final tolerance of the QP (see refine).
func (s *oneSlackState) unsolved() bool {
	precision := max(s.o.Epsilon, s.rounding())
	return s.o.Step != "line-search" && s.full+s.dual.Gap() > precision+s.tolerance(precision)
}

// rounding returns the largest violation that may be a rounding error. The error may be in the scores, or in the slack
// ξ, which is a difference of numbers of the size of Hα, where H is the matrix of inner products.
func (s *oneSlackState) rounding() float64 {
	return max(oneSlackRound*(1+s.sep.largest), 8*s.dual.Resolution())
}

// addConstraint adds a constraint to the working set: the constraint of the labellings that sep has chosen.
func (s *oneSlackState) addConstraint() {
	dense, d := s.sep.constraint()
	if s.p.Norm != nil {
		s.image = models.Resize(s.image, len(dense))
		s.p.Norm(s.image, dense)
	} else {
		s.image = dense
	}
	inner := make([]float64, len(s.g)+1)
	s.p.InBlocks(len(s.g), (len(s.g)+3)/4, func(_, lo, hi int) { models.Dots(inner[lo:hi], s.g[lo:hi], s.image) })
	g := models.SparseOf(dense)
	inner[len(s.g)] = g.Dot(s.image)
	s.g, s.idle, s.alpha = append(s.g, g), append(s.idle, 0), append(s.alpha, 0)
	s.dual.Add(inner, d)
	s.most = max(s.most, len(s.g))
}

// solve improves the multipliers α up to the tolerance of the working precision workCached, updates w, and removes
// constraints whose multiplier was 0 in each of the last Drop QPs.
func (s *oneSlackState) solve() {
	if s.o.Step == "line-search" {
		s.dual.LineSearch(len(s.g) - 1)
		s.steps++
	} else {
		s.steps += s.dual.Solve(s.tolerance(s.workCached))
	}
	s.iterations++
	s.moveWeights()
	if s.o.Drop == 0 {
		return
	}
	drop := false
	for k, a := range s.alpha {
		if s.idle[k]++; a > 0 {
			s.idle[k] = 0
		}
		drop = drop || s.idle[k] >= s.o.Drop
	}
	if drop {
		s.drop()
	}
}

// tolerance returns the tolerance of the QP for the working precision work: the setting Tolerance, or half of work.
func (s *oneSlackState) tolerance(work float64) float64 {
	if s.o.Tolerance > 0 {
		return s.o.Tolerance
	}
	return work / 2
}

// drop removes the constraints whose multiplier was 0 in each of the last Drop QPs.
func (s *oneSlackState) drop() {
	s.dual.Keep(func(k int) bool { return s.idle[k] < s.o.Drop })
	at := 0
	for k := range s.g {
		if s.idle[k] < s.o.Drop {
			s.g[at], s.idle[at], s.alpha[at] = s.g[k], s.idle[k], s.alpha[k]
			at++
		}
	}
	clear(s.g[at:])
	s.g, s.idle, s.alpha = s.g[:at], s.idle[:at], s.alpha[:at]
}

// moveWeights updates w to the present multipliers of the QP, and stores these multipliers in alpha.
func (s *oneSlackState) moveWeights() {
	if s.iterations%oneSlackRebuild == 0 {
		s.rebuild()
		return
	}
	for k, a := range s.dual.Alpha() {
		if a != s.alpha[k] {
			s.g[k].AddTo(s.w, a-s.alpha[k])
			s.alpha[k] = a
		}
	}
}

// rebuild recomputes w from the multipliers of the QP, to remove the rounding errors of many updates.
func (s *oneSlackState) rebuild() {
	clear(s.w)
	copy(s.alpha, s.dual.Alpha())
	for k, a := range s.alpha {
		if a != 0 {
			s.g[k].AddTo(s.w, a)
		}
	}
}

// watch updates the largest |ψ_i(ȳ_i)|² so far (see separation.watch) with the labellings of the present constraint,
// once for each constraint.
func (s *oneSlackState) watch() {
	if now := s.iterations + s.passes + 1; s.watched < now {
		s.watched = now
		s.sep.watch()
	}
}

func (s *oneSlackState) iterate() solvers.Iterate {
	return solvers.Iterate{W: s.w, Epoch: s.iterations, Watch: s.watch,
		Dual: func() float64 { return s.p.Lambda * s.dual.Bound() },
		Stats: func(yield func(string, float64)) {
			support := 0
			for _, a := range s.alpha {
				if a > 0 {
					support++
				}
			}
			yield("support_vectors", float64(support))
			yield("working_set", float64(len(s.g)))
			yield("working_set_most", float64(s.most))
			yield("cached_iterations", float64(s.cached))
			yield("oracle_passes", float64(s.passes))
			yield("violation", s.full)
			yield("added_violation", s.added)
			yield("slack", s.dual.Slack())
			yield("qp_steps", float64(s.steps))
			yield("loss_seen", s.sep.largest)
			s.watch()
			if r := s.sep.widest; !math.IsNaN(r) {
				yield("radius_sq_seen", r)
			}
		}}
}
