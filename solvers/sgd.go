package solvers

import (
	"fmt"
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
)

// SGD is stochastic gradient descent on the primal with the schedule of Collins et al. (2008), section 7.1.3:
//
//	w ← w − η_k (∇φ_i(w) + λ w),   η_k = η₀ / (1 + k/n),   i uniform, k = 0, 1, ...
//
// from w = 0 or Problem.Start; a subgradient for the hinge. The gradient is that of one term of P: λ = C/n in the
// paper's C. The paper takes η₀ by the validation error after one pass; a spec says that with `choose`.
//
// w is kept as a·v, so that shrinking costs O(1). An update costs one Score, one oracle call (one visit) and one
// AddAdjoint. State: Dim floats. With the steps of AdaGrad instead an update costs Dim as well, and the state is 3
// Dim floats.
type SGD struct {
	// first step size; the paper picks one of 1, 0.1, 0.01, 0.001, 0.0001 by the validation error after one pass
	// (choose)
	Eta0 float64 `yaml:"eta0" jsonschema:"required,exclusiveMinimum=0"`
	// decay: eta0/(1 + k/n); adagrad: for each weight eta0 over the root of the sum of squares of its own
	// derivatives so far; decay if not given
	Step string `yaml:"step" jsonschema:"enum=decay,enum=adagrad"`
	Seed uint64 `yaml:"-"`
}

// MarshalYAML leaves out the step where it is decay. Results are kept under a hash of the settings, and those that
// were made before there was this setting stay valid.
func (s SGD) MarshalYAML() (any, error) {
	settings := map[string]any{"eta0": s.Eta0}
	if s.Step != "" && s.Step != stepDecay {
		settings["step"] = s.Step
	}
	return settings, nil
}

const (
	streamSGD   = 3
	sgdSmallest = 1e-6 // scale a at which w is written out
)

var (
	_ Solver = (*SGD)(nil)
	_ Local  = (*SGD)(nil)
)

func newSGD() Solver { return &SGD{Seed: 1} }

// WithSeed implements Seeded.
func (s *SGD) WithSeed(seed uint64) Solver { return &SGD{Eta0: s.Eta0, Step: s.Step, Seed: seed} }

// Local implements Local.
func (s *SGD) Local() {}

// Supports needs a loss whose gradient one oracle gives.
func (s *SGD) Supports(p *models.Problem) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("solvers: sgd: %w", err)
	}
	if !(s.Eta0 > 0) {
		return fmt.Errorf("solvers: sgd: eta0 must be > 0, not %v", s.Eta0)
	}
	if err := checkStep("sgd", s.Step, p); err != nil {
		return err
	}
	return gradientOracle("sgd", p)
}

// gradientOracle says whether Loss.Marginals works for every example.
func gradientOracle(name string, p *models.Problem) error {
	if p.Loss.Slack {
		return fmt.Errorf("%w: %s does not support slack rescaling", ErrUnsupported, name)
	}
	for i := range p.Examples {
		e := &p.Examples[i]
		if e.ZeroOne > 0 && p.Loss.Margin > 0 {
			return fmt.Errorf("%w: %s needs a label loss over parts; example %d has a 0/1 loss over labellings", ErrUnsupported,
				name, i)
		}
		if p.Loss.Temp > 0 && e.Exp == nil {
			return fmt.Errorf("%w: %s needs marginals; example %d has no exp-oracle", ErrUnsupported, name, i)
		}
		if p.Loss.Temp == 0 && e.Max == nil {
			return fmt.Errorf("%w: %s needs an argmax; example %d has no max-oracle", ErrUnsupported, name, i)
		}
	}
	return nil
}

// Run implements Solver.
func (s *SGD) Run(p *models.Problem) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		if err := s.Supports(p); err != nil {
			yield(Iterate{}, err)
			return
		}
		n := len(p.Examples)
		order, due := newVisitOrder("random", n, s.Seed, streamSGD), newCadence(n)
		v, a := make([]float64, p.Dim), 1.0
		copy(v, p.Start)
		var steps adaGrad
		var g []float64 // the gradient of one term
		if s.Step == stepAdaGrad {
			steps, g = newAdaGrad(s.Eta0, p.Dim), make([]float64, p.Dim)
		}
		var theta, mu []float64
		var y models.Vertex
		if !yield(Iterate{W: v}, nil) {
			return
		}
		for {
			k := order.done
			e := &p.Examples[order.next()]
			parts := e.Features.Parts()
			theta, mu = models.Resize(theta, parts), models.Resize(mu, parts)
			e.Features.Score(theta, v)
			for r := range theta {
				theta[r] *= a
			}
			_, y = p.Loss.Marginals(mu, e, theta, y)
			for _, r := range e.Truth {
				mu[r]--
			}
			if s.Step == stepAdaGrad {
				for j, x := range v {
					g[j] = p.Lambda * x
				}
				e.Features.AddAdjoint(g, 1, mu)
				steps.step(v, g)
			} else {
				eta := s.Eta0 / (1 + float64(k)/float64(n))
				a *= 1 - eta*p.Lambda
				if math.Abs(a) < sgdSmallest {
					scale(v, a)
					a = 1
				}
				e.Features.AddAdjoint(v, -eta/a, mu)
			}
			if due.yields(order.done) {
				scale(v, a)
				a = 1
				if !yield(Iterate{W: v, Epoch: order.epochs()}, nil) {
					return
				}
			}
		}
	}
}
