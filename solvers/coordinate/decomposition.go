package coordinate

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// Decomposition is the decomposition method for binary support vector machines (Joachims 1999, Making large-scale SVM
// learning practical). It takes the place of SVM-light as the baseline of table 2 of Joachims, Finley and Yu (2009). An
// example has two labellings, one for each of its parts. So it has one dual variable a_i, which belongs to the wrong
// labelling:
//
//	D(a) = Σ s_i a_i − 1/(2λ) aᵀK a,   0 ≤ a_i ≤ 1/n,   K_ij = z_i·z_j,   w = 1/λ Σ a_i z_i
//
// where z_i = A_iᵀ(1_truth − 1_other), and s_i is the label loss of the other (wrong) part. The solver stores all
// components of the gradient,
//
//	G_i = ∂D/∂a_i = s_i − w·z_i,
//
// If G_i > 0, example i violates its margin constraint w·z_i ≥ s_i by G_i. A variable a_i violates the conditions of
// Karush, Kuhn and Tucker by G_i if a_i can increase and G_i > 0, and by −G_i if a_i can decrease and G_i < 0. A step
// maximises D jointly over the two variables of largest violation. Without a bias, the dual has no equality constraint,
// so a step may use any two variables, or only one. With Pair second-order, the second variable is the one that gives
// the largest increase of D together with the first. This rule needs several times fewer steps if all rows z_i have a
// large common component, such as a bias.
//
// The run ends when no variable violates the conditions by more than Tol, in units of the largest label loss. Then P(w)
// − D(a) is at most Tol times this loss. This corresponds to SVM-light with the options -b 0, -q 2 and -e 0.001, but
// without its shrinking, which leaves out variables that stay at a bound.
//
// A step needs two columns of K to update G. The step costs O(n) if both columns are in the cache. A column that is not
// in the cache costs another n sparse dot products and, with a kernel, one product by Risk.Norm. A step calls no
// oracle. An epoch is n steps. State: the z_i, 3n + 2 Dim floats (3 Dim with a kernel), and the cache.
type Decomposition struct {
	// the run ends when the largest violation of the optimality conditions is at most this, in units of the largest label
	// loss
	Tol float64 `yaml:"tol" jsonschema:"exclusiveMinimum=0"`
	// megabytes of memory for columns of the kernel matrix; at least two columns are stored; the least recently used
	// column is removed first
	Cache float64 `yaml:"cache" jsonschema:"minimum=0"`
	// the second of the two variables of a step; violating: the variable with the second largest violation; second-order:
	// the variable that gives the largest increase of the dual together with the first
	Pair string `yaml:"pair" jsonschema:"enum=violating,enum=second-order"`
}

const decompositionYields = 1000 // largest number of steps between yields; a step costs at least n multiplications

var _ solvers.Trainer = (*Decomposition)(nil)

// NewDecomposition returns a Decomposition with its default settings.
func NewDecomposition() *Decomposition {
	return &Decomposition{Tol: 1e-3, Cache: 100, Pair: "violating"}
}

// Needs implements Solver. Decomposition needs the hinge, and examples whose labellings are one of two parts.
func (*Decomposition) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge, Parts: 2, Features: solvers.Sparse, Norm: true,
		Memory: solvers.Memory{Weights: 2}}
}

// Check implements Checker.
func (*Decomposition) Check(o models.Objective) error {
	p := o.(*models.Risk)
	for i := range p.Examples {
		truth, other := binaryCosts(&p.Examples[i])
		if truth != 0 || !(other >= 0) || math.IsInf(other, 1) {
			return solvers.Lacking("needs a label loss of 0 for the true label, and a finite label loss >= 0 for the other; "+
				"example %d has %v and %v", i, truth, other)
		}
	}
	return nil
}

// Train implements Trainer.
func (s *Decomposition) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		newDecompositionState(p, s).run(s.Tol, env, yield)
	})
}

// run makes steps until no variable violates the optimality conditions by more than tol, in units of the largest label
// loss.
func (d *decompositionState) run(tol float64, env solvers.Env, yield func(solvers.Iterate, error) bool) {
	if !yield(d.iterate(), nil) {
		return
	}
	due := dualspace.NewCadence(len(d.a))
	due.Every = min(due.Every, decompositionYields)
	fresh := true // whether no step was made since the gradient G was last recomputed
	for !env.Interrupted(yield) {
		i, violation := d.worst()
		if violation <= tol*d.unit || !d.step(i) {
			if fresh { // the conditions hold, or rounding errors prevent further progress
				yield(d.iterate(), nil)
				return
			}
			d.refresh()
			fresh = true
			continue
		}
		d.steps++
		fresh = due.Refreshes(d.steps)
		if fresh {
			d.refresh()
		}
		if due.Yields(d.steps) && !yield(d.iterate(), nil) {
			return
		}
	}
}
