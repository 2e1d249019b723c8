package frankwolfe

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// bcfwState is the state of BCFW: the marginals and the expected label loss of each example, the w that the marginals
// define, and the sums for the average. The comment of BCFW defines the symbols.
//
// The average of the first K iterates has weights proportional to 1, 2, ..., K. It can be computed without changing all
// components of w̄ in each visit. Let δ_t be the change of w in visit t, so that w_t = δ_1 + ... + δ_t. Then
//
//	w̄_K = 2/(K(K+1)) Σ_{t≤K} t w_t = 2/(K(K+1)) Σ_{s≤K} δ_s Σ_{t=s}^K t = w_K − u_K/(K(K+1)),
//	u_K = Σ_{s≤K} s(s−1) δ_s.
//
// So a visit changes only those components of u that it also changes in w. w̄ is computed at each yield. The mean label
// loss is averaged in the same way.
type bcfwState struct {
	p *models.Risk
	dualspace.Layout
	mu   []float64 // the marginals μ_i
	loss []float64 // the expected label losses l_i
	w    []float64 // the weights w(α)

	atoms atoms // labellings with positive mass; nil if the steps are not pairwise

	late     []float64 // the sum u_K; nil without averaging
	average  []float64 // the average w̄, up to date at yields; nil without averaging
	lateLoss float64   // the sum u_K, computed for the mean label loss instead of w

	visits dualspace.Order
	moves  int   // 1 + number of visits so far that changed w
	seen   []int // for each example: the value of moves at the last visit that found a gap of 0
	still  int   // number of examples whose gap was 0 since the last change of w

	gaps, steps       float64 // sums of gaps g_i/n and of step lengths γ over the visits of this epoch
	lastGap, lastStep float64 // the statistics block_gap_sum and step_mean of the last epoch

	slots      []*bcfwVisit // working memory of each visit of a batch
	*bcfwVisit              // slots[0], for visits without a minibatch
}

// bcfwVisit is the working memory of one visit at an example i. Prepare computes the direction of the step, and Step
// computes its length γ.
type bcfwVisit struct {
	theta   []float64         // the part scores θ = A_i w
	diff    []float64         // μ_i − 1_{y*}; for a pairwise step, 1_{y′} − 1_{y*}
	y       models.Vertex     // y*, the most violated labelling
	adjoint dualspace.Adjoint // computes and stores A_iᵀ diff

	moves   int     // value of bcfwState.moves when y* was computed
	cost    float64 // Δ_i(y*), the label loss of y*
	gap     float64 // g_i, the gap of the example; for a stale pairwise step, the gap at the start of the batch
	size    float64 // sum of the absolute values of the terms of g_i
	from    int     // index in atoms[i] of the labelling y′ of a pairwise step
	rise    float64 // change of the expected label loss l_i by a step of length γ = 1
	gain    float64 // n times the slope of D in γ at γ = 0, rise − w·A_iᵀ diff; g_i if the step is not pairwise
	longest float64 // largest allowed step length γ
	normSq  float64 // |A_iᵀ diff|²
	gamma   float64 // γ, the length of the step
}

// newBCFWState returns the state in which all mass is on the true labellings, so w = 0.
func newBCFWState(b *BCFW, p *models.Risk, seed uint64) *bcfwState {
	n := len(p.Examples)
	st := &bcfwState{p: p, Layout: dualspace.NewLayout(p), loss: make([]float64, n), w: make([]float64, p.Dim),
		visits: dualspace.NewOrder(b.Order, n, seed, dualspace.StreamBCFW), moves: 1, seen: make([]int, n)}
	st.mu = st.Zeros()
	for i := range p.Examples {
		mu := st.marginals(i)
		for _, r := range p.Examples[i].Truth {
			mu[r]++
		}
	}
	for range max(1, b.Minibatch) {
		v := new(bcfwVisit)
		st.Scratch(&v.theta, &v.diff)
		st.slots = append(st.slots, v)
	}
	st.bcfwVisit = st.slots[0]
	if b.Step == pairwise {
		st.atoms = newAtoms(p)
	}
	if b.Average {
		st.late, st.average = make([]float64, p.Dim), make([]float64, p.Dim)
	}
	return st
}

// carry saves or loads the state that later visits depend on.
func (st *bcfwState) carry(to *solvers.State) {
	to.Carry(&st.mu, &st.loss, &st.w, &st.late, &st.lateLoss, &st.moves, &st.seen, &st.still, &st.gaps, &st.steps,
		&st.lastGap, &st.lastStep)
	st.visits.Carry(to)
	if st.atoms != nil {
		st.atoms.carry(to)
	}
}

// marginals returns the marginals μ_i of example i, as a subslice of mu.
func (st *bcfwState) marginals(i int) []float64 { return st.Of(st.mu, i) }

// Prepare implements dualspace.Visitor. It computes the most violated labelling y* of example i, the gap g_i, and the
// step towards y*.
func (st *bcfwState) Prepare(slot, i int) {
	e, mu, v := &st.p.Examples[i], st.marginals(i), st.slots[slot]
	theta, diff := v.theta[:len(mu)], v.diff[:len(mu)]
	e.Features.Score(theta, st.w)
	v.moves = st.moves
	v.y, v.cost, _ = st.p.Loss.Violated(v.y, e, theta)
	copy(diff, mu)
	for _, r := range v.y {
		diff[r]--
	}
	v.rise = v.cost - st.loss[i]
	v.gap, v.size = v.rise, v.cost+st.loss[i]
	for r, d := range diff {
		if d != 0 {
			x := theta[r] * d
			v.gap -= x
			v.size += math.Abs(x)
		}
	}
	v.gain, v.longest = v.gap, 1
	if v.gap <= bcfwTol*v.size {
		v.gain = 0
		return
	}
	if st.atoms != nil {
		st.atoms.direct(v, i, theta, diff)
	}
	v.normSq = v.adjoint.NormSq(e.Features, diff)
}

// Step implements dualspace.Visitor. If a step in the direction that Prepare has computed increases the dual, Step
// computes the length γ, and changes w and the distribution of example i.
func (st *bcfwState) Step(slot, i, visit int) {
	v, f := st.slots[slot], st.p.Examples[i].Features
	diff := v.diff[:f.Parts()]
	v.gamma = 0
	fresh := v.moves == st.moves
	if !fresh && v.gain > 0 {
		if v.gain = v.rise - v.adjoint.Product(f, diff, st.w, v.theta[:len(diff)]); v.gain <= bcfwTol*v.size {
			v.gain = 0
		}
		if st.atoms == nil {
			v.gap = v.gain
		}
	}
	lambdaN := st.p.Lambda * float64(len(st.p.Examples))
	if v.gain > 0 {
		v.gamma = min(v.longest, lambdaN*v.gain/v.normSq) // if no feature changes, normSq = 0 and γ = longest
	}
	if v.gamma == 0 {
		if fresh && st.seen[i] != st.moves {
			st.seen[i] = st.moves
			st.still++
		}
		return
	}
	change := st.apply(v, i)
	v.adjoint.AddTo(st.w, v.gamma/lambdaN, f, diff)
	if late := float64(visit) * float64(visit-1); st.late != nil && late > 0 {
		v.adjoint.AddTo(st.late, late*(v.gamma/lambdaN), f, diff)
		st.lateLoss += late * change / float64(len(st.loss))
	}
	st.moves++
	st.still = 0
	st.gaps += v.gap / float64(len(st.p.Examples))
	st.steps += v.gamma
}

// apply makes the step of length γ in the marginals and the expected label loss of example i. It returns the change of
// the expected label loss.
func (st *bcfwState) apply(v *bcfwVisit, i int) (change float64) {
	mu, before := st.marginals(i), st.loss[i]
	if st.atoms != nil {
		for r, d := range v.diff[:len(mu)] {
			if d != 0 {
				mu[r] = max(0, mu[r]-v.gamma*d)
			}
		}
		st.atoms.exchange(i, v.from, v.y, v.cost, v.gamma)
		change = v.gamma * v.rise
		st.loss[i] += change
		return change
	}
	// The formula μ − γ diff, with diff = μ − 1_{y*}, is not used: for γ = 1, it would leave rounding errors where
	// marginals must be 0.
	for r, m := range mu {
		m *= 1 - v.gamma
		if m < bcfwNothing {
			m = 0
		}
		mu[r] = m
	}
	for _, r := range v.y {
		mu[r] += v.gamma
	}
	st.loss[i] = (1-v.gamma)*before + v.gamma*v.cost
	return st.loss[i] - before
}

// visit makes one step on example i. It returns the gap g_i and the step length γ.
func (st *bcfwState) visit(i int) (gap, gamma float64) {
	st.Prepare(0, i)
	st.Step(0, i, st.visits.Done)
	return st.gap, st.gamma
}

// endEpoch stores the statistics of the epoch that ends, and sets their sums to 0.
func (st *bcfwState) endEpoch() {
	st.lastGap, st.lastStep = st.gaps, st.steps/float64(len(st.p.Examples))
	st.gaps, st.steps = 0, 0
}

// refresh recomputes w from the marginals, to remove the rounding errors of many updates. With pairwise steps, it first
// recomputes the marginals from the masses of the labellings. It does not change u.
func (st *bcfwState) refresh() {
	st.sums()
	st.Weights(st.w, st.p.Lambda, st.p, st.mu, st.diff)
}

// dual returns the dual value D(α), computed from the expected label losses and w.
func (st *bcfwState) dual() float64 {
	return st.meanLoss() - st.p.Lambda/2*dualspace.Dot(st.w, st.w)
}

// meanLoss returns the mean over the examples of the expected label loss l_i.
func (st *bcfwState) meanLoss() float64 {
	return dualspace.Sum(st.loss) / float64(len(st.loss))
}

// share returns 1/(K(K+1)), the factor of u_K, where K is the number of visits. For K = 0 it returns 0, because the
// average is then w.
func (st *bcfwState) share() float64 {
	k := float64(st.visits.Done)
	if k == 0 {
		return 0
	}
	return 1 / (k * (k + 1))
}

// averageDual returns D(ᾱ), the dual value of the averaged distributions.
func (st *bcfwState) averageDual() float64 {
	return st.meanLoss() - st.share()*st.lateLoss - st.p.Lambda/2*dualspace.Dot(st.average, st.average)
}

// iterate returns the averaged iterate if the setting Average is true, and otherwise the last iterate.
func (st *bcfwState) iterate() solvers.Iterate {
	it := st.last()
	it.State = st.carry
	if st.average != nil {
		share := st.share()
		st.p.InBlocks(len(st.w), 1+len(st.w)>>15, func(_, lo, hi int) {
			for j := lo; j < hi; j++ {
				st.average[j] = st.w[j] - share*st.late[j]
			}
		})
		it.W, it.Dual = st.average, st.averageDual
	}
	return it
}

// last returns the last iterate, even with averaging.
func (st *bcfwState) last() solvers.Iterate {
	return solvers.Iterate{
		W:     st.w,
		Epoch: st.visits.Epochs(),
		Dual:  st.dual,
		Stats: func(yield func(string, float64)) {
			if st.visits.Epochs() > 0 {
				yield("block_gap_sum", st.lastGap)
				yield("step_mean", st.lastStep)
			}
		},
	}
}
