package coordinate

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// SDCA is stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2013) for the log loss and other smooth losses of
// structured models. A step needs one call of the exp-oracle and an exact line search (Le Priol, Piché and
// Lacoste-Julien 2018). Like EG, SDCA maximises the dual over one distribution α_i over the labellings of each example,
//
//	D(α) = 1/n Σ_i [τ H(α_i) + κ cost_i·μ_i] − λ/2 |w(α)|²,   w(α) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i),
//
// where μ_i are the marginals of α_i, H is the entropy, cost_i are the label losses of the parts, and τ and κ are Temp
// and Margin of models.Loss. A step moves α_i towards the distribution α̂ that w defines. With scores s = (κ cost_i +
// A_i w)/τ, log Z = log Σ_y exp(s·1_y) and the marginals μ̂ of α̂, the step is
//
//	α_i ← (1 − γ) α_i + γ α̂,   μ_i ← (1 − γ) μ_i + γ μ̂,   w ← w − γ/(λn) A_iᵀ(μ̂ − μ_i).
//
// So α_i becomes a mixture of Gibbs distributions. The marginals determine w, but they determine the entropy only if a
// labelling is one part (multiclass). For structures, the solver stores a lower bound h_i ≤ H(α_i). The dual that SDCA
// reports is D~, which is D with h_i in place of H(α_i). D~ is a certified bound too:
//
//	D~ = 1/n Σ_i [τ h_i + κ cost_i·μ_i] − λ/2 |w|² ≤ D(α) ≤ min P,   P(w) − D~ = 1/n Σ_i G_i,
//	G_i = τ (log Z − s·μ_i − h_i) = τ KL(α_i‖α̂) + τ (H(α_i) − h_i) ≥ 0.
//
// The entropy is strongly concave. So the entropy of the mixture is at least (1 − γ) H(α_i) + γ H(α̂) + γ(1 − γ) c/2
// for some c; c = |α̂ − α_i|₁² is valid. The solver uses another valid c, which it can compute from the marginals (see
// sdcaParts.curvature). If the marginals are expected counts, c is 0. A step sets h_i to this lower bound. Then the
// change of D~ and the best γ are known exactly:
//
//	n ΔD~ = γ G_i + γ(1 − γ) τc/2 − γ² Q/2,   Q = |A_iᵀ(μ̂ − μ_i)|²/(λn),   γ = min(1, (G_i + τc/2)/(τc + Q)).
//
// If a labelling is one part, h_i = H(α_i), and Newton's method computes the best γ. There is no rate to choose, a
// visit is one oracle call, and D~ never decreases. Even with c = 0, n ΔD~ ≥ σ G_i for σ = ½ min(1, τλn/(2R²)), where
// R² = max_{i,y} |A_iᵀ(1_{y_i} − 1_y)|². The mean of the G_i is P(w) − D~. So each visit to a random example multiplies
// min P − D~ by at most 1 − σ/n in expectation, which is a linear rate.
//
// With start: truth, all mass is on the true labellings, where w = 0 and D~ = 0. This start costs no oracle call. EG
// could not leave this point, but SDCA leaves it with the first step. With start: uniform, the set-up costs n calls,
// and w is far from the optimum for small λ.
//
// With a minibatch of B visits, the α̂ are computed in parallel at w₀, the w at the start of the batch. Then the steps
// are made one after the other (dualspace.Batches). The formula of n ΔD~ also holds for a step towards an α̂ computed
// at the older w₀, with
//
//	τ (H(α̂) − h_i) + (κ cost_i + A_i w)·(μ̂ − μ_i) = G_i + (w − w₀)·A_iᵀ(μ̂ − μ_i)
//
// in place of G_i, where the G_i in this formula is the value at w₀. If no γ > 0 increases D~, the step has length 0.
//
// An epoch is n visits. A visit costs one Score, one call of the exp-oracle, one |Aᵀv|² and one AddAdjoint. During a
// visit, the memory of later visits is prefetched (dualspace.Order). State: Σ Parts + Dim + n floats and 128 bytes for
// each example, and n more floats for a loss with a margin.
type SDCA struct {
	// order of the visits; random: drawn with replacement, as in the papers; permutation: a new random permutation for
	// each epoch; cyclic: the order of the data
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// distributions at the start; truth: probability 1 on the true labelling, where w is 0; uniform: equal probability on
	// all labellings
	Begin string `yaml:"start" jsonschema:"enum=truth,enum=uniform"`
	// number of visits whose oracles are called at the same w, in parallel if there are several workers; 0 means 1
	Minibatch int `yaml:"minibatch" jsonschema:"minimum=0" settings:"optional"`
}

var _ solvers.Warm = (*SDCA)(nil)

// NewSDCA returns an SDCA with its default settings.
func NewSDCA() *SDCA { return &SDCA{Order: "random", Begin: "truth", Minibatch: 1} }

// Needs implements Solver. SDCA needs a smooth loss, marginals, and the norm of an adjoint.
func (*SDCA) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Marginals, Features: solvers.Norms,
		Memory: solvers.Memory{Parts: 1}}
}

// Train implements Trainer.
func (s *SDCA) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(s, p, env)
}

// Start implements Warm.
func (s *SDCA) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(s, p); err != nil {
		return nil, err
	}
	env.Enter("setup")
	defer env.Enter("")
	p = p.Parallel(env.Workers)
	batch := max(1, s.Minibatch)
	session := &sdcaSession{env: env, sdcaState: newSDCAState(p, s.Begin == "uniform", batch),
		batches: dualspace.Batches{Size: batch, InBlocks: p.InBlocks},
		visits:  dualspace.NewOrder(s.Order, len(p.Examples), env.Seed, dualspace.StreamSDCA)}
	session.visits.Again = true
	return session, nil
}

// sdcaSession is a session of SDCA. It visits the examples in the chosen order.
type sdcaSession struct {
	*sdcaState
	env     solvers.Env
	batches dualspace.Batches
	visits  dualspace.Order // order and number of the visits of the whole session

	recent    float64 // number of visits since the last yield
	step, gap float64 // sums of the step length γ and of the gap G_i over these visits
}

// Run implements Session.
func (o *sdcaSession) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		o.setLambda(lambda)
		o.recent, o.step, o.gap = 0, 0, 0 // the visits at another λ do not count
		due := dualspace.NewCadence(len(o.p.Examples))
		for {
			if !yield(o.iterate(), nil) {
				return
			}
			o.recent, o.step, o.gap = 0, 0, 0
			for more := true; more; more = !due.Yields(o.visits.Done) {
				if o.env.Interrupted(yield) {
					return
				}
				o.batches.Next(&o.visits, due.Next(o.visits.Done), o)
				if due.Refreshes(o.visits.Done) {
					o.refresh()
				}
			}
		}
	}
}

// Prepare implements dualspace.Visitor. It also prefetches memory for later visits.
func (o *sdcaSession) Prepare(slot, i int) {
	if o.batches.Size == 1 {
		if soon, later, ok := o.visits.Ahead(); ok {
			o.fetch(soon, later)
		}
	}
	o.sdcaState.Prepare(slot, i)
}

// Step implements dualspace.Visitor. It makes the step, and adds its length and its gap to the statistics.
func (o *sdcaSession) Step(slot, i, visit int) {
	o.sdcaState.Step(slot, i, visit)
	o.recent++
	o.step += o.slots[slot].step
	o.gap += o.slots[slot].gap
}

func (o *sdcaSession) iterate() solvers.Iterate {
	return solvers.Iterate{
		W:     o.w,
		Epoch: o.visits.Epochs(),
		Dual:  o.dual,
		Stats: func(yield func(string, float64)) {
			if o.recent > 0 {
				yield("step_mean", o.step/o.recent)
				yield("block_gap", o.gap/o.recent) // mean of the gaps G_i before the steps, an estimate of P − D~
			}
		},
	}
}
