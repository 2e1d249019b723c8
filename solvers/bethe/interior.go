package bethe

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/inference/cgm"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// InteriorPoint is the baseline for inference in collective graphical models: Newton's method on the whole convex
// programme
//
//	min_μ F(μ) = −H(μ) − θ·μ + L(μ)   over the marginals μ of the population's chain
//
// which starts at the base model's marginals and stays inside the polytope (Boyd and Vandenberghe 2004, section
// 10.2). It needs second derivatives and the structure of the problem, so it solves no other kind: see
// cgm.BlockInterior and cgm.SparseInterior for the two ways of solving Newton's system.
//
// An epoch is a step. No oracle of the problem is called. The set-up has the base model's marginals and, with sparse,
// the order of elimination. Primal is F(μ), which the search along a step has evaluated, and Dual the value of the
// dual at the tilts ∇L(μ). It is evaluated when called, and on the clock only if tol > 0. Scores are θ at
// the start, and then θ − ∇L(μ), whose marginals are μ at the optimum. All of these hold until the next step; after
// the last, for good.
//
// A step takes time of the order l k³, for l steps of the chain and k cells. State: blocks 6 l k² floats, sparse the
// factor.
type InteriorPoint struct {
	// blocks: Newton's system is eliminated along the chain with dense blocks; sparse: by a general sparse
	// factorisation, which knows nothing of chains
	Structure string `yaml:"structure" jsonschema:"enum=blocks,enum=sparse"`
	// end at a certified gap of this times 1 + |F|, at least 1e-13; 0: when Newton's method makes no more progress
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
	// a run that needs more steps fails
	MaxSteps int `yaml:"max_steps" jsonschema:"minimum=1"`
}

// Values of InteriorPoint.Structure.
const (
	structureBlocks = "blocks"
	structureSparse = "sparse"
)

const interiorLeastTol = 1e-13

var _ solvers.Inferrer = (*InteriorPoint)(nil)

// NewInteriorPoint returns an InteriorPoint with its default settings.
func NewInteriorPoint() *InteriorPoint {
	return &InteriorPoint{Structure: structureBlocks, MaxSteps: 100}
}

// Needs implements Solver: nothing that is data: see Check.
func (*InteriorPoint) Needs() solvers.Needs {
	return solvers.Needs{}
}

// Check implements Checker.
func (s *InteriorPoint) Check(o models.Objective) error {
	_, err := s.programme(o.(*models.Inference))
	return err
}

// programme returns the convex programme of the objective's one example.
func (s *InteriorPoint) programme(p *models.Inference) (*cgm.Problem, error) {
	switch {
	case s.Tol != 0 && s.Tol < interiorLeastTol:
		return nil, fmt.Errorf("tol is %v: want 0, or at least %v", s.Tol, interiorLeastTol)
	case len(p.Examples) != 1:
		return nil, solvers.Lacking("solves one collective graphical model; there are %d examples", len(p.Examples))
	}
	e := &p.Examples[0]
	f, ok := e.Features.(interface{ Collective() *cgm.Problem })
	if !ok || e.Energy == nil {
		return nil, solvers.Lacking("needs the structure of a collective graphical model, which the example does not have: " +
			"want model collective")
	}
	return f.Collective(), nil
}

// Infer implements Inferrer.
func (s *InteriorPoint) Infer(p *models.Inference, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		programme, err := s.programme(p)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		var method cgm.Solver = cgm.BlockInterior{Tol: s.Tol, MaxSteps: s.MaxSteps}
		if s.Structure == structureSparse {
			method = cgm.SparseInterior{Tol: s.Tol, MaxSteps: s.MaxSteps}
		}
		scores := func(at cgm.Iterate) []float64 { return tiltedScores(&p.Examples[0], at) }
		env.Enter("setup")
		started := false
		for at, err := range method.Run(programme) {
			if !started {
				env.Enter("")
				started = true
			}
			if err != nil {
				yield(solvers.Iterate{}, solvers.Fault(s, "%w", err))
				return
			}
			if !yield(interiorIterate(at, scores), nil) {
				return
			}
		}
	})
}

func interiorIterate(at cgm.Iterate, scores func(cgm.Iterate) []float64) solvers.Iterate {
	return solvers.Iterate{
		Epoch:  at.Step,
		Primal: func() float64 { return at.Primal },
		Dual:   at.Dual,
		Scores: func(int) []float64 { return scores(at) },
		Stats: func(yield func(name string, v float64)) {
			yield("newton_steps", float64(at.Step))
			if at.Step > 0 {
				yield("newton_decrement", at.Decrement)
				yield("step_size", at.Size)
			}
		},
	}
}

// tiltedScores returns θ − ∇L(μ). L reads the marginals of nodes only; they come first, whether transitions are tied or
// not.
func tiltedScores(e *models.Example, at cgm.Iterate) []float64 {
	theta := make([]float64, e.Features.Parts())
	e.Features.Score(theta, nil)
	if at.Step > 0 {
		e.Energy.AddGradient(theta, at.Mu, -1)
	}
	return theta
}
