package gradient

import (
	"iter"
	"math"

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

const (
	streamSAGA = 8
	sagaProbe  = 8     // visits between two looks at M
	sagaTol    = 1e-12 // rounding of a loss
)

var _ solvers.Trainer = (*SAGA)(nil)

// NewSAGA is SAGA with its default settings.
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
		st := newSAGAState(p, s.Step)
		n := len(p.Examples)
		order, due := dualspace.NewOrder(s.Order, n, env.Seed, streamSAGA), dualspace.NewCadence(n)
		if !yield(st.iterate(0), nil) {
			return
		}
		for !env.Interrupted(yield) {
			st.visit(order.Next(), order.Done%sagaProbe == 1)
			if due.Refreshes(order.Done) {
				st.refresh()
			}
			if due.Yields(order.Done) && !yield(st.iterate(order.Epochs()), nil) {
				return
			}
		}
	})
}

// sagaState is w = a·u + b·ḡ, and the table of marginals.
type sagaState struct {
	p *models.Risk
	dualspace.Layout
	step  float64   // η L
	m     float64   // M
	mu    []float64 // μ_i
	value []float64 // τ H(α_i) + κ cost_i·μ_i
	u, g  []float64 // g is ḡ
	a, b  float64

	// scratch, as long as the largest example
	theta, next, diff, along []float64
	y                        models.Vertex
	sparse                   models.Sparse // g of a look at M
	dense                    []float64     // the same in Dim floats, 0 between looks
}

func newSAGAState(p *models.Risk, step float64) *sagaState {
	st := &sagaState{p: p, Layout: dualspace.NewLayout(p), value: make([]float64, len(p.Examples)), step: step,
		m: p.Lambda, u: make([]float64, p.Dim), g: make([]float64, p.Dim), a: 1, dense: make([]float64, p.Dim)}
	st.mu = st.Zeros()
	for i := range p.Examples {
		mu := st.Of(st.mu, i)
		for _, r := range p.Examples[i].Truth {
			mu[r]++
		}
	}
	st.Scratch(&st.theta, &st.next, &st.diff, &st.along)
	return st
}

// visit takes a step on example i, and looks at M before if so asked.
func (st *sagaState) visit(i int, look bool) {
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

// shrink takes the part of a step that all share, w ← w − η (ḡ + λ w), and returns η.
func (st *sagaState) shrink() (eta float64) {
	eta = st.step / (st.p.Lambda + st.m)
	shrink := 1 - eta*st.p.Lambda
	st.a *= shrink
	st.b = shrink*st.b - eta
	if math.Abs(st.a) < sgdSmallest {
		st.fold()
	}
	return eta
}

// marginals writes those that example i has at w, μ', into st.next, and returns its term τ H(α') + κ cost_i·μ' of the
// dual. It looks at M if so asked.
func (st *sagaState) marginals(i int, look bool) (value float64) {
	e := &st.p.Examples[i]
	parts := e.Features.Parts()
	theta, next := st.theta[:parts], st.next[:parts]
	e.Features.Score(theta, st.u)
	for r := range theta {
		theta[r] *= st.a
	}
	if st.b != 0 {
		e.Features.Score(next, st.g)
		for r, v := range next {
			theta[r] += st.b * v
		}
	}
	truth := e.Truth.Dot(theta)
	if look {
		copy(st.along, theta)
	}
	var loss float64
	loss, st.y = st.p.Loss.Marginals(next, e, theta, st.y)
	value = dualTerm(st.p.Loss, e, loss+truth, next, theta)
	if look {
		st.probe(e, loss, next, st.diff[:parts])
	}
	return value
}

// dualTerm is τ H(α) + κ cost·μ for the marginals μ that a loss has induced, where scores are s = (θ + κ cost)/τ:
// with τ log Z = φ + θ·1_{y_i}, that is τ log Z − τ μ·s + κ cost·μ.
func dualTerm(loss models.Loss, e *models.Example, logZ float64, mu, scores []float64) float64 {
	value := logZ - loss.Temp*dualspace.Dot(mu, scores)
	if loss.Margin != 0 {
		value += loss.Margin * dualspace.Dot(e.Cost, mu[:len(e.Cost)])
	}
	return value
}

// probe raises M until the loss of an example falls as it should along its own gradient. st.along has A_i w, value is
// the loss there, and mu the marginals; diff is overwritten.
func (st *sagaState) probe(e *models.Example, value float64, mu, diff []float64) {
	f, theta := e.Features.(models.SparseMap), st.theta[:len(mu)]
	copy(diff, mu)
	for _, r := range e.Truth {
		diff[r]--
	}
	f.Adjoint(&st.sparse, diff)
	norm := st.sparse.NormSq()
	if norm == 0 {
		return
	}
	st.sparse.AddTo(st.dense, 1)
	f.Score(diff, st.dense) // A_i g
	for _, j := range st.sparse.Index {
		st.dense[j] = 0
	}
	for {
		for r, v := range diff {
			theta[r] = st.along[r] - v/st.m
		}
		if !(st.p.Loss.Value(e, theta) > value-norm/(2*st.m)+sagaTol*(1+math.Abs(value))) {
			return
		}
		st.m *= 2
	}
}

// fold writes w into u.
func (st *sagaState) fold() {
	for j, g := range st.g {
		st.u[j] = st.a*st.u[j] + st.b*g
	}
	st.a, st.b = 1, 0
}

// refresh recomputes ḡ from the marginals, to shed the rounding of many visits.
func (st *sagaState) refresh() {
	st.fold()
	st.Weights(st.g, -1, st.p, st.mu, st.diff) // −w(α) at λ = 1 is ḡ
}

func (st *sagaState) iterate(epoch int) solvers.Iterate {
	st.fold()
	return solvers.Iterate{W: st.u, Epoch: epoch, Dual: st.dual}
}

// dual is D(α) of the table.
func (st *sagaState) dual() float64 {
	return dualspace.Sum(st.value)/float64(len(st.value)) - dualspace.Dot(st.g, st.g)/(2*st.p.Lambda)
}
