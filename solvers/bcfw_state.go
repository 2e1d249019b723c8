package solvers

import (
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/models"
)

// bcfwState is the dual point of BCFW: the marginals and the expected label loss of each example, the w that they
// induce, and the sums that give the average.
//
// The average of the first K iterates, with weights 1, 2, ..., K, needs no pass over w̄ in a visit. Visit t moves w by δ_t, so
// that w_t = δ_1 + ... + δ_t, and
//
//	w̄_K = 2/(K(K+1)) Σ_{t≤K} t w_t = 2/(K(K+1)) Σ_{s≤K} δ_s Σ_{t=s}^K t = w_K − u_K/(K(K+1)),   u_K = Σ_{s≤K} s(s−1) δ_s.
//
// u changes where w does, and w̄ is written out at a yield. The mean label loss is averaged in the same way.
type bcfwState struct {
	p     *models.Problem
	order string
	start []int     // offset of example i's parts in mu; n+1 values
	mu    []float64 // μ_i
	loss  []float64 // l_i
	w     []float64 // w(α)

	late     []float64 // u; nil without averaging
	average  []float64 // w̄, up to date at yields; nil without averaging
	lateLoss float64   // Σ s(s−1) times the change of the mean l in visit s

	rng    *rand.Rand
	perm   []int
	visits int
	moves  int   // 1 + visits that have moved w
	seen   []int // moves when the example was last found without a gap
	still  int   // examples found without a gap since w moved last

	gaps, steps       float64 // sums over the present epoch: g_i/n and γ
	lastGap, lastStep float64 // block_gap_sum and mean γ of the last epoch

	theta, diff []float64 // scratch, as long as the largest example
	y           models.Vertex
	sparse      models.Sparse
}

// newBCFWState starts from the true labellings, where w = 0.
func newBCFWState(b *BCFW, p *models.Problem) *bcfwState {
	n := len(p.Examples)
	st := &bcfwState{p: p, order: b.Order, start: make([]int, n+1), loss: make([]float64, n), w: make([]float64, p.Dim),
		rng: rand.New(rand.NewPCG(b.Seed, streamBCFW)), moves: 1, seen: make([]int, n)}
	widest := 0
	for i := range p.Examples {
		parts := p.Examples[i].Features.Parts()
		st.start[i+1] = st.start[i] + parts
		widest = max(widest, parts)
	}
	st.mu = make([]float64, st.start[n])
	for i := range p.Examples {
		mu := st.marginals(i)
		for _, r := range p.Examples[i].Truth {
			mu[r]++
		}
	}
	scratch := make([]float64, 2*widest)
	st.theta, st.diff = scratch[:widest], scratch[widest:]
	if b.Average {
		st.late, st.average = make([]float64, p.Dim), make([]float64, p.Dim)
	}
	return st
}

func (st *bcfwState) marginals(i int) []float64 { return st.mu[st.start[i]:st.start[i+1]] }

// next draws the example of the next visit.
func (st *bcfwState) next() int {
	n := len(st.p.Examples)
	switch st.order {
	case "cyclic":
		return st.visits % n
	case "permutation":
		if st.visits%n == 0 {
			st.permute(n)
		}
		return st.perm[st.visits%n]
	}
	return st.rng.IntN(n)
}

// permute shuffles the examples into an order that depends on the random numbers only.
func (st *bcfwState) permute(n int) {
	if st.perm == nil {
		st.perm = make([]int, n)
	}
	for i := range st.perm {
		st.perm[i] = i
	}
	st.rng.Shuffle(n, func(i, j int) { st.perm[i], st.perm[j] = st.perm[j], st.perm[i] })
}

// visit is one step on example i. It returns the gap of the block and γ.
func (st *bcfwState) visit(i int) (gap, gamma float64) {
	st.visits++
	loss, gap, size := st.corner(i)
	if !(gap > bcfwTol*size) {
		if st.seen[i] != st.moves {
			st.seen[i] = st.moves
			st.still++
		}
		return gap, 0
	}
	lambdaN := st.p.Lambda * float64(len(st.p.Examples))
	diff := st.diff[:st.start[i+1]-st.start[i]]
	gamma = min(1, lambdaN*gap/st.adjointNormSq(i, diff)) // 1 where no feature changes
	st.move(i, gamma, loss, gamma/lambdaN)
	st.moves++
	st.still = 0
	st.gaps += gap / float64(len(st.p.Examples))
	st.steps += gamma
	return gap, gamma
}

// corner finds the most violated labelling y* into st.y and returns its label loss and the gap g_i, a difference of terms of
// the given size. It leaves μ_i − 1_{y*} in st.diff.
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

// move takes the step of length γ towards st.y, with c = γ/(λn).
func (st *bcfwState) move(i int, gamma, loss, c float64) {
	mu := st.marginals(i)
	for r, m := range mu { // not μ − γ diff, which for γ = 1 would leave rounding behind
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
	st.addAdjoint(st.w, i, c)
	if st.late == nil {
		return
	}
	if late := float64(st.visits) * float64(st.visits-1); late > 0 {
		st.addAdjoint(st.late, i, late*c)
		st.lateLoss += late * (st.loss[i] - before) / float64(len(st.loss))
	}
}

// adjointNormSq is |A_iᵀv|².
func (st *bcfwState) adjointNormSq(i int, v []float64) float64 {
	switch f := st.p.Examples[i].Features.(type) {
	case models.Gram:
		return f.NormSq(v)
	case models.SparseMap:
		f.Adjoint(&st.sparse, v)
		return st.sparse.NormSq()
	}
	return math.NaN() // Supports has refused it
}

// addAdjoint adds c A_iᵀ(μ_i − 1_{y*}), which adjointNormSq has formed already where the map is not a Gram.
func (st *bcfwState) addAdjoint(w []float64, i int, c float64) {
	f := st.p.Examples[i].Features
	if _, ok := f.(models.Gram); ok {
		f.AddAdjoint(w, c, st.diff[:st.start[i+1]-st.start[i]])
		return
	}
	st.sparse.AddTo(w, c)
}

// endEpoch closes the sums of an epoch, and now and then sheds the rounding of many updates. u stays as it is: it has no
// more rounding than its own.
func (st *bcfwState) endEpoch() {
	n := len(st.p.Examples)
	st.lastGap, st.lastStep = st.gaps, st.steps/float64(n)
	st.gaps, st.steps = 0, 0
	if (st.visits/n)%bcfwRefresh == 0 {
		st.refresh()
	}
}

// refresh recomputes w from the marginals.
func (st *bcfwState) refresh() {
	clear(st.w)
	c := 1 / (st.p.Lambda * float64(len(st.p.Examples)))
	for i := range st.p.Examples {
		e, mu := &st.p.Examples[i], st.marginals(i)
		diff := st.diff[:len(mu)]
		for r, m := range mu {
			diff[r] = -m
		}
		for _, r := range e.Truth {
			diff[r]++
		}
		e.Features.AddAdjoint(st.w, c, diff)
	}
}

// dual is D(α), summed anew from the examples' losses.
func (st *bcfwState) dual() float64 {
	return st.meanLoss() - st.p.Lambda/2*dot(st.w, st.w)
}

func (st *bcfwState) meanLoss() float64 {
	var sum float64
	for _, l := range st.loss {
		sum += l
	}
	return sum / float64(len(st.loss))
}

// share is 1/(K(K+1)), and 0 at the start, where the average is w.
func (st *bcfwState) share() float64 {
	if st.visits == 0 {
		return 0
	}
	return 1 / (float64(st.visits) * float64(st.visits+1))
}

// averageDual is D(ᾱ).
func (st *bcfwState) averageDual() float64 {
	return st.meanLoss() - st.share()*st.lateLoss - st.p.Lambda/2*dot(st.average, st.average)
}
