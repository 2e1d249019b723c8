package gradient

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	probeEvery = 8     // visits between two looks at M
	probeTol   = 1e-12 // rounding of a loss
)

// tableState is the state of SAGA and SVRG: w = a·u + b·ḡ, a table of marginals, and the estimate λ + M of L.
type tableState struct {
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

// shrink takes the part of a step that all share, w ← w − η (ḡ + λ w), and returns η.
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

// marginals writes those that example i has at w, μ', into st.next, and returns its term τ H(α') + κ cost_i·μ' of the
// dual. It looks at M if so asked.
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

// dualTerm returns τ H(α) + κ cost·μ for the marginals μ that a loss induces, where scores are s = (θ + κ cost)/τ. With
// τ log Z = φ + θ·1_{y_i}, it is τ log Z − τ μ·s + κ cost·μ.
func dualTerm(loss models.Loss, e *models.Example, logZ float64, mu, scores []float64) float64 {
	value := logZ - loss.Temp*dualspace.Dot(mu, scores)
	if loss.Margin != 0 {
		value += loss.Margin * dualspace.Dot(e.Cost, mu[:len(e.Cost)])
	}
	return value
}

// probe raises M until the loss of an example falls as it should along its own gradient. st.along has A_i w, value is
// the loss there, and mu the marginals; diff is overwritten.
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
	f.Score(diff, st.dense) // A_i g
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

// fold writes w into u.
func (st *tableState) fold() {
	for j, g := range st.g {
		st.u[j] = st.a*st.u[j] + st.b*g
	}
	st.a, st.b = 1, 0
}

// refresh recomputes ḡ from the marginals, to shed the rounding of many visits.
func (st *tableState) refresh() {
	st.fold()
	st.Weights(st.g, -1, st.p, st.mu, st.diff) // −w(α) at λ = 1 is ḡ
}

func (st *tableState) iterate(epoch int) solvers.Iterate {
	st.fold()
	return solvers.Iterate{W: st.u, Epoch: epoch, Dual: st.dual}
}

// dual returns D(α) of the table.
func (st *tableState) dual() float64 {
	return dualspace.Sum(st.value)/float64(len(st.value)) - dualspace.Dot(st.g, st.g)/(2*st.p.Lambda)
}
