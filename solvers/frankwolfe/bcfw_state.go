package frankwolfe

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// bcfwState is the state of BCFW: the marginals and the expected label loss of each example, the w that they define,
// and the sums for the average.
//
// The average of the first K iterates has weights proportional to 1, 2, ..., K. It can be computed without a pass over
// w̄ in each visit: let δ_t be the change of w in visit t, so that w_t = δ_1 + ... + δ_t. Then
//
//	w̄_K = 2/(K(K+1)) Σ_{t≤K} t w_t = 2/(K(K+1)) Σ_{s≤K} δ_s Σ_{t=s}^K t = w_K − u_K/(K(K+1)),
//	u_K = Σ_{s≤K} s(s−1) δ_s.
//
// So a visit changes only those components of u that it changes in w, and w̄ is computed at a yield. The mean label
// loss is averaged in the same way.
type bcfwState struct {
	p *models.Risk
	dualspace.Layout
	mu   []float64 // μ_i
	loss []float64 // l_i
	w    []float64 // w(α)

	atoms atoms // nil unless steps are pairwise

	late     []float64 // u; nil without averaging
	average  []float64 // w̄, up to date at yields; nil without averaging
	lateLoss float64   // Σ s(s−1) times the change of the mean l in visit s

	visits dualspace.Order
	moves  int   // 1 + number of visits that have changed w
	seen   []int // for each example: the value of moves when the example last had no gap
	still  int   // number of examples that had no gap since the last change of w

	gaps, steps       float64 // sums over the present epoch: g_i/n and γ
	lastGap, lastStep float64 // block_gap_sum and mean γ of the last epoch

	theta, diff []float64 // working memory, as long as the largest example
	y           models.Vertex
	adjoint     dualspace.Adjoint // A_iᵀ(μ_i − 1_{y*}), of diff
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
	st.Scratch(&st.theta, &st.diff)
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

// marginals returns μ_i.
func (st *bcfwState) marginals(i int) []float64 { return st.Of(st.mu, i) }

// visit makes one step on example i. It returns the gap of the block and γ.
func (st *bcfwState) visit(i int) (gap, gamma float64) {
	loss, gap, size := st.corner(i)
	if gap > bcfwTol*size {
		if st.atoms == nil {
			gamma = st.move(i, loss, gap)
		} else {
			gamma = st.exchange(i, loss)
		}
	}
	if gamma == 0 {
		if st.seen[i] != st.moves {
			st.seen[i] = st.moves
			st.still++
		}
		return gap, 0
	}
	st.moves++
	st.still = 0
	st.gaps += gap / float64(len(st.p.Examples))
	st.steps += gamma
	return gap, gamma
}

// corner computes the most violated labelling y* of example i and writes it into st.y. It returns the label loss of y*,
// the gap g_i, and the sum of the magnitudes of the gap's terms. It writes μ_i − 1_{y*} into st.diff.
func (st *bcfwState) corner(i int) (loss, gap, size float64) {
	e, mu := &st.p.Examples[i], st.marginals(i)
	theta, diff := st.theta[:len(mu)], st.diff[:len(mu)]
	e.Features.Score(theta, st.w)
	st.y, loss, _ = st.p.Loss.Violated(st.y, e, theta)
	copy(diff, mu)
	for _, r := range st.y {
		diff[r]--
	}
	gap, size = loss-st.loss[i], loss+st.loss[i]
	for r, d := range diff {
		if d != 0 {
			x := theta[r] * d
			gap -= x
			size += math.Abs(x)
		}
	}
	return loss, gap, size
}

// move makes the Frank-Wolfe step towards st.y, and returns its length γ. st.diff must contain μ_i − 1_{y*}.
func (st *bcfwState) move(i int, loss, gap float64) (gamma float64) {
	mu := st.marginals(i)
	lambdaN := st.p.Lambda * float64(len(st.p.Examples))
	f := st.p.Examples[i].Features
	gamma = min(1, lambdaN*gap/st.adjoint.NormSq(f, st.diff[:len(mu)])) // if no feature changes, the norm is 0 and γ = 1
	// μ − γ diff would leave rounding errors for γ = 1
	for r, m := range mu {
		m *= 1 - gamma
		if m < bcfwNothing {
			m = 0
		}
		mu[r] = m
	}
	for _, r := range st.y {
		mu[r] += gamma
	}
	before := st.loss[i]
	st.loss[i] = (1-gamma)*before + gamma*loss
	st.shift(i, gamma/lambdaN, st.loss[i]-before)
	return gamma
}

// shift adds c A_iᵀv to w, where v is the vector of the last call of NormSq. It also updates the sums of the average,
// for this change of w and for the change of l_i.
func (st *bcfwState) shift(i int, c, change float64) {
	f := st.p.Examples[i].Features
	diff := st.diff[:f.Parts()]
	st.adjoint.AddTo(st.w, c, f, diff)
	if st.late == nil {
		return
	}
	if late := float64(st.visits.Done) * float64(st.visits.Done-1); late > 0 {
		st.adjoint.AddTo(st.late, late*c, f, diff)
		st.lateLoss += late * change / float64(len(st.loss))
	}
}

// endEpoch stores the sums of the epoch for stats, and begins new ones.
func (st *bcfwState) endEpoch() {
	st.lastGap, st.lastStep = st.gaps, st.steps/float64(len(st.p.Examples))
	st.gaps, st.steps = 0, 0
}

// refresh computes w anew from the marginals, to remove the rounding errors of many updates. With pairwise steps, it
// first computes the marginals anew from the masses of the labellings. It does not change u.
func (st *bcfwState) refresh() {
	st.sums()
	st.Weights(st.w, st.p.Lambda, st.p, st.mu, st.diff)
}

// dual returns D(α), computed from the label losses of all examples.
func (st *bcfwState) dual() float64 {
	return st.meanLoss() - st.p.Lambda/2*dualspace.Dot(st.w, st.w)
}

// meanLoss returns the mean of l_i.
func (st *bcfwState) meanLoss() float64 {
	return dualspace.Sum(st.loss) / float64(len(st.loss))
}

// share returns 1/(K(K+1)). At the start it returns 0, because there the average is w.
func (st *bcfwState) share() float64 {
	k := float64(st.visits.Done)
	if k == 0 {
		return 0
	}
	return 1 / (k * (k + 1))
}

// averageDual returns D(ᾱ).
func (st *bcfwState) averageDual() float64 {
	return st.meanLoss() - st.share()*st.lateLoss - st.p.Lambda/2*dualspace.Dot(st.average, st.average)
}

// iterate returns the average with averaging, and otherwise the last iterate.
func (st *bcfwState) iterate() solvers.Iterate {
	it := st.last()
	it.State = st.carry
	if st.average != nil {
		share := st.share()
		for j, x := range st.w {
			st.average[j] = x - share*st.late[j]
		}
		it.W, it.Dual = st.average, st.averageDual
	}
	return it
}

// last returns the last iterate, without averaging.
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
