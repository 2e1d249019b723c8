// Package svm trains support vector machines on classes with the faster of two methods.
package svm

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/interior"
)

// SVM trains with coordinate.DCD or with interior.SVM, whichever is expected to be faster on the problem. It has the
// rows, the bounds and the statistics of the method that it selects.
//
// The number of passes of DCD grows with q/(λn). Here q is the mean over the examples of the q of DCD, which is
// proportional to |x_i|². The theory of dual coordinate ascent has the factor 1 + q/(λn) (Shalev-Shwartz and Zhang
// 2013, Stochastic dual coordinate ascent methods for regularized loss minimization). So DCD is slow on raw features
// and for a small λ. The number of iterations of interior.SVM depends little on q and on λ, but an iteration costs more
// than a pass: r times as many multiplications (see interior.Work). A pass computes the scores of all examples and adds
// their features to w. SVM selects interior.SVM if it supports the problem and q/(λn) > passesFor · r. The choice
// depends on the problem only, not on the machine.
type SVM struct{}

// passesFor is about the value of q/(λn)/r at which both methods need the same time to reach a relative gap of 1e-3.
// This value was 48 on pendigits, by interpolation, and above 8 on letters with values multiplied by 20.
const passesFor = 30

var _ solvers.Warm = (*SVM)(nil)

// New returns an SVM. It has no settings.
func New() *SVM { return &SVM{} }

// Needs implements Solver. SVM has the needs of DCD, which uses less memory than interior.SVM.
func (*SVM) Needs() solvers.Needs { return coordinate.NewDCD().Needs() }

// Train implements Trainer.
func (s *SVM) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(s, p, env)
}

// Start implements Warm.
func (s *SVM) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(s, p); err != nil {
		return nil, err
	}
	return &session{p: p, env: env}, nil
}

// session runs one of the two methods at each λ. A run of DCD continues from the dual variables of the previous run of
// DCD. A run of interior.SVM always starts from its initial point.
type session struct {
	p       *models.Risk
	env     solvers.Env
	dcd     solvers.Session // nil before the first run of DCD
	byDCD   int             // epochs of DCD
	byInner int             // epochs of interior.SVM
}

// Run implements Session.
func (o *session) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		if interiorIsFaster(o.p.At(lambda)) {
			before := o.byDCD + o.byInner
			for it, err := range interior.NewSVM().Train(o.p.At(lambda), o.env) {
				it.Epoch += before
				o.byInner = it.Epoch - o.byDCD
				if !yield(it, err) {
					return
				}
			}
			return
		}
		if o.dcd == nil {
			dcd, err := coordinate.NewDCD().Start(o.p, o.env)
			if err != nil {
				yield(solvers.Iterate{}, err)
				return
			}
			o.dcd = dcd
		}
		for it, err := range o.dcd.Run(lambda) {
			o.byDCD = it.Epoch
			it.Epoch += o.byInner
			if !yield(it, err) {
				return
			}
		}
	}
}

// interiorIsFaster reports whether interior.SVM supports the problem and is expected to be faster than DCD (see SVM).
func interiorIsFaster(p *models.Risk) bool {
	if solvers.Missing(interior.NewSVM(), p) != nil {
		return false
	}
	q := 0.0
	for i := range p.Examples {
		q += p.Examples[i].Features.(models.Isotropic).ScaleSq()
	}
	n := float64(p.N())
	iteration, scores := interior.Work(p)
	return q/n/(p.Lambda*n) > passesFor*iteration/(2*scores)
}
