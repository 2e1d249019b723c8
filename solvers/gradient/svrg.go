package gradient

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// SVRG is the variance-reduced gradient method of Johnson and Zhang (2013, "Accelerating stochastic gradient descent
// using predictive variance reduction") for smooth losses. At a snapshot w̃, it computes the marginals μ_i of all
// examples and the mean gradient ḡ = 1/n Σ_i A_iᵀ(μ_i − 1_{y_i}) of their losses. Then each visit computes marginals μ'
// at w and makes the step
//
//	w ← w − η (A_iᵀ(μ' − μ_i) + ḡ + λ w).
//
// This is the step of SAGA, except that the μ_i of SAGA are from the last visit to each example. The next snapshot is
// the last iterate, which is option I of Johnson and Zhang. They evaluate the gradient of the example at w̃ again in
// every visit. Here the μ_i are stored, which saves this oracle call.
//
// L = λ + M is estimated as in SAGA. The dual is the dual value of the distributions at the snapshot, D = P(w̃) −
// |∇P(w̃)|²/(2λ).
//
// An epoch is n visits. Before the first epoch, and then after every Inner epochs, there is a snapshot, with n more
// oracle calls. State: Σ Parts + 3 Dim + n floats.
type SVRG struct {
	// step size, in units of 1/L for the present estimate of L; Johnson and Zhang 2013 use 0.1
	Step float64 `yaml:"step" jsonschema:"exclusiveMinimum=0"`
	// order of the visits; random: drawn with replacement, as in Johnson and Zhang 2013; permutation: a new random
	// permutation for each epoch; cyclic: the order of the data
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// number of epochs from one snapshot to the next; Johnson and Zhang 2013 use 2 for convex problems
	Inner int `yaml:"inner" jsonschema:"minimum=1"`
}

const svrgBlocks = 64 // number of blocks of examples in a snapshot

var _ solvers.Trainer = (*SVRG)(nil)

// NewSVRG returns an SVRG with its default settings.
func NewSVRG() *SVRG { return &SVRG{Step: 1. / 3, Order: "random", Inner: 2} }

// Needs implements Solver. SVRG needs a smooth loss, marginals, and sparse features.
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

// svrgState makes the steps of SVRG. Its table belongs to the snapshot.
type svrgState struct{ *tableState }

// snapshot computes the marginals of all examples at w, the examples' terms of the dual, and the mean gradient ḡ.
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

// correct makes a step on example i, and does not change the table. If look is true, it tests the estimate M before the
// step (see probe).
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
