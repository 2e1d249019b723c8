// Package interior has a cutting-plane method with interior points for generative models with large margins. It shares
// neither the dual nor the points of package simplicial, so that each certifies the other.
package interior

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	ownShare = 0.1  // of the gap between the bounds, to which a master problem is solved
	rounding = 1e-8 // share of the primal at which the bounds have met: slacks of planes are differences of it
	patience = 20   // rounds in which the gap does not fall by a hundredth
)

// Barrier minimises the objective P(θ) = Σ f_i(θ_i) + Σ_b G_b(θ) of a generative model over Σ_j exp(θ_ij) ≤ 1, where
// G_b = η Σ_{k in b} h(v_k(θ)) is the penalty of a block of examples, by cutting planes: with g = ∇G_b at the points
// so far
//
//	min Σ_i f_i(θ_i) + Σ_b ξ_b   subject to   ξ_b ≥ g·θ + o for each plane of a block,   ξ ≥ 0,   log Σ_j exp(θ_ij) ≤ 0,
//
// is a lower model. Each round adds a plane for each block at an analytic centre of it (Goffin, Haurie and Vial 1992):
// the minimiser of
//
//	F_τ = τ (Σ f_i + Σ ξ_b) − Σ log(ξ_b − g·θ − o) − Σ log ξ_b − Σ_i log(−log Σ_j exp(θ_ij)),
//
// τ such that the centre's own gap, (number of constraints)/τ, is a tenth of that between the bounds. Newton's method
// finds it (master). W is the best centre so far, which is feasible, and Dual a bound from the multipliers of the
// planes (bound). It is slower than decomposition of the dual, and exists to check it: the two share only the oracle.
//
// An epoch is a round: one loss-augmented inference for each example. A Newton step costs m Dim²/2 for m planes, and
// Dim³/6. State: Dim+1 floats for each plane, of which a round adds Blocks, and 2 Dim².
type Barrier struct {
	// of the examples; each has its own planes
	Blocks int `yaml:"blocks" jsonschema:"minimum=1,maximum=1000"`
}

var _ solvers.Fitter = (*Barrier)(nil)

// NewBarrier returns a Barrier with its default settings.
func NewBarrier() *Barrier { return &Barrier{Blocks: 10} }

// Needs implements Solver: a hinge, and the oracles of its cutting planes.
func (*Barrier) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge | solvers.Perceptron | solvers.Slack, Oracles: solvers.Violation}
}

// Fit implements Fitter. The run ends by itself where the bounds meet up to rounding, or rounding stops Newton's
// method.
func (s *Barrier) Fit(p *models.Generative, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		r := newRun(p, min(s.Blocks, len(p.Examples)))
		if !yield(solvers.Iterate{W: r.best}, nil) {
			return
		}
		r.look(r.best)
		gap, idle := math.Inf(1), 0
		for epoch := 1; r.upper-r.lower > rounding*math.Abs(r.upper) && idle < patience; epoch++ {
			if env.Interrupted(yield) {
				return
			}
			env.Enter("master")
			centred := r.centre()
			env.Enter("")
			if !centred {
				return
			}
			r.look(r.m.theta)
			idle++
			if now := r.upper - r.lower; !(now > 0.99*gap) {
				gap, idle = now, 0
			}
			it := solvers.Iterate{W: r.best, Epoch: epoch, Primal: func() float64 { return r.upper },
				Dual: func() float64 { return r.lower }}
			if !yield(it, nil) {
				return
			}
		}
	})
}

// run is the state of one.
type run struct {
	p            *models.Generative
	m            *master
	pass         *pass
	best         []float64 // W
	upper, lower float64   // P(W), and a bound
}

func newRun(p *models.Generative, blocks int) *run {
	r := &run{p: p, best: make([]float64, p.Dim()), pass: newPass(p, blocks), upper: math.Inf(1),
		lower: math.Inf(-1)}
	p.Uniform(r.best)
	r.m = newMaster(p.Distributions, r.best, blocks)
	return r
}

// look adds the planes at a feasible θ.
func (r *run) look(theta []float64) {
	value := r.p.Term(theta)
	r.pass.at(theta)
	for b := range r.pass.blocks {
		x := &r.pass.blocks[b]
		value += x.value
		r.m.add(b, x.slope, x.value-dualspace.Dot(x.slope, theta))
	}
	if value < r.upper {
		r.upper = value
		copy(r.best, theta)
	}
}

// centre moves to the centre of the model so far. It reports whether there was one to be found.
func (r *run) centre() bool {
	gap := r.upper - r.lower
	if math.IsInf(gap, 1) {
		gap = max(1, math.Abs(r.upper))
	}
	r.m.tau = max(r.m.tau, float64(r.m.constraints())/(ownShare*gap))
	if !r.m.solve() {
		return false
	}
	r.lower = max(r.lower, r.m.bound())
	return true
}
