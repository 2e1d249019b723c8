// Package interior implements two methods with interior points: SVM, a primal-dual method for support vector machines
// with few features, and Barrier, a cutting-plane method that trains generative models with large margins. Barrier uses
// neither the dual problem nor the points of package simplicial. So tests can compare the results of the two packages.
package interior

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	ownShare = 0.1  // duality gap of each centre (see Barrier), as a share of the gap between the bounds so far
	rounding = 1e-8 // relative gap at which the run ends; rounding errors in slacks of planes prevent a smaller gap
	patience = 20   // the run ends after this number of rounds in which the gap does not decrease by 1 %
)

// Barrier minimises the objective of models.Generative over all θ with Σ_j exp(θ_ij) ≤ 1 for each vector θ_i. With the
// examples divided into blocks b, the objective is P(θ) = Σ_i f_i(θ_i) + Σ_b G_b(θ). G_b = η Σ_{k in b} h(v_k(θ)) is
// the penalty of a block, and v_k(θ) ≥ 0 is the largest violation of a constraint of example k. Fields of
// models.Distributions give η and h.
//
// Barrier uses cutting planes. Each point θ̂ so far gives one plane for each block. The plane is the tangent g·θ + o of
// G_b at θ̂, with g = ∇G_b(θ̂) and o = G_b(θ̂) − g·θ̂. Since G_b is convex, the optimum of
//
//	min Σ_i f_i(θ_i) + Σ_b ξ_b   subject to   ξ_b ≥ g·θ + o for each plane of a block,   ξ ≥ 0,   log Σ_j exp(θ_ij) ≤ 0,
//
// is at most the optimum of P. Each round adds a plane for each block, at the analytic centre of this minimisation
// problem (Goffin, Haurie and Vial 1992). The centre is the minimiser of
//
//	F_τ = τ (Σ f_i + Σ ξ_b) − Σ log(ξ_b − g·θ − o) − Σ log ξ_b − Σ_i log(−log Σ_j exp(θ_ij)),
//
// where τ is such that the gap of the centre, (number of constraints)/τ, is a tenth of the gap between the bounds. The
// type master computes the centre by Newton's method. W of an iterate is the point of least P so far; all points are
// feasible. Dual is a lower bound from the multipliers of the planes (see master.bound). Barrier is slower than the
// decomposition of the dual in package simplicial. Its purpose is to check the results of that package: the two methods
// share only the oracle.
//
// An epoch is a round: one loss-augmented inference for each example. With m planes, a Newton step costs m Dim²/2 +
// Dim³/6. State: Dim+1 floats for each plane, and 2 Dim² floats. A round adds Blocks planes.
type Barrier struct {
	// number of blocks of examples; each block has separate planes
	Blocks int `yaml:"blocks" jsonschema:"minimum=1,maximum=1000"`
}

var _ solvers.Fitter = (*Barrier)(nil)

// NewBarrier returns a Barrier with its default settings.
func NewBarrier() *Barrier { return &Barrier{Blocks: 10} }

// Needs implements Solver. Barrier needs a hinge loss and the oracle that finds violated margins.
func (*Barrier) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge | solvers.Perceptron | solvers.Slack, Oracles: solvers.Violation}
}

// Fit implements Fitter. The run ends by itself if the upper and the lower bound are equal up to rounding, or if
// rounding errors prevent further progress.
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

// run is the state of one run.
type run struct {
	p            *models.Generative
	m            *master   // the planes, and the last centre
	pass         *pass     // evaluates the penalties G_b of the blocks and their gradients
	best         []float64 // the best point so far, which is the W of the next iterate
	upper, lower float64   // the objective at best, and a lower bound on the optimum
}

func newRun(p *models.Generative, blocks int) *run {
	r := &run{p: p, best: make([]float64, p.Dim()), pass: newPass(p, blocks), upper: math.Inf(1),
		lower: math.Inf(-1)}
	p.Uniform(r.best)
	r.m = newMaster(p.Distributions, r.best, blocks)
	return r
}

// look adds, for each block, the plane that touches the penalty of the block at a feasible θ. If the objective P(θ) is
// the least so far, θ becomes the best point.
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

// centre computes the analytic centre of the problem with all planes so far (see Barrier), and updates the lower bound.
// It reports whether Newton's method found the centre.
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
