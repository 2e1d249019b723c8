package gradient

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// SVRG is the variance-reduced gradient method of Johnson and Zhang (2013, "Accelerating stochastic gradient descent
// using predictive variance reduction") for smooth losses. At a snapshot w̃ it takes the marginals μ_i of all examples
// and the mean gradient ḡ = 1/n Σ_i A_iᵀ(μ_i − 1_{y_i}) of their losses. Then each visit takes marginals μ' at w and
// the step
//
//	w ← w − η (A_iᵀ(μ' − μ_i) + ḡ + λ w),
//
// that of SAGA, whose μ_i are from each example's own last visit. The next snapshot is the last iterate, the paper's
// option I. The paper evaluates the gradient at w̃ again in every visit; here the μ_i are kept, which saves that call.
//
// L = λ + M is estimated as SAGA does. The dual is that of the distributions at the snapshot,
// D = P(w̃) − |∇P(w̃)|²/(2λ).
//
// An epoch is n visits; every Inner epochs begin with n calls for the snapshot. State: Σ Parts + 3 Dim + n floats.
type SVRG struct {
	// step size, in units of 1/L for the present estimate of L; the paper has 0.1
	Step float64 `yaml:"step" jsonschema:"exclusiveMinimum=0"`
	// random: with replacement, as in the paper; permutation: a fresh one per epoch; cyclic: the data's order
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// epochs from one snapshot to the next; the paper has 2 for convex problems
	Inner int `yaml:"inner" jsonschema:"minimum=1"`
}

const svrgBlocks = 64

var _ solvers.Trainer = (*SVRG)(nil)

// NewSVRG returns an SVRG with its default settings.
func NewSVRG() *SVRG { return &SVRG{Step: 1. / 3, Order: "random", Inner: 2} }

// Needs implements Solver: a smooth loss, marginals, and sparse features.
func (*SVRG) Needs() solvers.Needs { return (*SAGA)(nil).Needs() }

// Train implements Trainer.
func (s *SVRG) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		st := svrgState{newTableState(p, s.Step)}
		n := len(p.Examples)
		order, due := dualspace.NewOrder(s.Order, n, env.Seed, dualspace.StreamSVRG), dualspace.NewCadence(n)
		if !yield(st.iterate(0), nil) {
			return
		}
		for !env.Interrupted(yield) {
			if order.Done%(s.Inner*n) == 0 {
				st.snapshot()
			}
			st.correct(order.Next(), order.Done%probeEvery == 1)
			if due.Yields(order.Done) && !yield(st.iterate(order.Epochs()), nil) {
				return
			}
		}
	})
}

// svrgState takes the steps of SVRG, for which the table is that of the snapshot.
type svrgState struct{ *tableState }

// snapshot takes the marginals of all examples at w, with their terms of the dual, and ḡ of them.
func (st svrgState) snapshot() {
	st.fold()
	p := st.p
	p.InBlocks(len(p.Examples), svrgBlocks, func(_, lo, hi int) {
		var theta []float64
		var y models.Vertex
		for i := lo; i < hi; i++ {
			e, mu := &p.Examples[i], st.Of(st.mu, i)
			theta = models.Resize(theta, len(mu))
			e.Features.Score(theta, st.u)
			truth := e.Truth.Dot(theta)
			var loss float64
			loss, y = p.Loss.Marginals(mu, e, theta, y)
			st.value[i] = dualTerm(p.Loss, e, loss+truth, mu, theta)
		}
	})
	st.refresh()
}

// correct takes a step on example i with the table as it stands, and looks at M before if so asked.
func (st svrgState) correct(i int, look bool) {
	e, mu := &st.p.Examples[i], st.Of(st.mu, i)
	diff := st.diff[:len(mu)]
	st.marginals(i, look)
	for r, m := range st.next[:len(mu)] {
		diff[r] = m - mu[r]
	}
	eta := st.shrink()
	e.Features.AddAdjoint(st.u, -eta/st.a, diff)
}
