package energy

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Augmented turns a base model and an energy into one model, with the oracles of any other:
//
//	LogSum(θ) = −min_μ F(μ) = max_μ H(μ) + θ·μ − L(μ)
//
// and its marginals are the maximiser, which for convex L is the gradient by θ. So solvers for the log loss train θ,
// and the harness scores predictions, as usual. Both are as exact as the inference: what is returned is −F at its last
// iterate. With an energy that is not convex the marginals are not the gradient of any function.
type Augmented struct {
	base   models.ExpOracle
	best   models.MaxOracle
	energy Energy
	by     Inference
	pool   scratch.Pool[augmentedScratch]
}

// augmentedScratch keeps its closure, so that a call allocates none.
type augmentedScratch struct {
	problem Problem
	run     iter.Seq[Iterate]
	keep    func(Iterate) bool
	last    Iterate
}

var (
	_ models.ExpOracle = (*Augmented)(nil)
	_ models.MaxOracle = (*Augmented)(nil)
)

// NewAugmented takes the oracles of a base model; best may be nil if Max is never called.
func NewAugmented(base models.ExpOracle, best models.MaxOracle, e Energy, by Inference) (*Augmented, error) {
	if by == nil {
		return nil, fmt.Errorf("energy: an augmented model without inference: want one of RDA, Accelerated, Damped")
	}
	if err := by.Supports(&Problem{Theta: make([]float64, 1), Oracle: base, Energy: e}); err != nil {
		return nil, err
	}
	return &Augmented{base: base, best: best, energy: e, by: by}, nil
}

// LogSum implements models.ExpOracle.
func (a *Augmented) LogSum(mu, theta []float64) float64 {
	s := a.infer(theta)
	defer a.put(s)
	value := -s.last.Value()
	if mu != nil {
		checkLengths(len(mu), len(theta), "marginals")
		copy(mu, s.last.Mu)
	}
	return value
}

// Max implements models.MaxOracle: the mode of the distribution that inference ends with. The value is that of the
// base model at the tilted scores.
func (a *Augmented) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	if a.best == nil {
		panic("energy: the augmented model has no max-oracle")
	}
	s := a.infer(theta)
	defer a.put(s)
	return a.best.Max(dst, s.last.Tilted)
}

func (a *Augmented) infer(theta []float64) *augmentedScratch {
	s := a.pool.Get()
	if s.run == nil {
		s.problem.Oracle, s.problem.Energy = a.base, a.energy
		s.run = a.by.Run(&s.problem)
		s.keep = func(it Iterate) bool { s.last = it; return true }
	}
	s.problem.Theta = theta
	s.run(s.keep)
	return s
}

// put returns working memory, without the caller's scores.
func (a *Augmented) put(s *augmentedScratch) {
	s.problem.Theta = nil
	a.pool.Put(s)
}
