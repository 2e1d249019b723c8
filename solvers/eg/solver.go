// Package eg has exponentiated gradient on the dual, online and in batches, with the part scores of each example as
// dual variables.
package eg

import (
	"errors"
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Solver is exponentiated gradient, EG (Collins, Globerson, Koo, Carreras and Bartlett 2008: figures 1 to 3, sections
// 3, 4 and 7). It maximises the dual over products of Gibbs distributions α_i(y) ∝ exp(s_i·1_y), one score per part:
//
//	D(α) = 1/n Σ_i [τ H(α_i) + κ cost_i·μ_i] − λ/2 |w(α)|²,   w(α) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i)
//
// where μ_i are the marginals of α_i and H the entropy. The step on example i with rate η (section 4, lemma 1) is
//
//	s_i ← s_i + η (κ cost_i + A_i w − τ s_i)
//
// In the paper's units C = λn, Q = −nD and w(α) is C times ours; the step is the same. With v = μ_i − μ_i' the step
// changes the dual by exactly (section 7)
//
//	n ΔD = τ(H' − H) + κ cost·(μ' − μ) − (A_i w)·v − |A_iᵀv|²/(2λn)
//
// An online method visits one example at a time; its rate η_i is halved until ΔD ≥ 0 and multiplied by 1.05 after the
// update. Batch (figure 1) moves all examples from the same w, with one rate. Each trial of a rate is one visit: one
// marginal call.
//
// The start, s_i = StartScore on the parts of the true labelling and 0 elsewhere, costs n calls of set-up. The paper
// does not say where to start; any interior point is allowed. From the uniform distribution (0), w(α) is far from its
// optimum for small C; from 10 on the true labelling, nearly all mass is there and w(α) is small unless C is. The
// paper's figures agree with the latter (experiments/eg/README.md).
//
// A visit costs one Score, one marginal call per trial and one AddAdjoint; meanwhile the memory of later visits is
// prefetched (dualspace.Order). State: 2 Σ Parts + Dim + 2n floats and 120 bytes an example; batch needs 2 Σ Parts +
// Dim more.
type Solver struct {
	// initial rate; 0: found by the paper's rule, the largest power of 1/2 at which 95 % of the updates of one
	// pass over a tenth of the data improve the dual
	Eta float64 `yaml:"eta" jsonschema:"minimum=0"`
	// random: with replacement, as in the paper; permutation: a fresh one per epoch; cyclic: the data's order;
	// batch: all at once
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic,enum=batch"`
	// score of the parts of the true labelling at the start; 0: the uniform distribution; about 10: nearly all
	// mass on the true labelling, where w is small unless C is
	StartScore float64 `yaml:"start" jsonschema:"minimum=0"`
	// adaptive: halved until the dual improves, times 1.05 after an update; constant: eta throughout; theory:
	// the largest constant rate of theorems 1 and 2, computed from the data, in place of eta
	Rate string `yaml:"rate" jsonschema:"enum=adaptive,enum=constant,enum=theory"`
}

// The constants of section 7, and guards against rounding: at an example's optimum the rate would be halved without
// end.
const (
	egGrowth  = 1.05
	egLargest = 1e6   // rate beyond which a step no longer changes: growth would overflow eventually
	egTrials  = 40    // trials of a visit before the example is skipped
	egTol     = 1e-12 // decrease of nD that may be due to rounding, relative to 1 + |D|
)

var _ solvers.Warm = (*Solver)(nil)

// New returns a Solver with its default settings.
func New() *Solver { return &Solver{Order: "random", Rate: "adaptive"} }

// Needs implements Solver: marginals, a label loss over parts, and the norm of an adjoint.
func (e *Solver) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth | solvers.Hinge | solvers.Perceptron, Oracles: solvers.Exp,
		Features: solvers.Norms, PartLoss: true,
		OnePart: e.Rate == "theory", Memory: solvers.Memory{Parts: 1}}
}

// Check implements Checker.
func (e *Solver) Check(_ models.Objective) error {
	switch {
	case e.Rate == "theory" && e.Eta != 0:
		return fmt.Errorf("eta is %v: the rate theory computes it from the data; leave eta out, or make the rate constant",
			e.Eta)
	case e.Rate != "theory" && e.Eta == 0 && (e.Rate == "constant" || e.Order == "batch"):
		return errors.New("a constant rate and order batch need eta > 0: the rule for the first rate is that of the online " +
			"method")
	}
	return nil
}

// Train implements Trainer.
func (e *Solver) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(e, p, env)
}

// Start implements Warm.
func (e *Solver) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(e, p); err != nil {
		return nil, err
	}
	p = p.Parallel(env.Workers)
	env.Enter("setup")
	defer env.Enter("")
	if e.Rate == "theory" {
		return newEGTheory(newEGState(p, env, e.StartScore, 0), e), nil
	}
	eta := e.Eta
	if eta == 0 {
		eta = firstRate(p, env, e.StartScore)
	}
	state := newEGState(p, env, e.StartScore, eta)
	if e.Order == "batch" {
		return newEGBatch(state, e.Rate == "adaptive"), nil
	}
	return newEGOnline(state, e), nil
}
