package bethe

import (
	"iter"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Damped is inference with a safeguard for each example (see energy.Damped), for energies that are not convex or
// have no bounded gradient. From ḡ_0 = 0 and μ_0 = MARG(θ),
//
//	ḡ_t = (1 − ρ) ḡ_{t−1} + ρ ∇L(μ_{t−1}),   μ_t = MARG(θ − ḡ_t)
//
// Where the step would not lower the objective, ρ is halved and the step tried again. An epoch is one trial for each
// example; an example whose trial fails stays where it is for the epoch.
type Damped struct {
	// the first rate, and the largest
	Rho float64 `yaml:"rho" jsonschema:"exclusiveMinimum=0,maximum=1"`
	// the most marginals to ask the base model for, for each example; those without the energy are the first
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
	// an example is done when no marginal changes by more than this times the rate; 0: none does
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
	// an example is done at a certified gap of this times 1 + |F|, for which each iterate takes one call of the oracle
	// more; 0: none does, and no certificate is on the clock. For convex energies only
	Gap float64 `yaml:"gap" jsonschema:"minimum=0"`
}

var _ solvers.Inferrer = (*Damped)(nil)

// NewDamped returns a Damped with its default settings.
func NewDamped() *Damped { return &Damped{Rho: 0.5, MaxCalls: betheCalls} }

func (s *Damped) algorithm(*models.Example) (energy.Stepwise, error) {
	return energy.Damped{Rho: s.Rho, MaxCalls: s.MaxCalls, Tol: s.Tol}, nil
}

// Needs implements Solver: marginals.
func (*Damped) Needs() solvers.Needs {
	return solvers.Needs{Oracles: solvers.Exp}
}

// Check implements Checker.
func (s *Damped) Check(o models.Objective) error {
	p := o.(*models.Inference)
	for i := range p.Examples {
		if e := p.Examples[i].Energy; s.Gap > 0 && e != nil && !e.Convex() {
			return solvers.Lacking("cannot stop at gap %v: the energy of example %d is not convex, so no gap is certified; "+
				"want gap 0", s.Gap, i)
		}
	}
	return betheCheck(p, s.algorithm)
}

// Infer implements Inferrer.
func (s *Damped) Infer(p *models.Inference, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return runBethe(s, p, env, s.algorithm, false, s.Gap)
}
