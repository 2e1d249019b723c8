package cuttingplane

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/qp"
)

const (
	bmrmShare    = 0.25  // tolerance of the QP, as a share of BMRM's gap
	bmrmRound    = 1e-14 // rounding error of the objective P, as a share of P
	bmrmPatience = 10    // a run near rounding errors ends after this number of iterations without a smaller gap
)

// bmrmState is the state of BMRM, whose comment defines the symbols. Let R(w) ≥ a_k·w + b_k be the planes. With the
// columns g_k = −a_k and d_k = b_k, and with C = 1/λ, the dual of
//
//	min_w λ/2 |w|² + max(0, max_k a_k·w + b_k)
//
// is λ times the function that qp.Simplex maximises, and w = −Σ α_k a_k. qp.Simplex adds the plane 0 itself.
type bmrmState struct {
	b      *BMRM
	p      *models.Risk
	env    solvers.Env
	dual   *qp.Simplex // the dual of the QP, with a column for each plane
	planes []plane
	w      []float64
	share  float64 // tolerance of the QP, as a share of BMRM's gap

	slope []float64 // slope a of the newest plane
	image []float64 // kernel matrix times slope, if the problem has a kernel (Risk.Norm)
	inner []float64 // inner products of the newest plane with all planes
	epoch int       // number of passes over the examples
	steps int       // total number of steps of the QPs

	known bool    // whether there was a pass at this λ; the following fields are valid only then
	best  float64 // least value of the objective P so far
	cut   float64 // the risk R at the last w, minus the maximum of the previous planes at this w
	least float64 // smallest gap so far
	idle  int     // number of iterations since the gap last decreased clearly
	over  bool    // whether the run has ended
}

func newBMRMState(b *BMRM, p *models.Risk, env solvers.Env) *bmrmState {
	s := &bmrmState{b: b, p: p, env: env, dual: qp.NewSimplex(1 / p.Lambda), w: make([]float64, p.Dim), share: bmrmShare,
		slope: make([]float64, p.Dim)}
	s.dual.Stop = env.Stopped
	s.forget()
	return s
}

// forget resets the values that depend on λ. Call it when λ changes, because no value of P at the new λ is known.
func (s *bmrmState) forget() {
	s.known, s.best, s.least, s.idle = false, math.Inf(1), math.Inf(1), 0
}

// Run implements Session.
func (s *bmrmState) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		resumed, err := s.env.Resumed(s.carry)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		if resumed {
			s.p = s.p.At(lambda)
		} else {
			s.over = false
			s.setLambda(lambda)
		}
		if !yield(s.iterate(), nil) {
			return
		}
		for !s.over {
			s.env.Enter("qp")
			moved := s.solve()
			if moved {
				s.env.Enter("oracle")
				s.pass()
			}
			s.env.Enter("")
			if s.env.Interrupted(yield) {
				return
			}
			switch gap := s.gap(); {
			case math.IsNaN(gap) || math.IsInf(gap, 0):
				yield(solvers.Iterate{}, fmt.Errorf(
					"solvers: bmrm: the primal value is %v in epoch %d: the features, or their squares divided by lambda, are "+
						"NaN or too large", s.best, s.epoch))
				return
			case moved:
				s.over = s.ended()
				if !yield(s.iterate(), nil) {
					return
				}
			case s.nearRounding():
				return // nothing to yield: the iterate of the last pass was yielded before
			default:
				yield(solvers.Iterate{}, fmt.Errorf(
					"solvers: bmrm: the QP ends at a gap of %.3g, above its tolerance: the squares of the features, divided "+
						"by lambda, are too large", s.dual.Gap()))
				return
			}
		}
	}
}

// carry saves or loads the state that later iterations depend on.
func (s *bmrmState) carry(to *solvers.State) {
	s.dual.Carry(to)
	slopes := make([]models.Sparse, len(s.planes))
	dense := make([][]float64, len(s.planes))
	b, idle := make([]float64, len(s.planes)), make([]int, len(s.planes))
	for k, p := range s.planes {
		slopes[k], dense[k], b[k], idle[k] = p.a, p.dense, p.b, p.idle
	}
	carrySparse(to, &slopes)
	to.Carry(&dense, &b, &idle)
	if to.Loading() {
		s.planes = make([]plane, len(b))
		for k := range b {
			s.planes[k] = plane{slopes[k], dense[k], b[k], idle[k]}
		}
	}
	to.Carry(&s.w, &s.epoch, &s.steps, &s.known, &s.best, &s.cut, &s.least, &s.idle, &s.over)
}

// setLambda changes λ and keeps the planes. The multipliers α scale with 1/λ, so λw does not change.
func (s *bmrmState) setLambda(lambda float64) {
	if lambda == s.p.Lambda {
		return
	}
	s.forget()
	s.p = s.p.At(lambda)
	s.dual.SetC(1 / lambda)
	s.moveWeights()
}

// gap returns the gap of the stop rule of BMRM: the least P so far minus the lower bound that value returns. The gap is
// infinite before the first pass.
func (s *bmrmState) gap() float64 { return s.best - s.value() }

// value returns the value of the QP's dual at the present α, which is a lower bound on the minimum of P.
func (s *bmrmState) value() float64 { return s.p.Lambda * s.dual.Value() }

// rounding returns the largest gap that may be only rounding errors.
func (s *bmrmState) rounding() float64 {
	return max(bmrmRound*s.best, 8*s.dual.Resolution())
}

// nearRounding reports whether the gap of BMRM is so small that rounding errors may prevent a further decrease.
func (s *bmrmState) nearRounding() bool { return s.gap() < 1e3*s.rounding() }

// ended reports whether the run has ended: the gap of BMRM is at most ε, or it is close to rounding errors and has not
// decreased in the last iterations.
func (s *bmrmState) ended() bool {
	gap := s.gap()
	if gap < 0.9*s.least {
		s.least, s.idle = gap, 0
	} else {
		s.idle++
	}
	return gap <= max(s.b.Epsilon, s.rounding()) || s.idle >= bmrmPatience && s.nearRounding()
}

// solve solves the QP over the planes, as precisely as the gap requires, and moves w to the minimum. It reports whether
// a pass at w would give a new plane, because w has moved or there was no pass at this λ. Before solve, the gap of the
// QP is P(w) − D, because the newest plane touches R at w. So the gap of the QP is at least the gap of BMRM, and the QP
// solver has a step to make.
func (s *bmrmState) solve() bool {
	tol := s.share * s.gap()
	if !s.known {
		tol = s.share * s.dual.Gap()
	}
	steps := s.dual.Solve(max(tol, s.dual.Resolution()))
	s.steps += steps
	s.moveWeights()
	s.drop()
	return steps > 0 || !s.known
}

// moveWeights sets w = −Σ α_k a_k, where α_k is the multiplier of plane k in the QP, and a_k is its slope.
func (s *bmrmState) moveWeights() {
	clear(s.w)
	for k, alpha := range s.dual.Alpha() {
		if alpha != 0 {
			s.planes[k].addTo(s.w, -alpha)
		}
	}
}

// drop removes the planes whose multiplier was 0 in each of the last Drop QPs.
func (s *bmrmState) drop() {
	if s.b.Drop == 0 {
		return
	}
	for k, alpha := range s.dual.Alpha() {
		if s.planes[k].idle++; alpha > 0 {
			s.planes[k].idle = 0
		}
	}
	s.dual.Keep(func(k int) bool { return s.planes[k].idle < s.b.Drop })
	s.planes = slices.DeleteFunc(s.planes, func(p plane) bool { return p.idle >= s.b.Drop })
}

// pass computes the risk R at w and the plane that touches R there, with one oracle call for each example.
func (s *bmrmState) pass() {
	clear(s.slope)
	m := s.p.AddExpectations(s.slope, s.w, s.p.Loss)
	s.epoch++
	s.known = true
	s.cut = m.Loss - s.dual.Slack()
	s.best = min(s.best, s.p.Lambda/2*s.p.NormSq(s.w)+m.Loss)
	b := s.p.Loss.Temp*m.Entropy + m.Cost
	s.planes = append(s.planes, newPlane(s.slope, b))
	s.dual.Add(s.products(), b)
}

// products returns the inner products of the newest slope with the slopes of all planes.
func (s *bmrmState) products() []float64 {
	image := s.slope
	if s.p.Norm != nil {
		s.image = models.Resize(s.image, len(s.slope))
		s.p.Norm(s.image, s.slope)
		image = s.image
	}
	s.inner = models.Resize(s.inner, len(s.planes))
	s.p.InBlocks(len(s.planes), len(s.planes), func(k, _, _ int) {
		s.inner[k] = s.planes[k].dot(image)
	})
	return s.inner
}

func (s *bmrmState) iterate() solvers.Iterate {
	return solvers.Iterate{W: s.w, Epoch: s.epoch, Dual: s.value, Stats: s.stats, State: s.carry}
}

func (s *bmrmState) stats(yield func(string, float64)) {
	support := 0
	for _, alpha := range s.dual.Alpha() {
		if alpha > 0 {
			support++
		}
	}
	yield("model_value", s.value())
	yield("working_set", float64(len(s.planes)))
	yield("support_vectors", float64(support))
	yield("qp_steps", float64(s.steps))
	if s.known {
		yield("primal_best", s.best)
		yield("bmrm_gap", s.gap())
		yield("violation", s.cut)
	}
}
