package gradient

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	probeEvery = 8     // number of visits between two tests of M, the estimated Lipschitz constant (see probe)
	probeTol   = 1e-12 // size of rounding errors in a loss, relative to 1 + |loss|
)

// tableState is the state of SAGA and SVRG: w = a·u + b·ḡ, a table of marginals, and the estimate λ + M of the
// Lipschitz constant L. The comment of SAGA defines the symbols.
type tableState struct {
	p *models.Risk
	dualspace.Layout
	step  float64   // η L, the step size in units of 1/L
	m     float64   // M, the estimated Lipschitz constant of the gradients of the φ_i (see SAGA)
	mu    []float64 // the table: the marginals μ_i of each example
	value []float64 // τ H(α_i) + κ cost_i·μ_i of each example, its term of the dual
	u, g  []float64 // u in w = a·u + b·ḡ, and ḡ, the mean gradient of the losses
	a, b  float64   // the factors in w = a·u + b·ḡ

	// working memory, with room for the largest number of parts of an example
	theta, next, diff, along []float64
	y                        models.Vertex
	sparse                   models.Sparse // the gradient of an example's loss, in a test of M (see probe)
	dense                    []float64     // the same gradient as a dense vector during a test of M, otherwise 0
}

func newTableState(p *models.Risk, step float64) *tableState {
	st := &tableState{p: p, Layout: dualspace.NewLayout(p), value: make([]float64, len(p.Examples)), step: step,
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

// shrink makes the part w ← w − η (ḡ + λ w) of a step (see SAGA), which does not depend on the visited example. It
// returns the step size η.
func (st *tableState) shrink() (eta float64) {
	eta = st.step / (st.p.Lambda + st.m)
	shrink := 1 - eta*st.p.Lambda
	st.a *= shrink
	st.b = shrink*st.b - eta
	if math.Abs(st.a) < sgdSmallest {
		st.fold()
	}
	return eta
}

// marginals writes the marginals μ' of example i at w into st.next, and returns the example's term τ H(α') + κ
// cost_i·μ' of the dual (see SAGA). If look is true, it tests M, and doubles M if it is too small (see probe).
func (st *tableState) marginals(i int, look bool) (value float64) {
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

// dualTerm returns the term τ H(α) + κ cost·μ of an example in the dual (see SAGA), for the marginals μ that its loss
// defines. The scores are s = (θ + κ cost)/τ. Since τ log Z = φ + θ·1_{y_i}, the term is τ log Z − τ μ·s + κ cost·μ.
func dualTerm(loss models.Loss, e *models.Example, logZ float64, mu, scores []float64) float64 {
	value := logZ - loss.Temp*dualspace.Dot(mu, scores)
	if loss.Margin != 0 {
		value += loss.Margin * dualspace.Dot(e.Cost, mu[:len(e.Cost)])
	}
	return value
}

// probe doubles M until the inequality in the comment of SAGA is false: until a step of length 1/M along the gradient
// decreases the example's loss enough. st.along must contain A_i w. value is the example's loss at w, and mu are the
// marginals at w. probe overwrites diff.
func (st *tableState) probe(e *models.Example, value float64, mu, diff []float64) {
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
	f.Score(diff, st.dense) // diff becomes A_i g, where g is the gradient of the example's loss
	for _, j := range st.sparse.Index {
		st.dense[j] = 0
	}
	for {
		for r, v := range diff {
			theta[r] = st.along[r] - v/st.m
		}
		if !(st.p.Loss.Value(e, theta) > value-norm/(2*st.m)+probeTol*(1+math.Abs(value))) {
			return
		}
		st.m *= 2
	}
}

// fold writes the weights w = a·u + b·ḡ into u, and sets a = 1 and b = 0, so w does not change.
func (st *tableState) fold() {
	for j, g := range st.g {
		st.u[j] = st.a*st.u[j] + st.b*g
	}
	st.a, st.b = 1, 0
}

// refresh recomputes the mean gradient ḡ from the table of marginals, to remove the rounding errors of many visits.
func (st *tableState) refresh() {
	st.fold()
	st.Weights(st.g, -1, st.p, st.mu, st.diff) // −w(α) at λ = 1 is ḡ
}

func (st *tableState) iterate(epoch int) solvers.Iterate {
	st.fold()
	return solvers.Iterate{W: st.u, Epoch: epoch, Dual: st.dual}
}

// dual returns the dual value D(α) (see SAGA) of the distributions α_i whose marginals are in the table.
func (st *tableState) dual() float64 {
	return dualspace.Sum(st.value)/float64(len(st.value)) - dualspace.Dot(st.g, st.g)/(2*st.p.Lambda)
}
