// Package eg implements exponentiated gradient on the dual, as an online method and as a batch method. The dual
// variables are the part scores of each example.
package eg

import (
	"errors"
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Solver is exponentiated gradient, EG (Collins, Globerson, Koo, Carreras and Bartlett 2008: figures 1 to 3, sections
// 3, 4 and 7). It maximises the dual over products of Gibbs distributions α_i(y) ∝ exp(s_i·1_y), where s_i has one
// score for each part:
//
//	D(α) = 1/n Σ_i [τ H(α_i) + κ cost_i·μ_i] − λ/2 |w(α)|²,   w(α) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i)
//
// where μ_i are the marginals of α_i, H is the entropy, cost_i are the label losses of the parts, and τ and κ are Temp
// and Margin of models.Loss. The step on example i with rate η (section 4, lemma 1) is
//
//	s_i ← s_i + η (κ cost_i + A_i w − τ s_i)
//
// In Collins et al. 2008, C = λn and Q = −nD, and their w(α) is C times the w(α) here. The step is the same. Let H', μ'
// and μ_i' be the values after the step, and v = μ_i − μ_i'. The exact change of the dual by a step is (section 7)
//
//	n ΔD = τ(H' − H) + κ cost·(μ' − μ) − (A_i w)·v − |A_iᵀv|²/(2λn)
//
// An online method visits one example at a time. The rate η_i of the example is halved until ΔD ≥ 0, and multiplied by
// 1.05 after the update. The batch method (figure 1) makes the steps of all examples from the same w, with one rate.
// Each trial of a rate is one visit, which is one call of the exp-oracle.
//
// With a minibatch of B visits, the first trial of each visit is made in parallel at the w at the start of the batch.
// Then the steps are made one after the other (dualspace.Batches). The formula of n ΔD holds for any direction in score
// space, if A_i w is computed from the present w. If a trial fails whose direction was computed from an older w, the
// next trial has the same rate, with a direction computed from the present w.
//
// At the start, s_i is StartScore on the parts of the true labelling and 0 elsewhere. The set-up costs n calls. Collins
// et al. 2008 do not define the start; any interior point is allowed. With StartScore 0, the distributions are uniform,
// and w(α) is far from its optimum for small C. With StartScore 10, nearly all mass is on the true labelling, and w(α)
// is small, except for small C. The figures of Collins et al. agree with a start like StartScore 10
// (experiments/eg/README.md).
//
// A visit costs one Score, one call of the exp-oracle for each trial, and one AddAdjoint. During a visit, the memory of
// later visits is prefetched (dualspace.Order). State: 2 Σ Parts + Dim + 2n floats and 120 bytes for each example. The
// batch method needs 2 Σ Parts + Dim floats more.
type Solver struct {
	// initial rate; 0: the rate by the rule of Collins et al. 2008, section 7: the largest power of 1/2 at which at least
	// 95 % of the updates in one pass over a tenth of the data improve the dual
	Eta float64 `yaml:"eta" jsonschema:"minimum=0"`
	// order of the visits; random: drawn with replacement, as in Collins et al. 2008; permutation: a new random
	// permutation for each epoch; cyclic: the order of the data; batch: all examples at once
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic,enum=batch"`
	// score of the parts of the true labelling at the start; 0: uniform distributions; about 10: nearly all probability on
	// the true labelling, where w is small, except for small C
	StartScore float64 `yaml:"start" jsonschema:"minimum=0"`
	// adaptive: the rate is halved until the dual improves, and multiplied by 1.05 after an update; constant: the rate is
	// always eta; theory: the rate is the largest constant rate that theorems 1 and 2 of Collins et al. 2008 allow,
	// computed from the data; eta must then be left out
	Rate string `yaml:"rate" jsonschema:"enum=adaptive,enum=constant,enum=theory"`
	// number of visits whose oracles are called at the same w, in parallel if there are several workers; 0 means 1
	Minibatch int `yaml:"minibatch" jsonschema:"minimum=0" settings:"optional"`
	// if true, rows have the column kl: the mean Kullback-Leibler divergence of the dual distributions from the uniform
	// ones
	KL bool `yaml:"kl" settings:"optional"`
}

// The constants of Collins et al. 2008, section 7, and limits that rounding errors make necessary. Without these
// limits, the rate would be halved endlessly if no step on an example can improve the dual.
const (
	egGrowth  = 1.05
	egLargest = 1e6   // largest rate, which prevents overflow; at larger rates, a step hardly depends on the rate
	egTrials  = 40    // largest number of trials of a visit
	egTol     = 1e-12 // largest decrease of nD, for the dual D, that may be a rounding error, relative to 1 + |D|
)

var _ solvers.Warm = (*Solver)(nil)

// New returns a Solver with its default settings.
func New() *Solver { return &Solver{Order: "random", Rate: "adaptive", Minibatch: 1} }

// Needs implements Solver. EG needs marginals, a label loss over parts, and the norm of an adjoint.
func (e *Solver) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth | solvers.Hinge | solvers.Perceptron, Oracles: solvers.Exp,
		Features: solvers.Norms, PartLoss: true,
		OnePart: e.Rate == "theory", Memory: solvers.Memory{Parts: 1}}
}

// Check implements Checker.
func (e *Solver) Check(_ models.Objective) error {
	switch {
	case e.Rate == "theory" && e.Eta != 0:
		return fmt.Errorf("eta is %v, but rate: theory computes the rate from the data: leave out eta, or set rate: constant",
			e.Eta)
	case e.Rate != "theory" && e.Eta == 0 && (e.Rate == "constant" || e.Order == "batch"):
		return errors.New("eta is missing: with rate: constant or order: batch, give eta > 0; only the online method " +
			"with another rate chooses the first rate itself")
	case e.Order == "batch" && e.Minibatch > 1:
		return errors.New("order: batch visits all examples at once; leave out minibatch, or choose another order")
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
	eta := e.Eta
	if eta == 0 && e.Rate != "theory" {
		eta = firstRate(p, env, e.StartScore)
	}
	state := newEGState(p, env, e.StartScore, eta)
	session := e.session(state)
	if e.KL {
		session = newEGDivergence(session, state)
	}
	return session, nil
}

// session returns the session of the settings, which changes the state.
func (e *Solver) session(state *egState) solvers.Session {
	switch {
	case e.Rate == "theory":
		return newEGTheory(state, e)
	case e.Order == "batch":
		return newEGBatch(state, e.Rate == "adaptive")
	}
	return newEGOnline(state, e)
}
