package simplicial

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

const (
	rsdShift     = 1e-12 // largest shift from θ̄ to θˢ at which P(θ̄) is used as P(θˢ), without a new pass
	rsdRound     = 1e-13 // rounding error of the objective P, as a share of P
	rsdPrecision = 0.2   // tolerance of a master problem, as a share of the last first-order ascent G
	rsdStill     = 1e-9  // a change of the centre counts as progress if a component changes by more than this
	rsdPatience  = 30    // the run ends after this many rounds, or visits of all subsets, without progress
	rsdSmoothing = 0.1   // number added to each count with start: ml
)

// rsdState is the state of a run of RSD, whose comment defines the symbols.
type rsdState struct {
	r         *RSD
	p         *models.Generative
	g         *models.Distributions
	env       solvers.Env
	dual      *rsdProximal // the dual function Q_n and the centre θⁿ of the proximal term
	master    *rsdMaster
	direction *rsdDirection
	bound     *rsdBound
	centre    rsdCentre
	sets      rsdSets

	shifted []float64 // θˢ: the minimisers θ̄ of the last master problem, made feasible by a shift
	best    []float64 // the feasible θˢ of least objective P so far; online variant: the last θˢ
	primal  float64   // the objective P at the point best; valid only if whole is true
	whole   bool      // whether P at the point best is known

	rounds   int     // number of rounds so far
	ascent   float64 // G, the first-order ascent of Q_n towards the last direction
	lastDual float64 // the optimum of the last master problem, a value of the dual function Q_n
	lastPn   float64 // P(θˢ) + γ/2 |θˢ − θⁿ|² at the last call of test; in the online variant, an estimate
	centred  int     // oracle calls of the phase "centre"
	moved    float64 // largest change of a component of the centre θⁿ in the last round
	idle     int     // rounds without progress
	reached  rsdReached
}

// rsdReached contains the least primal value and the best lower bound so far, and the optimum of the last master
// problem. ended uses them to detect that a run makes no progress.
type rsdReached struct{ primal, bound, dual float64 }

func newRSDState(r *RSD, p *models.Generative, env solvers.Env) *rsdState {
	g, n, dim := p.Distributions, len(p.Examples), p.Dim()
	width := dim
	if g.Quadratic {
		width += n
	}
	blocks := min(rsdBlocks, n)
	if r.Points == rsdBlock {
		blocks = r.Blocks
	}
	s := &rsdState{r: r, p: p, g: g, env: env, direction: newRSDDirection(p, blocks, width),
		bound: newRSDBound(g, dim, width),
		sets:  newRSDSets(r, n, width, env.Seed), shifted: make([]float64, dim), best: make([]float64, dim), whole: true}
	s.begin(s.best)
	copy(s.shifted, s.best)
	s.dual = newRSDProximal(g, r.Gamma, s.best, width)
	s.master = newRSDMaster(s.dual, width)
	s.master.stop = env.Stopped
	s.primal = g.Term(s.best) + s.direction.penalty(s.best, 0, n)
	s.direction.calls = 0
	s.ascent = math.Inf(1)
	s.lastDual, s.lastPn = s.dual.at(s.master.z, 0, s.master.lambda), s.primal
	size := math.Abs(s.primal)
	s.centre = rsdCentre{lc: r.Lc, delta: r.Delta * size, tolerance: r.Delta * size, decay: r.Decay,
		least: rsdRound * size, value: s.primal}
	s.reached = rsdReached{math.Inf(1), math.Inf(-1), math.Inf(-1)}
	return s
}

// begin writes θ⁰, the first centre and iterate, into theta.
func (s *rsdState) begin(theta []float64) {
	switch {
	case s.p.Start != nil:
		copy(theta, s.p.Start)
	case s.r.Begin == rsdML:
		counts := make([]float64, s.p.Dim())
		var mu []float64
		for k := range s.p.Examples {
			e := &s.p.Examples[k]
			mu = models.Resize(mu, e.Features.Parts())
			clear(mu)
			for _, part := range e.Truth {
				mu[part]++
			}
			e.Features.AddAdjoint(counts, 1, mu)
		}
		s.g.Normalise(theta, counts, rsdSmoothing)
	case s.r.Begin == rsdPrior:
		s.g.Normalise(theta, s.g.Prior, 1e-9) // a probability of 0 has no logarithm
	default:
		s.g.Uniform(theta)
	}
	s.g.Shift(theta, theta)
}

// round makes one iteration of RSD and returns true. If the run has ended, it makes no iteration and returns false.
func (s *rsdState) round() bool {
	if s.ended() {
		return false
	}
	s.rounds++
	s.moved = 0
	lo, hi := s.sets.next()
	s.env.Enter("master")
	s.sets.fix(s.master)
	precision := s.master.round()
	if !math.IsInf(s.ascent, 0) {
		precision = max(precision, rsdPrecision*s.ascent)
	}
	s.master.solve(s.sets.free(), precision)
	s.lastDual = s.master.value
	s.env.Enter("bound")
	s.bound.improve(s.master.z, s.master.omega)
	s.env.Enter("direction")
	penalty := s.find(lo, hi)
	s.sets.done(s.ascent, s.centre.tolerance)
	s.visit(lo, hi, penalty)
	s.addPoints()
	s.env.Enter("")
	return true
}

// find makes a direction-finding pass (see rsdDirection) over the examples lo to hi − 1, at the minimisers θ̄ of the
// last master problem. It returns the penalty, and stores the first-order ascent G in ascent.
func (s *rsdState) find(lo, hi int) (penalty float64) {
	penalty = s.direction.find(s.dual.x, lo, hi)
	s.ascent = max(0, penalty-s.along(s.sets.own()))
	return penalty
}

// along returns θ̄·μ + ω − |σ|²/(2η) at the dual point (z, ω), where z consists of μ and σ. This is the function that
// the direction maximises; θ̄ are the minimisers of the last master problem.
func (s *rsdState) along(z []float64, omega float64) float64 {
	n := s.p.Dim()
	value := omega + floats.Dot(s.dual.x, z[:n])
	for _, sigma := range z[n:] {
		value -= sigma * sigma / (2 * s.g.Eta)
	}
	return value
}

// visit tests whether the centre is to move. With working_sets: none, visit uses all examples. With online, it uses the
// subset of this round, the examples lo to hi − 1. With coordinate or combined, it uses all examples, but tests the
// centre only after all subsets have been visited.
func (s *rsdState) visit(lo, hi int, penalty float64) {
	n := len(s.p.Examples)
	switch s.r.WorkingSets {
	case rsdNone:
		s.test(lo, hi, penalty, true, 1)
	case rsdOnline:
		share := float64(n) / float64(hi-lo)
		if s.sets.fresh() { // estimate the objective at the centre, P(θⁿ), from this subset
			s.env.Enter("centre")
			s.centre.value = s.g.Term(s.dual.centre) + share*s.again(s.dual.centre, lo, hi)
		}
		s.whole = false
		s.test(lo, hi, penalty, true, share)
		copy(s.best, s.shifted)
	default:
		s.g.Shift(s.shifted, s.dual.x)
		if s.sets.swept() {
			s.env.Enter("centre")
			s.sweep()
		}
	}
}

// test moves the centre if a rule of rsdCentre allows it. Call test after a direction-finding pass over the examples lo
// to hi − 1. If the centre moves and repeat is true, test repeats the pass. The argument penalty is the penalty of
// these examples, and penalty times share is an estimate of the penalty of all examples.
func (s *rsdState) test(lo, hi int, penalty float64, repeat bool, share float64) {
	if s.g.Shift(s.shifted, s.dual.x) > rsdShift {
		s.env.Enter("centre")
		penalty = s.again(s.shifted, lo, hi)
	}
	value := s.g.Term(s.shifted) + share*penalty
	s.lastPn = value + s.proximity()
	if s.whole && value < s.primal {
		s.primal = value
		copy(s.best, s.shifted)
	}
	if !s.centre.moves(value, s.ascent, rsdAscent(s.lambdaGradient(), s.master.lambda)) {
		return
	}
	s.env.Enter("centre")
	s.moved = floats.Distance(s.dual.centre, s.shifted, math.Inf(1))
	copy(s.dual.centre, s.shifted)
	s.master.refresh()
	if repeat {
		before := s.direction.calls
		s.find(lo, hi)
		s.recount(before)
	}
}

// sweep tests on all examples whether the centre is to move, after all subsets have been visited.
func (s *rsdState) sweep() {
	n := len(s.p.Examples)
	penalty := s.again(s.dual.x, 0, n)
	s.ascent = max(0, penalty-s.along(s.master.z, s.master.omega))
	s.test(0, n, penalty, false, 1)
}

// again returns the penalty at theta over examples that this round has visited before. Its oracle calls count as calls
// of the phase "centre".
func (s *rsdState) again(theta []float64, lo, hi int) float64 {
	before := s.direction.calls
	penalty := s.direction.penalty(theta, lo, hi)
	s.recount(before)
	return penalty
}

// recount counts the oracle calls after the first `before` calls for the phase "centre" instead of the phase
// "direction".
func (s *rsdState) recount(before int) {
	s.centred += s.direction.calls - before
	s.direction.calls = before
}

// proximity returns the proximal term γ/2 |θˢ − θⁿ|² at the feasible point θˢ, for the centre θⁿ.
func (s *rsdState) proximity() float64 {
	var sum float64
	for j, x := range s.shifted {
		d := x - s.dual.centre[j]
		sum += d * d
	}
	return s.r.Gamma / 2 * sum
}

// lambdaGradient returns the gradient of the dual function Q_n in the multipliers λ, Σ_j exp θ̄_ij − 1 for each i.
func (s *rsdState) lambdaGradient() []float64 {
	g := s.master.gradient
	for i, mass := range s.dual.mass {
		g[i] = mass - 1
	}
	return g
}

// addPoints adds the points of the last pass to the simplex of the working set. It adds only points that are directions
// of ascent, beyond rounding errors, and that are not in the simplex yet. If the master problem was not solved
// precisely enough, the pass may find a point that is in the simplex already.
func (s *rsdState) addPoints() {
	x := s.sets.present()
	own := s.along(s.sets.own())
	least := s.master.round()
	var points []*rsdPoint
	take := func(write func(z []float64) float64) {
		p := &rsdPoint{z: x.vector()}
		p.omega = write(p.z)
		if s.along(p.z, p.omega)-own > least && !x.has(p) {
			points = append(points, p)
		} else {
			x.spare = append(x.spare, p.z)
		}
	}
	take(s.direction.total)
	if s.r.Points == rsdBlock {
		for b := range s.direction.blocks {
			take(func(z []float64) float64 { return s.direction.block(b, z) })
		}
	}
	x.add(points...)
}

// ended reports whether the run has ended: the primal value equals the lower bound up to rounding, or there was no
// progress in the last rounds (see rsdPatience).
func (s *rsdState) ended() bool {
	if s.rounds == 0 {
		return false
	}
	round := rsdRound * math.Abs(s.lastDual)
	r := &s.reached
	s.idle++
	if s.primal < r.primal-round || s.bound.value > r.bound+round || s.lastDual > r.dual+round || s.moved > rsdStill {
		s.idle = 0
	}
	*r = rsdReached{min(r.primal, s.primal), max(r.bound, s.bound.value), s.lastDual}
	return s.whole && s.primal-s.bound.value <= round || s.idle > rsdPatience*s.sets.count()*s.sets.inner
}
