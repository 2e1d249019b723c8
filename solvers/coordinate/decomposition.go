package coordinate

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// Decomposition is the decomposition method for binary support vector machines (Joachims 1999, Making large-scale SVM
// learning practical), the baseline of the cutting-plane paper's table 2 in place of SVM-light. An example has two
// labellings, one for each of its parts, and so one dual variable a_i, that of the wrong one:
//
//	D(a) = Σ s_i a_i − 1/(2λ) aᵀK a,   0 ≤ a_i ≤ 1/n,   K_ij = z_i·z_j,   w = 1/λ Σ a_i z_i
//
// with z_i = A_iᵀ(1_truth − 1_other) and s_i the label loss of the other part. The gradient of all variables is kept,
//
//	G_i = ∂D/∂a_i = s_i − w·z_i,
//
// that is, how far example i is from its margin. A variable violates the conditions of Karush, Kuhn and Tucker by G_i
// if it could rise and G_i > 0, by −G_i if it could fall and G_i < 0. A step takes the two variables that violate
// them most and maximises D over both together. Without a bias the dual has no equality constraint, so any two will
// do, and one alone as well. With Pair second-order the second is the one with which the first gains most: this takes
// several times fewer steps where all rows have much in common, such as a bias.
//
// The run ends when no variable violates them by more than Tol in units of the largest label loss; then P(w) − D(a)
// is at most Tol times that loss. In SVM-light's terms: -b 0, -q 2, -e 0.001, and no shrinking.
//
// A step costs two columns of K for the change of G: O(n) if they are in the cache, else n sparse dot products each,
// and with a kernel one product by Risk.Norm before. It makes no oracle calls; an epoch is n steps. State: the
// z_i, 3n + 2 Dim floats (3 Dim with a kernel), and the cache.
type Decomposition struct {
	// violation of the optimality conditions at which the run ends, in units of the label loss
	Tol float64 `yaml:"tol" jsonschema:"exclusiveMinimum=0"`
	// megabytes for columns of the kernel matrix, the least recently used dropped first; two columns are kept in any case
	Cache float64 `yaml:"cache" jsonschema:"minimum=0"`
	// the second of the two variables of a step. violating: that with the largest violation but one; second-order:
	// that with which the first gains most
	Pair string `yaml:"pair" jsonschema:"enum=violating,enum=second-order"`
}

const decompositionYields = 1000 // most steps between yields: a step costs at least n multiplications

var _ solvers.Trainer = (*Decomposition)(nil)

// NewDecomposition returns a Decomposition with its default settings.
func NewDecomposition() *Decomposition {
	return &Decomposition{Tol: 1e-3, Cache: 100, Pair: "violating"}
}

// Needs implements Solver: the hinge, and examples whose labellings are one of two parts.
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
			return solvers.Lacking("needs a label loss of 0 for the true label and a finite one >= 0 for the other; example %d "+
				"has %v and %v", i, truth, other)
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

// run takes steps until the conditions of optimality are met to tol.
func (d *decompositionState) run(tol float64, env solvers.Env, yield func(solvers.Iterate, error) bool) {
	if !yield(d.iterate(), nil) {
		return
	}
	due := dualspace.NewCadence(len(d.a))
	due.Every = min(due.Every, decompositionYields)
	fresh := true // G has just been recomputed
	for !env.Interrupted(yield) {
		i, violation := d.worst()
		if violation <= tol*d.unit || !d.step(i) {
			if fresh { // met, or beyond the accuracy of float64
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
