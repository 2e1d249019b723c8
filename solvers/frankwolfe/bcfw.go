// Package frankwolfe implements the block-coordinate Frank-Wolfe method (BCFW). Each step moves towards one labelling
// of one example.
package frankwolfe

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// BCFW is block-coordinate Frank-Wolfe (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, "Block-coordinate
// Frank-Wolfe optimization for structural SVMs", algorithm 4). It maximises the dual of the margin-rescaled hinge over
// one distribution α_i over the labellings of each example. It stores the marginals μ_i = Σ_y α_i(y) 1_y and the
// expected label losses l_i of these distributions, where Δ_i is the label loss of example i:
//
//	D(α) = 1/n Σ_i l_i − λ/2 |w|²,   l_i = Σ_y α_i(y) Δ_i(y),   w = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i).
//
// Lacoste-Julien et al. store A_iᵀ(1_{y_i} − μ_i)/(λn) and l_i/n instead of μ_i and l_i. Their form gives the same
// steps, but needs a vector of length Dim for each example. A visit computes the most violated labelling y* with one
// call of the max-oracle, and moves α_i towards y* by the optimal step γ:
//
//	y* = argmax_y Δ_i(y) + θ·1_y,   θ = A_i w,
//	g_i = Δ_i(y*) + θ·1_{y*} − l_i − θ·μ_i ≥ 0,   γ = min(1, λn g_i / |A_iᵀ(μ_i − 1_{y*})|²),
//	(μ_i, l_i) ← (1 − γ) (μ_i, l_i) + γ (1_{y*}, Δ_i(y*)),   w ← w + γ/(λn) A_iᵀ(μ_i − 1_{y*}).
//
// BCFW starts at μ_i = 1_{y_i}, where w and D are 0. γ is the exact maximiser, because the step changes the dual by
//
//	n ΔD = γ g_i − γ² |A_iᵀ(μ_i − 1_{y*})|² / (2λn),
//
// So D never decreases. A block is an example with its α_i, and g_i is the gap of the block. Since λ|w|² = 1/n Σ A_i
// w·(1_{y_i} − μ_i), the duality gap is the mean of the gaps of all blocks at one w, P(w) − D(α) = 1/n Σ g_i. The stop
// rule of Lacoste-Julien et al. uses this equality. The statistic block_gap_sum is the mean of the g_i over an epoch.
// This mean is only an estimate of the duality gap, because w changes during the epoch. The expected gap is at most ε
// after O(n + R²/(λε)) visits.
//
// Averaging follows the last line of the algorithm: w̄_{k+1} = k/(k+2) w̄_k + 2/(k+2) w_{k+1} after visit k + 1, and
// the same for l̄. So the weight of iterate k is proportional to k. w and l are linear in α, so w̄ = w(ᾱ) and l̄ = l(ᾱ)
// for the averaged distributions ᾱ. Therefore D(ᾱ) = l̄ − λ/2 |w̄|² is a lower bound on min P.
//
// An epoch is n visits, which are n calls of the max-oracle. With a 0/1 loss over labellings, a visit also calls the
// second-best oracle if the max-oracle returns the true labelling. The run ends when every block has been visited since
// the last change of w, and no gap was larger than rounding errors. Then w is optimal, but w̄ is not yet optimal, so
// the last iterate is w.
//
// A pairwise step (Osokin, Alayrac, Lukasewitz, Dokania and Lacoste-Julien 2016, "Minding the gaps for block
// Frank-Wolfe optimization of structured SVMs", section 4) moves mass from one labelling to y* and does not change the
// mass of other labellings. Near the optimum, μ_i is inside a face of the polytope of marginals. There, a Frank-Wolfe
// step towards a corner also takes mass from labellings that have positive mass at the optimum, and the dual converges
// only like 1/k. Pairwise steps do not have this problem. They need a list of the labellings with positive mass, with
// the mass of each labelling. With pairwise steps, averaging makes convergence slower (peers/agree).
//
// With a minibatch of B visits, the max-oracles are called in parallel at w₀, the w at the start of the batch. Then the
// steps are made one after the other (dualspace.Batches). By then, y* is stale: it was computed at w₀. The gap of a
// stale y* at the present w is
//
//	Δ_i(y*) − l_i − w·A_iᵀ(μ_i − 1_{y*}) = g_i + (w₀ − w)·A_iᵀ(μ_i − 1_{y*}),
//
// where g_i is the gap at w₀. If the gap at the present w is positive, the step is made with the γ that maximises the
// dual; otherwise there is no step. So D never decreases. Each visit costs one more product with A_iᵀ(μ_i − 1_{y*}). If
// the examples of a batch share features, some oracle calls are wasted, because their directions are similar.
//
// State: Σ Parts + Dim + n floats and n counts. Averaging needs 2 Dim more floats, and pairwise steps need the list of
// labellings with positive mass.
type BCFW struct {
	// order of the visits; random: drawn with replacement, as in the theorems of Lacoste-Julien et al. 2013; permutation:
	// a new random permutation for each epoch; cyclic: the order of the data
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// yield the weights and the bound of the weighted average of all iterates, where the weight of iterate k is
	// proportional to k, instead of the last iterate
	Average bool `yaml:"average"`
	// frank-wolfe: a step moves mass from all labellings of an example to the most violated one; pairwise: it moves mass
	// from the least violated labelling with positive mass to the most violated one
	Step string `yaml:"step" jsonschema:"enum=frank-wolfe,enum=pairwise" settings:"optional"`
	// number of visits whose oracles are called at the same w, in parallel if there are several workers; 0 means 1
	Minibatch int `yaml:"minibatch" jsonschema:"minimum=0" settings:"optional"`
}

const (
	pairwise    = "pairwise"
	bcfwTol     = 1e-12 // largest gap of a block that may be a rounding error, relative to its terms
	bcfwNothing = 1e-20 // marginals below this are set to 0: repeated shrinking gives subnormal numbers, which are slow
)

var _ solvers.Trainer = (*BCFW)(nil)

// New returns a BCFW with its default settings.
func New() *BCFW { return &BCFW{Order: "random", Average: true, Step: "frank-wolfe", Minibatch: 1} }

// Needs implements Solver. BCFW needs the hinge with margin rescaling, the oracle for violated margins, and the norm of
// an adjoint.
func (b *BCFW) Needs() solvers.Needs {
	holds := solvers.Memory{Weights: 1, Parts: 1}
	if b.Average {
		holds.Weights = 3
	}
	return solvers.Needs{Losses: solvers.Hinge, Oracles: solvers.Violation, Features: solvers.Norms, Memory: holds}
}

// Train implements Trainer.
func (b *BCFW) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(b, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		st := newBCFWState(b, p, env.Seed)
		n := len(p.Examples)
		due := dualspace.NewCadence(n)
		batches := dualspace.Batches{Size: max(1, b.Minibatch), InBlocks: p.InBlocks}
		if _, err := env.Resumed(st.carry); err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		if !yield(st.iterate(), nil) {
			return
		}
		for !env.Interrupted(yield) {
			if st.still == n {
				if b.Average {
					yield(st.last(), nil)
				}
				return
			}
			batches.Next(&st.visits, due.Next(st.visits.Done), st)
			if st.visits.Done%n == 0 {
				st.endEpoch()
			}
			if due.Refreshes(st.visits.Done) {
				st.refresh()
			}
			if due.Yields(st.visits.Done) && !yield(st.iterate(), nil) {
				return
			}
		}
	})
}
