package bethe

import (
	"iter"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Damped runs dual averaging with a safeguard for each example (see energy.Damped). It also supports energies L that
// are not convex or whose gradient is not bounded. θ are the scores without the energy, and MARG(θ) are the base
// model's marginals at these scores. Damped starts at ḡ_0 = 0 and μ_0 = MARG(θ), and iterates
//
//	ḡ_t = (1 − ρ) ḡ_{t−1} + ρ ∇L(μ_{t−1}),   μ_t = MARG(θ − ḡ_t).
//
// If a step would not decrease the objective, ρ is halved and the step is tried again. An epoch is one trial for each
// example. An example whose trial fails does not change in this epoch.
type Damped struct {
	// initial value of the step size ρ, which is also the largest value
	Rho float64 `yaml:"rho" jsonschema:"exclusiveMinimum=0,maximum=1"`
	// largest number of calls of the base model's exp-oracle for each example, including the first call without the energy
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
	// the iterations for an example end when no marginal changes by more than this times ρ; 0: this rule is off
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
	// the iterations for an example end when its certified gap is at most this times 1 + |F|, where F is the objective;
	// this rule costs one more oracle call for each iterate, and needs convex energies; 0: this rule is off, and gaps are
	// computed only while the clock is stopped
	Gap float64 `yaml:"gap" jsonschema:"minimum=0"`
}

var _ solvers.Inferrer = (*Damped)(nil)

// NewDamped returns a Damped with its default settings.
func NewDamped() *Damped { return &Damped{Rho: 0.5, MaxCalls: betheCalls} }

func (s *Damped) algorithm(*models.Example) (energy.Stepwise, error) {
	return energy.Damped{Rho: s.Rho, MaxCalls: s.MaxCalls, Tol: s.Tol}, nil
}

// Needs implements Solver. Damped needs marginals.
func (*Damped) Needs() solvers.Needs {
	return solvers.Needs{Oracles: solvers.Exp}
}

// Check implements Checker.
func (s *Damped) Check(o models.Objective) error {
	p := o.(*models.Inference)
	for i := range p.Examples {
		if e := p.Examples[i].Energy; s.Gap > 0 && e != nil && !e.Convex() {
			return solvers.Lacking("cannot stop at gap %v: the energy of example %d is not convex, so there is no certified "+
				"gap; set gap: 0", s.Gap, i)
		}
	}
	return betheCheck(p, s.algorithm)
}

// Infer implements Inferrer.
func (s *Damped) Infer(p *models.Inference, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return runBethe(s, p, env, s.algorithm, false, s.Gap)
}

// Certifies implements Certifier: if Gap > 0, the iterations for each example end at a certified gap.
func (s *Damped) Certifies() bool { return s.Gap > 0 }
