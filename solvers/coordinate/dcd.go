package coordinate

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// DCD is dual coordinate descent for support vector machines on classes: for two classes that of Hsieh, Chang, Lin,
// Keerthi and Sundararajan (2008, A dual coordinate descent method for large-scale linear SVM), for more the sequential
// dual method of Keerthi, Sundararajan, Chang, Hsieh and Lin (2008) with the exact step of Crammer and Singer (2001).
// Each labelling is one part, so that α_i is a distribution over the classes and its own marginals:
//
//	D(α) = 1/n Σ_i κ cost_i·α_i − λ/2 |w(α)|²,   w(α) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − α_i).
//
// A visit maximises D over α_i, all others fixed. With the scores s = κ cost_i + A_i w, and |A_iᵀv|² = q|v|² for all v
// whose entries sum to 0 (models.Isotropic),
//
//	n ΔD(α_i → α') = s·(α' − α_i) − q/(2λn) |α' − α_i|²,
//
// whose maximiser over the simplex is a Euclidean projection,
//
//	α' = Π(α_i + λn/q s) = max(0, α_i + λn/q s − t),   Σ_c α'_c = 1.
//
// The conditions of optimality of an example are that no class has a greater score than one with mass. It violates them
// by v_i = max_c s_c − min_{c: α_c > 0} s_c ≥ 0, and as s·α_i is at least that minimum, P(w) − D(α), the mean over i of
// max_c s_c − s·α_i, is at most the mean v_i at one w.
//
// Shrinking. Near the optimum most examples have all mass on one class (that of the truth, or one that wins against it
// by more than the loss) and keep it. A sweep visits a set of examples, in a fresh permutation. An example with all
// its mass on one class, whose score is above that of all others by more than a tenth of the largest v of the last
// sweep, leaves the set; LIBLINEAR asks for the whole of it, and took up to 1.8 times the visits on a9a, ijcnn1 and
// letter. When the largest v of a sweep has fallen below a tenth of that of the last sweep over all examples, the next
// sweep is over all again, and none leaves in it: so no example is forgotten, however wrong the guess was.
//
// An epoch is n visits, to whichever examples; a visit is one Score, one best class (which counts as a call of the
// max-oracle) and, if v_i > 0, one AddAdjoint. The run ends when a sweep over all examples has found no violation above
// rounding. It starts from the true labellings, where w = 0. Visits in random order wait for memory. So what a visit
// reads of an example is stored together, with the row where the features are one (models.RowMap), and prefetched
// during earlier visits (package prefetch). State: Dim floats, the masses that are not 0, and some 200 bytes an
// example; for two classes 84.
type DCD struct {
	// whether sweeps leave out the examples that have their mass on one class and seem to keep it
	Shrinking bool `yaml:"shrinking"`
}

var _ solvers.Warm = (*DCD)(nil)

// NewDCD returns a DCD with its default settings.
func NewDCD() *DCD { return &DCD{Shrinking: true} }

// Needs implements Solver: a loss without a temperature, and labellings that are classes, with isotropic features.
func (*DCD) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge | solvers.Perceptron, Oracles: solvers.Max,
		Features: solvers.Isotropic, PartLoss: true, OnePart: true, Memory: solvers.Memory{Parts: 1}}
}

// Train implements Trainer.
func (s *DCD) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(s, p, env)
}

// Start implements Warm.
func (s *DCD) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(s, p); err != nil {
		return nil, err
	}
	return newDCDSession(p, env, s.Shrinking), nil
}

type dcdSession struct {
	*dcdSweep
	env    solvers.Env
	lambda float64
}

func newDCDSession(p *models.Risk, env solvers.Env, shrinking bool) *dcdSession {
	var point dcdPoint
	if pairs(p) {
		point = newDCDPairs(p)
	} else {
		point = newDCDClasses(p)
	}
	return &dcdSession{newDCDSweep(point, len(p.Examples), env.Seed, shrinking), env, p.Lambda}
}

// pairs reports whether all examples have two classes, and sparse rows.
func pairs(p *models.Risk) bool {
	for i := range p.Examples {
		f := p.Examples[i].Features
		if _, sparse := f.(models.SparseMap); !sparse || f.Parts() != 2 {
			return false
		}
	}
	return true
}

// Run implements Session.
func (o *dcdSession) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		if lambda != o.lambda {
			o.lambda = lambda
			o.point.scale(lambda)
			o.all()
		}
		due := dualspace.NewCadence(len(o.set))
		if !yield(o.iterate(), nil) {
			return
		}
		for !o.optimal && !o.env.Interrupted(yield) {
			before := o.visits
			for next := due.Next(o.visits); o.visits < next && !o.optimal; {
				o.next()
			}
			o.env.Answered(o.visits - before)
			if due.Refreshes(o.visits) {
				o.point.refresh()
			}
			if !yield(o.iterate(), nil) {
				return
			}
		}
	}
}

func (o *dcdSession) iterate() solvers.Iterate {
	return solvers.Iterate{
		W:     o.point.weights(),
		Epoch: o.visits / len(o.set),
		Dual:  o.point.dual,
		Stats: func(yield func(string, float64)) {
			yield("active", float64(o.active())/float64(len(o.set))) // share of the examples in the present sweep
			if !math.IsInf(o.last, 1) {
				yield("violation", o.last) // largest of the last sweep
			}
		},
	}
}
