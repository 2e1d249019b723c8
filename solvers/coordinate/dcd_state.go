package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// dcdState is the dual point of DCD, and its sweep.
type dcdState struct {
	p      *models.Risk
	lambda float64
	dualspace.Layout
	alpha []float64 // α_i
	w     []float64 // w(α) at lambda
	scale []float64 // q_i

	rng       *rand.Rand
	shrinking bool
	set       []int   // the examples, those of the sweep first
	active    int     // how many these are
	at        int     // of them visited
	visits    int     // in all sweeps
	worst     float64 // largest violation of this sweep so far
	last      float64 // that of the last one; at the start, and where all are visited again, +Inf
	whole     float64 // that of the last sweep over all examples
	moved     bool    // whether a visit of this sweep has moved w
	optimal   bool    // a sweep over all examples has moved nothing

	theta, diff []float64 // s, and α' − α: scratch, as long as the largest example
	y           models.Vertex
}

// newDCDState starts from the true labellings: no oracle call.
func newDCDState(p *models.Risk, seed uint64, shrinking bool) *dcdState {
	n := len(p.Examples)
	st := &dcdState{p: p, lambda: p.Lambda, Layout: dualspace.NewLayout(p), w: make([]float64, p.Dim),
		scale: make([]float64, n), rng: rand.New(rand.NewPCG(seed, streamDCD)), shrinking: shrinking, set: make([]int, n)}
	st.alpha = st.Zeros()
	for i := range p.Examples {
		e := &p.Examples[i]
		st.Of(st.alpha, i)[e.Truth[0]] = 1
		st.scale[i] = e.Features.(models.Isotropic).ScaleSq()
		st.set[i] = i
	}
	st.Scratch(&st.theta, &st.diff)
	st.all()
	return st
}

// all begins a sweep over all examples, which none leaves.
func (st *dcdState) all() {
	st.last = math.Inf(1)
	st.active = len(st.set)
	st.begin()
}

// begin begins a sweep over the active examples.
func (st *dcdState) begin() {
	st.at, st.worst, st.moved = 0, 0, false
	st.rng.Shuffle(st.active, func(i, j int) { st.set[i], st.set[j] = st.set[j], st.set[i] })
}

// next visits an example, and ends the sweep if it is the last of it.
func (st *dcdState) next() {
	st.visits++
	if st.visit(st.set[st.at]) {
		st.active--
		st.set[st.at], st.set[st.active] = st.set[st.active], st.set[st.at]
	} else {
		st.at++
	}
	if st.at == st.active {
		st.end()
	}
}

// end says what the next sweep is over.
func (st *dcdState) end() {
	whole := math.IsInf(st.last, 1)
	switch {
	case whole && !st.moved:
		st.optimal = true
	case whole:
		st.whole = st.worst
		st.last = st.worst
	case st.worst <= dcdProgress*st.whole || st.active == 0:
		st.all()
		return
	default:
		st.last = st.worst
	}
	if !st.shrinking {
		st.last = math.Inf(1)
	}
	st.begin()
}

// visit maximises D over α_i, and says whether example i leaves the sweep.
func (st *dcdState) visit(i int) (leaves bool) {
	e, alpha := &st.p.Examples[i], st.Of(st.alpha, i)
	s := st.theta[:len(alpha)]
	e.Features.Score(s, st.w)
	st.p.Loss.Augment(s, e.Cost)
	var top float64
	st.y, top = e.Max.Max(st.y, s)
	best := st.y[0]
	low, size := top, math.Abs(top)
	for c, a := range alpha {
		if a > 0 && s[c] < low {
			low = s[c]
			size = max(size, math.Abs(low))
		}
	}
	violation := top - low
	if violation <= dcdTol*size {
		return alpha[best] == 1 && top-st.second(s, best) > dcdMargin*st.last
	}
	st.worst = max(st.worst, violation)
	st.step(i, alpha, s, best)
	return false
}

// second is the greatest score of another class than the best.
func (st *dcdState) second(s []float64, best int) float64 {
	second := math.Inf(-1)
	for c, v := range s {
		if c != best && v > second {
			second = v
		}
	}
	return second
}

// step moves α_i to Π(α_i + λn/q s).
func (st *dcdState) step(i int, alpha, s []float64, best int) {
	st.moved = true
	diff := st.diff[:len(alpha)]
	lambdaN := st.lambda * float64(len(st.set))
	if rate := lambdaN / st.scale[i]; math.IsInf(rate, 1) {
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
	st.p.Examples[i].Features.AddAdjoint(st.w, -1/lambdaN, diff)
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

// refresh recomputes w from the marginals, to shed the rounding of many moves.
func (st *dcdState) refresh() {
	st.Weights(st.w, st.lambda, st.p, st.alpha, st.diff)
}

// setLambda keeps the distributions and so λ·w.
func (st *dcdState) setLambda(lambda float64) {
	if lambda == st.lambda {
		return
	}
	dualspace.Scale(st.w, st.lambda/lambda)
	st.lambda = lambda
	st.optimal = false
	st.all()
}

// dual is D(α), summed anew.
func (st *dcdState) dual() float64 {
	var sum float64
	if kappa := st.p.Loss.Margin; kappa != 0 {
		for i := range st.p.Examples {
			sum += kappa * dualspace.Dot(st.p.Examples[i].Cost, st.Of(st.alpha, i))
		}
	}
	return sum/float64(len(st.set)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}
