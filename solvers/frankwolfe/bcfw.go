// Package frankwolfe has block-coordinate Frank-Wolfe, which steps towards one labelling of one example.
package frankwolfe

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// BCFW is block-coordinate Frank-Wolfe (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, "Block-coordinate
// Frank-Wolfe optimization for structural SVMs", algorithm 4). It maximises the dual of the margin-rescaled hinge
// over products of distributions α_i of labellings, of which it keeps the marginals μ_i = Σ_y α_i(y) 1_y and the
// expected label loss l_i:
//
//	D(α) = 1/n Σ_i l_i − λ/2 |w|²,   l_i = Σ_y α_i(y) Δ_i(y),   w = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i).
//
// The paper keeps A_iᵀ(1_{y_i} − μ_i)/(λn) and l_i/n in place of μ_i and l_i: the same algorithm, with a vector of
// length Dim per example. A visit takes the most violated labelling, one call of the max-oracle, and moves α_i
// towards it as far as is best:
//
//	y* = argmax_y Δ_i(y) + θ·1_y,   θ = A_i w,
//	g_i = Δ_i(y*) + θ·1_{y*} − l_i − θ·μ_i ≥ 0,   γ = min(1, λn g_i / |A_iᵀ(μ_i − 1_{y*})|²),
//	(μ_i, l_i) ← (1 − γ) (μ_i, l_i) + γ (1_{y*}, Δ_i(y*)),   w ← w + γ/(λn) A_iᵀ(μ_i − 1_{y*}).
//
// It starts from μ_i = 1_{y_i}, where w and D are 0. γ is the exact maximiser, because the step changes the dual by
//
//	n ΔD = γ g_i − γ² |A_iᵀ(μ_i − 1_{y*})|² / (2λn),
//
// and so D never falls. Since λ|w|² = 1/n Σ A_i w·(1_{y_i} − μ_i), the gaps of all blocks at one w make up the
// duality gap, P(w) − D(α) = 1/n Σ g_i, by which the paper stops. In the course of an epoch w moves, and their mean,
// block_gap_sum, is an estimate only. The expected gap is at most ε after O(n + R²/(λε)) visits.
//
// Averaging is that of the algorithm's last line, w̄_{k+1} = k/(k+2) w̄_k + 2/(k+2) w_{k+1} after visit k + 1, and l̄
// likewise: weights that grow like k. w and l are linear in α, so these are w(ᾱ) and l(ᾱ) of the averaged
// distributions, which are distributions themselves, and D(ᾱ) = l̄ − λ/2 |w̄|² is a lower bound of min P like any
// other.
//
// An epoch is n visits: n calls of the max-oracle; with a 0/1 loss over labellings those that find the truth also
// take one of the second-best oracle. The run ends when no block has had a gap since w moved last, beyond rounding.
// Then w is optimal but w̄ lags behind, and the last iterate is w.
//
// A pairwise step (Osokin, Alayrac, Lukasewitz, Dokania and Lacoste-Julien 2016, "Minding the gaps for block
// Frank-Wolfe optimization of structured SVMs", section 4) moves mass from one labelling to y* and leaves the others as
// they are. Near the optimum, where μ_i is inside of a face, a step towards a corner moves mass away from labellings
// that are right as well, and the dual converges like 1/k; pairwise steps need not. The labellings that have mass are
// kept for that, with the mass of each. Averaging then hinders (peers/agree).
//
// State: Σ Parts + Dim + n floats and n counts; averaging needs 2 Dim more, pairwise steps each labelling with mass.
type BCFW struct {
	// random: with replacement, as in the paper's theorems; permutation: a fresh one per epoch; cyclic: the data's order
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// weights and bound of the average of all iterates, iterate k with a weight like k, instead of the last iterate
	Average bool `yaml:"average"`
	// frank-wolfe: mass moves from all labellings of an example to the most violated one; pairwise: from the least
	// violated one that has mass
	Step string `yaml:"step" jsonschema:"enum=frank-wolfe,enum=pairwise" settings:"optional"`
}

const (
	pairwise    = "pairwise"
	bcfwTol     = 1e-12 // gap of a block that may be due to rounding, relative to its terms
	bcfwNothing = 1e-20 // marginal that is 0: repeated shrinking would end in subnormal numbers, which are slow
)

var _ solvers.Trainer = (*BCFW)(nil)

// New returns a BCFW with its default settings.
func New() *BCFW { return &BCFW{Order: "random", Average: true, Step: "frank-wolfe"} }

// Needs implements Solver: hinge with margin rescaling, its oracle, and the norm of an adjoint.
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
			st.visit(st.visits.Next())
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
