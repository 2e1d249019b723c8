package solvers

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/models"
)

// OneSlack is the 1-slack cutting-plane method (Joachims, Finley and Yu 2009: algorithms 3 and 4, with the cache of
// section 4). One slack variable stands for the mean hinge of all examples, so a constraint is a labelling of the
// whole data set:
//
//	min_{w, ξ ≥ 0} ½|w|² + Cξ   s.t.  w·g ≥ d − ξ  for every (ȳ_1, …, ȳ_n),   C = 1/λ,
//	g = 1/n Σ a_i ψ_i(ȳ_i),  d = 1/n Σ Δ_i(ȳ_i),  ψ_i(ȳ) = A_iᵀ(1_{y_i} − 1_ȳ),
//
// with a_i = 1 (margin rescaling) or Δ_i(ȳ_i) (slack rescaling). An iteration finds the labelling whose constraint is
// most violated at w, one oracle call per example, and solves the QP of all constraints found so far in its dual
// (OP6, OP7). It ends when the violation is at most ξ + Epsilon; then P(w) − D ≤ Epsilon plus the QP's tolerance in
// gaplab's scale, P being the paper's objective over C, and C·Epsilon in the paper's.
//
// The cache keeps for each example the labellings that were used last. An iteration first composes a constraint from
// these, at the price of the scores, and calls the oracle only if that constraint is not violated enough. Labellings
// are kept, not their features: a labelling's score is a sum of part scores.
//
// An epoch is an iteration, one QP. State: the constraints (sparse), n·Cache labellings, and sums by block of
// examples: 2 to 64 times Dim floats, twice Dim or at most 16 million.
type OneSlack struct {
	// violation of the constraints that is tolerated, in units of the label loss; 0: until a rule of stop ends
	// the run, or rounding does
	Epsilon float64 `yaml:"eps" jsonschema:"minimum=0"`
	// labellings kept per example, tried before the oracle; 0: no cache
	Cache int `yaml:"cache" jsonschema:"minimum=0,maximum=1000"`
	// when a constraint of cached labellings will do. paper: if it is violated by more than eps; svmstruct: by
	// more than a tenth of what the last oracle pass found as well, and of violated labellings alone, as in the
	// authors' program
	CacheRule string `yaml:"cache_rule" jsonschema:"enum=svmstruct,enum=paper"`
	// accuracy of the QP in units of the label loss; 0: half of the violation that was found last
	Tolerance float64 `yaml:"tolerance" jsonschema:"minimum=0"`
	// qp: solve the QP of the working set; line-search: a step along the new constraint only (section 3.2)
	Step string `yaml:"step" jsonschema:"enum=qp,enum=line-search"`
	// a constraint goes after so many QPs without a multiplier; 0: never
	Drop int `yaml:"drop" jsonschema:"minimum=0"`
	// goroutines of the loop over examples; the results do not depend on it
	Workers int `yaml:"workers" jsonschema:"minimum=1,maximum=1024"`
}

var _ Warm = (*OneSlack)(nil)

func newOneSlack() Solver {
	return &OneSlack{Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50, Workers: 1}
}

// Supports needs a hinge and its oracle.
func (o *OneSlack) Supports(p *models.Problem) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("solvers: one-slack: %w", err)
	}
	switch {
	case o.CacheRule != "svmstruct" && o.CacheRule != "paper":
		return fmt.Errorf("solvers: one-slack: cache_rule %q; accepted: svmstruct, paper", o.CacheRule)
	case o.Step != "qp" && o.Step != "line-search":
		return fmt.Errorf("solvers: one-slack: step %q; accepted: qp, line-search", o.Step)
	case !(o.Epsilon >= 0) || !(o.Tolerance >= 0):
		return fmt.Errorf("solvers: one-slack: eps %v and tolerance %v: want at least 0", o.Epsilon, o.Tolerance)
	case o.Cache < 0 || o.Drop < 0 || o.Drop == 1:
		return fmt.Errorf("solvers: one-slack: cache %d and drop %d: want at least 0, and drop not 1, which could drop "+
			"what has just been found", o.Cache, o.Drop)
	}
	return supportsHinge("one-slack", p)
}

// supportsHinge refuses losses without a most violated labelling.
func supportsHinge(name string, p *models.Problem) error {
	if !p.Loss.Slack && (p.Loss.Temp != 0 || p.Loss.Margin != 1) {
		return fmt.Errorf("%w: %s needs a hinge: a loss without cutting planes (use loss: hinge or slack)", ErrUnsupported,
			name)
	}
	for i := range p.Examples {
		e := &p.Examples[i]
		switch {
		case e.ZeroOne > 0 && (e.Max == nil || e.Second == nil):
			return fmt.Errorf("%w: %s needs the best and the second-best labelling for a 0/1 loss; example %d lacks an oracle",
				ErrUnsupported, name, i)
		case e.ZeroOne > 0:
		case p.Loss.Slack && e.Slack == nil:
			return fmt.Errorf("%w: %s needs a slack-rescaling oracle; example %d has none (use loss: hinge)", ErrUnsupported,
				name, i)
		case !p.Loss.Slack && e.Max == nil:
			return fmt.Errorf("%w: %s needs an argmax; example %d has no max-oracle", ErrUnsupported, name, i)
		}
	}
	return nil
}

// Run implements Solver.
func (o *OneSlack) Run(p *models.Problem) iter.Seq2[Iterate, error] { return runSession(o, p) }

// Start implements Warm.
func (o *OneSlack) Start(p *models.Problem) (Session, error) {
	if err := o.Supports(p); err != nil {
		return nil, err
	}
	return newOneSlackState(o, p), nil
}
