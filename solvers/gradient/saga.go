package gradient

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// SAGA is the incremental gradient method of Defazio, Bach and Lacoste-Julien (2014, SAGA, algorithm 1) for smooth
// losses. Let φ_i be the loss of example i. For each example, SAGA stores the gradient of the loss at the last visit,
// in the form of the marginals μ_i. It also stores the mean gradient ḡ = 1/n Σ_i A_iᵀ(μ_i − 1_{y_i}). A visit computes
// new marginals μ' and makes the step
//
//	w ← w − η (A_iᵀ(μ' − μ_i) + ḡ + λ w),   ḡ ← ḡ + A_iᵀ(μ' − μ_i)/n,   μ_i ← μ'.
//
// The expected direction is ∇P(w), and the variance of the direction vanishes at the optimum. So a constant step size
// gives a linear rate. If the gradient of each term φ_i(w) + λ/2 |w|² has the Lipschitz constant L and η = 1/(3L), each
// visit reduces the expected error by at least the factor 1 − min(1/(4n), λ/(3L)). A bound on L from the features alone
// is far too large for structures. So SAGA estimates L as SAG does (Schmidt, Le Roux and Bach 2017, section 4.6): L = λ
// + M, and at every eighth visit M is doubled as long as
//
//	φ_i(w − g/M) > φ_i(w) − |g|²/(2M),   g = A_iᵀ(μ' − 1_{y_i}).
//
// This inequality is false if M is large enough. SAG decreases M between two such tests. Here M never decreases,
// because an M that is large enough for one example may be too small for another.
//
// Defazio et al. do not compute a dual value. Here the μ_i are marginals of distributions α_i, whose entropies H(α_i)
// are also known. So the stored table of the μ_i is a dual point with w(α) = −ḡ/λ. The dual value of this point is a
// lower bound on min P, and costs only a sum:
//
//	D(α) = 1/n Σ_i [τ H(α_i) + κ cost_i·μ_i] − |ḡ|²/(2λ),
//
// where τ and κ are Temp and Margin of models.Loss, and cost_i are the label losses of the parts.
//
// SAGA starts at w = 0 with all mass on the true labellings, where ḡ = 0 and D = 0. So the start needs no oracle call.
//
// ḡ is not sparse, so w is stored as a·u + b·ḡ. The terms λ w and ḡ of a step then change only a and b. A visit costs
// two calls of Score, one call of the exp-oracle and two calls of AddAdjoint. Every eighth visit also costs a sparse
// adjoint, a Score, and calls for the value of the loss. State: Σ Parts + 3 Dim + n floats.
type SAGA struct {
	// step size, in units of 1/L for the present estimate of L; Defazio et al. 2014 use 1/3
	Step float64 `yaml:"step" jsonschema:"exclusiveMinimum=0"`
	// order of the visits; random: drawn with replacement, as in Defazio et al. 2014; permutation: a new random
	// permutation for each epoch; cyclic: the order of the data
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
}

var _ solvers.Trainer = (*SAGA)(nil)

// NewSAGA returns a SAGA with its default settings.
func NewSAGA() *SAGA { return &SAGA{Step: 1. / 3, Order: "random"} }

// Needs implements Solver. SAGA needs a smooth loss, marginals, and sparse features.
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

// sagaState makes the steps of SAGA, which update the table.
type sagaState struct{ *tableState }

// visit makes a step on example i. If look is true, it tests the estimate M before the step (see probe).
func (st sagaState) visit(i int, look bool) {
	e, mu := &st.p.Examples[i], st.Of(st.mu, i)
	next, diff := st.next[:len(mu)], st.diff[:len(mu)]
	st.value[i] = st.marginals(i, look)
	for r, m := range next {
		diff[r] = m - mu[r]
	}
	copy(mu, next)

	eta, n := st.shrink(), float64(len(st.p.Examples))
	// shrink has made the part −η (ḡ + λ w) of the step. With d = A_iᵀ(μ' − μ_i), the rest is w ← w − η d and ḡ ← ḡ + d/n.
	// Since w = a·u + b·ḡ, u changes by −(η + b/n)/a d.
	e.Features.AddAdjoint(st.u, -(eta+st.b/n)/st.a, diff)
	e.Features.AddAdjoint(st.g, 1/n, diff)
}
