package coordinate

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// DCD is dual coordinate descent for support vector machines on classes. For two classes, it is the method of Hsieh,
// Chang, Lin, Keerthi and Sundararajan (2008, A dual coordinate descent method for large-scale linear SVM). For more
// classes, it is the sequential dual method of Keerthi, Sundararajan, Chang, Hsieh and Lin (2008), with the exact step
// of Crammer and Singer (2001). Each labelling is one part, its class. So the dual variables α_i of example i are a
// distribution over the classes, which equals its marginals. The dual, with κ = Margin of models.Loss and the label
// losses cost_i of the classes, is
//
//	D(α) = 1/n Σ_i κ cost_i·α_i − λ/2 |w(α)|²,   w(α) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − α_i).
//
// A visit maximises D over α_i, with all others fixed. Let s = κ cost_i + A_i w be the scores, and let |A_iᵀv|² = q|v|²
// for all v whose entries sum to 0 (models.Isotropic). Then
//
//	n ΔD(α_i → α') = s·(α' − α_i) − q/(2λn) |α' − α_i|²,
//
// The maximiser over the simplex is a Euclidean projection,
//
//	α' = Π(α_i + λn/q s) = max(0, α_i + λn/q s − t),   Σ_c α'_c = 1.
//
// An example is optimal if no class has a larger score than a class with mass, that is, with α_c > 0. The violation of
// this condition is v_i = max_c s_c − min_{c: α_c > 0} s_c ≥ 0. The mean score s·α_i is at least this minimum, because
// α_i has mass only on classes with α_c > 0. So P(w) − D(α), which is the mean over i of max_c s_c − s·α_i, is at most
// the mean of the v_i, if all v_i are computed at the same w.
//
// Shrinking. Near the optimum, most examples have all mass on one class, and their α_i no longer changes. The class is
// the true one, or one whose score exceeds the score of the true class by more than the label loss. A sweep visits a
// set of examples in a new random permutation. An example leaves the set if all its mass is on one class whose score
// exceeds the scores of all other classes by more than a tenth of the largest v of the last sweep. LIBLINEAR requires a
// difference of at least the largest v itself, and needed up to 1.8 times as many visits on a9a, ijcnn1 and letter.
// When the largest v of a sweep is below a tenth of the largest v of the last sweep over all examples, the next sweep
// again visits all examples, and no example leaves the set in it. So examples that left the set by mistake are visited
// again.
//
// An epoch is n visits to any examples. A visit costs one Score, one computation of the best class (which counts as a
// call of the max-oracle) and, if v_i > 0, one AddAdjoint. The run ends when a sweep over all examples finds no
// violation beyond rounding. It starts at the true labellings, where w = 0. In random order, the data of a visit are
// rarely in the processor's cache. So the data that a visit reads are stored together, with the row of features if
// there is one (models.RowMap), and are prefetched during earlier visits (package prefetch). State: Dim floats, the
// positive masses, and about 200 bytes for each example, or 84 bytes if there are two classes.
type DCD struct {
	// whether sweeps leave out examples whose mass is on one class and is unlikely to move
	Shrinking bool `yaml:"shrinking"`
}

var _ solvers.Warm = (*DCD)(nil)

// NewDCD returns a DCD with its default settings.
func NewDCD() *DCD { return &DCD{Shrinking: true} }

// Needs implements Solver. DCD needs a hinge loss with any margin (temperature 0), a label loss over parts, a
// max-oracle, labellings that are classes, and isotropic features.
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
			yield("active", float64(o.active())/float64(len(o.set))) // the share of the examples that are in the present sweep
			if !math.IsInf(o.last, 1) {
				yield("violation", o.last) // largest violation of the last sweep
			}
		},
	}
}
