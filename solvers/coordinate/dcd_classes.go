package coordinate

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// dcdClasses is the dual point of DCD for any number of classes.
type dcdClasses struct {
	p      *models.Risk
	lambda float64
	dualspace.Layout
	alpha []float64 // α_i
	w     []float64 // w(α) at lambda
	cost  float64   // Σ_i cost_i·α_i

	theta, diff []float64 // s, and α' − α: scratch, as long as the largest example
	y           models.Vertex
}

// newDCDClasses starts from the true labellings: no oracle call.
func newDCDClasses(p *models.Risk) *dcdClasses {
	st := &dcdClasses{p: p, lambda: p.Lambda, Layout: dualspace.NewLayout(p), w: make([]float64, p.Dim)}
	st.alpha = st.Zeros()
	for i := range p.Examples {
		st.Of(st.alpha, i)[p.Examples[i].Truth[0]] = 1
	}
	st.Scratch(&st.theta, &st.diff)
	st.sum()
	return st
}

func (st *dcdClasses) visit(i int) (violation, lead float64) {
	e, alpha := &st.p.Examples[i], st.Of(st.alpha, i)
	s := st.theta[:len(alpha)]
	e.Features.Score(s, st.w)
	st.p.Loss.Augment(s, e.Cost)
	var top float64
	st.y, top = e.Max.Max(st.y, s)
	best := st.y[0]
	low := top
	for c, a := range alpha {
		if a > 0 && s[c] < low {
			low = s[c]
		}
	}
	violation = top - low
	if violation > dcdTol*max(math.Abs(top), math.Abs(low)) {
		st.step(i, alpha, s, best)
		return violation, 0
	}
	if alpha[best] < 1 {
		return 0, math.Inf(-1)
	}
	second := math.Inf(-1)
	for c, v := range s {
		if c != best && v > second {
			second = v
		}
	}
	return 0, top - second
}

// step moves α_i to Π(α_i + λn/q s).
func (st *dcdClasses) step(i int, alpha, s []float64, best int) {
	e, diff := &st.p.Examples[i], st.diff[:len(alpha)]
	lambdaN := st.lambda * float64(len(st.p.Examples))
	if rate := lambdaN / e.Features.(models.Isotropic).ScaleSq(); math.IsInf(rate, 1) {
		clear(diff)
		diff[best] = 1
	} else {
		for c, a := range alpha {
			diff[c] = a + rate*(s[c]-s[best])
		}
		project(diff)
	}
	for c, a := range alpha {
		alpha[c], diff[c] = diff[c], diff[c]-a
	}
	st.cost += dualspace.Dot(e.Cost, diff[:len(e.Cost)])
	e.Features.AddAdjoint(st.w, -1/lambdaN, diff)
}

// project overwrites v with the nearest point of the simplex, max(0, v − t): as long as any entry is not above the t
// of those that are left, it leaves (Michelot 1986), after at most len(v) rounds.
func project(v []float64) {
	t := math.Inf(-1)
	count := 0
	for {
		sum, above := 0.0, 0
		for _, x := range v {
			if x > t {
				sum += x
				above++
			}
		}
		if above == count {
			break
		}
		count = above
		t = (sum - 1) / float64(above)
	}
	for c, x := range v {
		v[c] = max(0, x-t)
		if count == 1 && x > t {
			v[c] = 1 // without rounding
		}
	}
}

func (st *dcdClasses) weights() []float64 { return st.w }

func (st *dcdClasses) refresh() {
	st.Weights(st.w, st.lambda, st.p, st.alpha, st.diff)
	st.sum()
}

// sum adds up the costs anew.
func (st *dcdClasses) sum() {
	st.cost = 0
	for i := range st.p.Examples {
		cost := st.p.Examples[i].Cost
		st.cost += dualspace.Dot(cost, st.Of(st.alpha, i)[:len(cost)])
	}
}

func (st *dcdClasses) scale(lambda float64) {
	dualspace.Scale(st.w, st.lambda/lambda)
	st.lambda = lambda
}

func (st *dcdClasses) dual() float64 {
	return st.p.Loss.Margin*st.cost/float64(len(st.p.Examples)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}
