package bethe

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/inference/cgm"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// InteriorPoint is the baseline method for inference in collective graphical models. It applies Newton's method to the
// whole convex programme
//
//	min_μ F(μ) = −H(μ) − θ·μ + L(μ)   over the marginals μ of the population's chain.
//
// H is the entropy, θ are the part scores and L is the energy. The method starts at the base model's marginals and
// stays inside the polytope (Boyd and Vandenberghe 2004, section 10.2). It needs second derivatives and the structure
// of the problem, so it solves no other kind of problem. cgm.BlockInterior and cgm.SparseInterior describe the two ways
// to solve Newton's system.
//
// An epoch is one Newton step. No oracle of the problem is called. The set-up computes the base model's marginals and,
// with structure: sparse, the order of elimination. The Primal of an iterate is F(μ), which the line search has
// evaluated. Dual is a lower bound on min F, the value of the dual at ∇L(μ). This bound is computed when Dual is
// called. If tol > 0, the method also computes it at each step, while the clock runs. Scores are θ at the start, and
// then θ − ∇L(μ). At the optimum, μ are the marginals of these scores. Primal, Dual and Scores are valid until the next
// step, and after the last step they stay valid.
//
// A step takes time of the order l k³ for a chain of l steps with k cells. State: 6 l k² floats with structure: blocks,
// and the sparse factor of the system with structure: sparse.
type InteriorPoint struct {
	// how Newton's system is solved; blocks: by elimination of dense blocks along the chain; sparse: by a general sparse
	// factorisation that does not use the chain
	Structure string `yaml:"structure" jsonschema:"enum=blocks,enum=sparse"`
	// the run ends when the certified gap is at most this times 1 + |F|, where F is the objective; at least 1e-13; 0: the
	// run ends when Newton's method makes no more progress
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
	// largest number of steps; a run that needs more steps fails
	MaxSteps int `yaml:"max_steps" jsonschema:"minimum=1"`
}

// Values of InteriorPoint.Structure.
const (
	structureBlocks = "blocks"
	structureSparse = "sparse"
)

const interiorLeastTol = 1e-13 // least positive Tol; rounding errors prevent a smaller certified gap

var _ solvers.Inferrer = (*InteriorPoint)(nil)

// NewInteriorPoint returns an InteriorPoint with its default settings.
func NewInteriorPoint() *InteriorPoint {
	return &InteriorPoint{Structure: structureBlocks, MaxSteps: 100}
}

// Needs implements Solver. The Needs are empty, because Check checks all requirements.
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
		return nil, fmt.Errorf("tol is %v: want 0 or at least %v", s.Tol, interiorLeastTol)
	case len(p.Examples) != 1:
		return nil, solvers.Lacking("solves one collective graphical model; this problem has %d examples", len(p.Examples))
	}
	e := &p.Examples[0]
	f, ok := e.Features.(interface{ Collective() *cgm.Problem })
	if !ok || e.Energy == nil {
		return nil, solvers.Lacking("needs a collective graphical model, but the example has another structure: " +
			"use model collective")
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

// tiltedScores returns θ − ∇L(μ), the part scores θ minus the gradient of the energy L at the marginals μ of an
// iterate; at the start it returns θ. L depends only on the marginals of nodes, which come first for both tied and
// untied transitions.
func tiltedScores(e *models.Example, at cgm.Iterate) []float64 {
	theta := make([]float64, e.Features.Parts())
	e.Features.Score(theta, nil)
	if at.Step > 0 {
		e.Energy.AddGradient(theta, at.Mu, -1)
	}
	return theta
}
