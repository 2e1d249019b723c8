package interior

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

const (
	mostWeights = 2000  // largest number of weights for which SVM forms matrices of Dim × Dim
	svmRounding = 1e-11 // relative gap at which the run ends
	svmPatience = 10    // iterations without a decrease of the gap by a tenth after which the run ends
	correctors  = 10    // largest number of centrality correctors in an iteration
	svmBlocks   = 8     // blocks of examples whose sums are computed in parallel
	directions  = 6     // mean number of directions of an iteration; each needs all scores twice (see Work)
	boundary    = 0.995 // length of a step, as a share of the step at which a component of α or s becomes 0
)

// SVM is the primal-dual interior-point method for support vector machines with few features (Ferris and Munson 2002,
// Interior-point methods for massive support vector machines), with the predictor and corrector of Mehrotra (1992) and
// the centrality correctors of Gondzio (1996). It supports any number of classes. Its number of iterations depends
// little on the scale of the features and on λ, so it suits data on which coordinate methods are slow: raw features,
// and columns of different scales.
//
// With θ = A_i w, t = y_i, and label losses Δ_ic = κ cost_ic, where κ is Loss.Margin, the problem is
//
//	min λ/2 |w|² + 1/n Σ_i ξ_i   subject to   s_ic = ξ_i − Δ_ic − θ_c + θ_t ≥ 0 for all i and classes c.
//
// The multipliers of the constraints are α_ic/n, where α_i is a distribution over the classes. The optimum satisfies
//
//	w = w(α) = 1/(λn) Σ_i A_iᵀ(1_t − α_i),   Σ_c α_ic = 1,   α_ic s_ic = 0.
//
// An iteration is one step of Newton's method on these equations, with α_ic s_ic = σμ in place of 0. Here μ is the mean
// of α_ic s_ic. The factor σ is chosen such that the steps reduce μ as fast as the constraints permit. Let d_ic =
// α_ic/s_ic. Elimination of Δα, Δs and Δξ leaves a system for the change of w,
//
//	(λI + 1/n Σ_i A_iᵀ(diag d_i − d_i d_iᵀ/Σ_c d_ic) A_i) Δw = r,
//
// where the comment of svmState.solve defines r. The same step length applies to all variables. So w = w(α) holds after
// each step, up to rounding errors. P(w) and D(α) are bounds of the optimum in spite of these errors. An iterate has
// the w of least P(w) so far, and the greatest D(α) so far as its Dual.
//
// An epoch is an iteration. It counts as n calls of the max-oracle, since it evaluates P and D once. It also costs (k
// m)²/2 multiplications for each example with k classes and m non-zero features ((m² + m)/2 for two classes), Dim³/6
// for the factorisation, and two computations of the scores of all examples for each of up to a dozen directions.
// State: 9 Dim² floats, and 8 floats for each class of each example. The run ends when the gap is within rounding
// errors, or when rounding errors prevent progress.
type SVM struct{}

var _ solvers.Checker = (*SVM)(nil)

// NewSVM returns an SVM. It has no settings.
func NewSVM() *SVM { return &SVM{} }

// Needs implements Solver. SVM needs the hinge, and labellings that are classes with sparse rows of features.
func (*SVM) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge, Oracles: solvers.Max, Features: solvers.Sparse, PartLoss: true,
		OnePart: true, Memory: solvers.Memory{Weights: 4, Parts: 8}}
}

// Check implements Checker. SVM needs few weights, and rows of one of the forms that newLinear supports.
func (*SVM) Check(o models.Objective) error {
	p, ok := o.(*models.Risk)
	if !ok {
		return nil // Needs excludes other objectives
	}
	if p.Dim > mostWeights {
		return solvers.Lacking("supports at most %d weights, because it forms a matrix of weights × weights; this "+
			"model has %d", mostWeights, p.Dim)
	}
	for i := range p.Examples {
		if _, ok := newLinear(&p.Examples[i], nil); !ok {
			return solvers.Lacking("needs one row of features for each example, and weights for each class; the features of "+
				"example %d, with %d parts, have another form", i, p.Examples[i].Features.Parts())
		}
	}
	return nil
}

// Train implements Trainer.
func (s *SVM) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		best := make([]float64, p.Dim)
		if !yield(solvers.Iterate{W: best}, nil) {
			return
		}
		st := newSVMState(p)
		upper, lower, last, idle := math.Inf(1), math.Inf(-1), math.Inf(1), 0
		for epoch := 1; idle < svmPatience; epoch++ {
			if env.Interrupted(yield) {
				return
			}
			env.Answered(len(p.Examples))
			primal, dual := st.evaluate()
			lower = max(lower, dual)
			if primal < upper {
				upper = primal
				copy(best, st.w)
			}
			bound := lower
			it := solvers.Iterate{W: best, Epoch: epoch, Dual: func() float64 { return bound },
				Stats: func(put func(string, float64)) { put("complementarity", st.mu) }}
			if !yield(it, nil) {
				return
			}
			idle++
			if gap := upper - lower; gap < 0.9*last {
				last, idle = gap, 0
			}
			if upper-lower <= svmRounding*math.Abs(upper) || !st.step() {
				return
			}
		}
	})
}
