package gradient

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// SAGA is the incremental gradient method of Defazio, Bach and Lacoste-Julien (2014, SAGA, algorithm 1) for smooth
// losses. It keeps the gradient of each example's loss as of its last visit, by the marginals μ_i that the loss induced
// then, and their mean ḡ = 1/n Σ_i A_iᵀ(μ_i − 1_{y_i}). A visit takes new marginals μ' and the step
//
//	w ← w − η (A_iᵀ(μ' − μ_i) + ḡ + λ w),   ḡ ← ḡ + A_iᵀ(μ' − μ_i)/n,   μ_i ← μ',
//
// whose direction is ∇P(w) on average, with a variance that vanishes at the optimum: a constant step converges at a
// linear rate, for η = 1/(3L) at least by 1 − min(1/(4n), λ/(3L)) a visit, where each term is L-smooth. A bound of L
// from the features alone is far too large for structures, so it is estimated as in SAG (Schmidt, Le Roux and Bach
// 2017, section 4.6): L = λ + M, and at every eighth visit M doubles as long as
//
//	φ_i(w − g/M) > φ_i(w) − |g|²/(2M),   g = A_iᵀ(μ' − 1_{y_i}),
//
// which is so for no M that is large enough. SAG lets M shrink between two looks; here it never falls, as what one
// example bears another need not.
//
// The paper has no dual. Here the μ_i are marginals of distributions α_i, whose entropies come with them, so that the
// table is a dual point, with w(α) = −ḡ/λ, and its dual a lower bound of min P for no more than a sum:
//
//	D(α) = 1/n Σ_i [τ H(α_i) + κ cost_i·μ_i] − |ḡ|²/(2λ).
//
// It starts from w = 0 and all mass on the true labellings, where ḡ = 0 and D = 0: no call.
//
// ḡ is not sparse, so w is kept as a·u + b·ḡ: shrinking and ḡ change a and b only, and a visit costs two Scores, one
// marginal call and two AddAdjoint; every eighth a sparse adjoint, a Score and calls for the value of the loss more.
// State: Σ Parts + 3 Dim + n floats.
type SAGA struct {
	// step size, in units of 1/L for the present estimate of L; 1/3 is the paper's
	Step float64 `yaml:"step" jsonschema:"exclusiveMinimum=0"`
	// random: with replacement, as in the paper; permutation: a fresh one per epoch; cyclic: the data's order
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
}

var _ solvers.Trainer = (*SAGA)(nil)

// NewSAGA returns a SAGA with its default settings.
func NewSAGA() *SAGA { return &SAGA{Step: 1. / 3, Order: "random"} }

// Needs implements Solver: a smooth loss, marginals, and sparse features.
func (*SAGA) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Marginals, Features: solvers.Sparse,
		Memory: solvers.Memory{Weights: 3, Parts: 1}}
}

// Train implements Trainer.
func (s *SAGA) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		st := sagaState{newTableState(p, s.Step)}
		n := len(p.Examples)
		order, due := dualspace.NewOrder(s.Order, n, env.Seed, dualspace.StreamSAGA), dualspace.NewCadence(n)
		if !yield(st.iterate(0), nil) {
			return
		}
		for !env.Interrupted(yield) {
			st.visit(order.Next(), order.Done%probeEvery == 1)
			if due.Refreshes(order.Done) {
				st.refresh()
			}
			if due.Yields(order.Done) && !yield(st.iterate(order.Epochs()), nil) {
				return
			}
		}
	})
}

// sagaState takes the steps of SAGA, which keep the table up to date.
type sagaState struct{ *tableState }

// visit takes a step on example i, and looks at M before if so asked.
func (st sagaState) visit(i int, look bool) {
	e, mu := &st.p.Examples[i], st.Of(st.mu, i)
	next, diff := st.next[:len(mu)], st.diff[:len(mu)]
	st.value[i] = st.marginals(i, look)
	for r, m := range next {
		diff[r] = m - mu[r]
	}
	copy(mu, next)

	eta, n := st.shrink(), float64(len(st.p.Examples))
	// w ← w − η d as ḡ ← ḡ + d/n, for d = A_iᵀ(μ' − μ_i)
	e.Features.AddAdjoint(st.u, -(eta+st.b/n)/st.a, diff)
	e.Features.AddAdjoint(st.g, 1/n, diff)
}
