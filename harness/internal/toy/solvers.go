package toy

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Ascent is a solver of the dual. It has a distribution μ_i over the labellings of each example i. An update moves μ_i
// towards the distribution μ(A_i w) of the model at the current weights w, by the step size γ:
//
//	w = 1/(λn) Σ_i A_iᵀ(1_truth − μ_i),   μ_i ← (1 − γ) μ_i + γ μ(A_i w),   γ = rate·λn/(λn + 2).
//
// Here rate is the field Rate, A_i is the feature map of example i, and 1_truth is the distribution with all
// probability on the true labelling. If the rows have a norm of at most 1, no update decreases the dual −λ/2 |w|² + 1/n
// Σ_i H(μ_i), where H is the entropy. Ascent needs the log loss. An update costs one oracle call, and the set-up costs
// n calls. A batch updates all μ_i at the same weights, with a γ that is small enough for the data set points.
type Ascent struct {
	Rate  float64 `yaml:"rate" jsonschema:"exclusiveMinimum=0,maximum=1"`
	Order string  `yaml:"order" jsonschema:"enum=random,enum=cyclic,enum=batch"`
}

var _ solvers.Warm = (*Ascent)(nil)

// Needs implements solvers.Solver.
func (a *Ascent) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Exp}
}

// Train implements solvers.Trainer.
func (a *Ascent) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(a, p, solvers.OneSession(a, p, env))
}

// Start implements solvers.Warm.
func (a *Ascent) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(a, p); err != nil {
		return nil, err
	}
	s := &session{Ascent: *a, p: p, env: env, v: make([]float64, p.Dim), w: make([]float64, p.Dim),
		source: rand.NewPCG(env.Seed, 3)}
	s.random = rand.New(s.source)
	env.Enter("setup")
	for _, e := range p.Examples {
		mu := make([]float64, e.Features.Parts())
		e.Exp.LogSum(mu, mu)
		s.mu = append(s.mu, mu)
		s.add(e, 1, mu)
	}
	env.Enter("")
	return s, nil
}

// session is the state of a run of Ascent. The vector v = λw depends only on the distributions μ_i, not on λ.
type session struct {
	Ascent
	p      *models.Risk
	env    solvers.Env
	random *rand.Rand
	source *rand.PCG
	mu     [][]float64
	v, w   []float64
	steps  int
}

// add adds c times the contribution of example e to the vector v. With the feature map A of e and the distribution μ
// (mu) over its labellings, this is c Aᵀ(1_truth − μ)/n.
func (s *session) add(e models.Example, c float64, mu []float64) {
	d := make([]float64, len(mu))
	for r, m := range mu {
		d[r] = -m
	}
	for _, r := range e.Truth {
		d[r]++
	}
	e.Features.AddAdjoint(s.v, c/float64(len(s.p.Examples)), d)
}

func (s *session) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		n := len(s.p.Examples)
		gamma := s.Rate * lambda * float64(n) / (lambda*float64(n) + 2)
		if s.Order == "batch" {
			gamma = s.Rate * lambda / (lambda + 0.25)
		}
		out := func() bool {
			for j, v := range s.v {
				s.w[j] = v / lambda
			}
			return yield(solvers.Iterate{W: s.w, Epoch: s.steps / n, Dual: func() float64 { return s.dual(lambda) },
				Stats: func(put func(string, float64)) { put("rate", s.Rate) }, State: s.carry}, nil)
		}
		if _, err := s.env.Resumed(s.carry); err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		if !out() {
			return
		}
		for !s.env.Interrupted(yield) {
			if s.Order == "batch" {
				for j, v := range s.v {
					s.w[j] = v / lambda
				}
				for i := range s.p.Examples {
					s.move(i, gamma, 1)
				}
			} else {
				i := s.steps % n
				if s.Order == "random" {
					i = s.random.IntN(n)
				}
				s.move(i, gamma, lambda)
			}
			if s.steps%max(1, n/10) == 0 && !out() {
				return
			}
		}
	}
}

func (s *session) carry(to *solvers.State) { to.Carry(&s.mu, &s.v, &s.steps, s.source) }

// move updates the distribution of example i by a step of size gamma. In a batch it uses the weights from the beginning
// of the batch.
func (s *session) move(i int, gamma, lambda float64) {
	e := s.p.Examples[i]
	mu := make([]float64, e.Features.Parts())
	if s.Order == "batch" {
		e.Features.Score(mu, s.w)
	} else {
		e.Features.Score(mu, s.v)
		for r := range mu {
			mu[r] /= lambda
		}
	}
	e.Exp.LogSum(mu, mu)
	s.add(e, -1, s.mu[i])
	for r := range mu {
		s.mu[i][r] += gamma * (mu[r] - s.mu[i][r])
	}
	s.add(e, 1, s.mu[i])
	s.steps++
}

func (s *session) dual(lambda float64) float64 {
	var norm, entropy float64
	for _, v := range s.v {
		norm += v * v / lambda
	}
	for _, mu := range s.mu {
		for _, m := range mu {
			if m > 0 {
				entropy -= m * math.Log(m)
			}
		}
	}
	return -norm/2 + entropy/float64(len(s.mu))
}

// Descent is stochastic gradient descent on the primal with decreasing step sizes. It diverges if the first step is too
// large.
type Descent struct {
	Step float64 `yaml:"step" jsonschema:"required,exclusiveMinimum=0"`
}

// Needs implements solvers.Solver.
func (d *Descent) Needs() solvers.Needs {
	return solvers.Needs{Oracles: solvers.Marginals, Start: true}
}

// Train implements solvers.Trainer.
func (d *Descent) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(d, p, func(yield func(solvers.Iterate, error) bool) {
		n, random := len(p.Examples), rand.New(rand.NewPCG(env.Seed, 5))
		w := make([]float64, p.Dim)
		copy(w, p.Start)
		for k := 0; !env.Interrupted(yield); k++ {
			if k%max(1, n/10) == 0 && !yield(solvers.Iterate{W: w, Epoch: k / n}, nil) {
				return
			}
			e := &p.Examples[random.IntN(n)]
			step := d.Step / (1 + float64(k)/float64(n))
			for j := range w {
				w[j] *= 1 - step*p.Lambda
			}
			descend(w, step, p.Loss, e, w)
		}
	})
}

// descend subtracts step times a gradient from w: the gradient of the loss of example e at the weights in the argument
// "at".
func descend(w []float64, step float64, loss models.Loss, e *models.Example, at []float64) {
	theta, mu := make([]float64, e.Features.Parts()), make([]float64, e.Features.Parts())
	e.Features.Score(theta, at)
	loss.Marginals(mu, e, theta, nil)
	for _, r := range e.Truth {
		mu[r]--
	}
	e.Features.AddAdjoint(w, -step, mu)
}

// Whole is gradient descent with the constant step 1/(1 + λ), which is small enough if the rows have a norm of at most
// 1. It needs a smooth loss, and makes n oracle calls per iteration.
type Whole struct{}

// Needs implements solvers.Solver.
func (s *Whole) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Exp}
}

// Train implements solvers.Trainer.
func (s *Whole) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for k := 0; !env.Interrupted(yield); k++ {
			if !yield(solvers.Iterate{W: w, Epoch: k}, nil) {
				return
			}
			at, step := append([]float64(nil), w...), 1/(1+p.Lambda)
			for j := range w {
				w[j] *= 1 - step*p.Lambda
			}
			for i := range p.Examples {
				descend(w, step/float64(len(p.Examples)), p.Loss, &p.Examples[i], at)
			}
		}
	})
}

// Still is a solver that does nothing. Its only iterate is the initial weights.
type Still struct{}

// Needs implements solvers.Solver.
func (*Still) Needs() solvers.Needs { return solvers.Needs{Start: true} }

// Train implements solvers.Trainer.
func (s *Still) Train(p *models.Risk, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		copy(w, p.Start)
		yield(solvers.Iterate{W: w}, nil)
	})
}

// Scripted is a solver for tests: a function of the test yields its iterates.
type Scripted struct {
	Is    string                                                 // name of the solver
	Look  func(o models.Objective) error                         // error: it cannot solve o; nil Look: solves every o
	Do    func(p Given, yield func(solvers.Iterate, error) bool) // yields iterates
	Wants solvers.Needs                                          // requirements that Needs returns
}

// Needs implements solvers.Solver.
func (s Scripted) Needs() solvers.Needs { return s.Wants }

// Check implements solvers.Checker.
func (s Scripted) Check(o models.Objective) error {
	if s.Look == nil {
		return nil
	}
	return s.Look(o)
}

// Train implements solvers.Trainer.
func (s Scripted) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) { s.Do(Given{p, env}, yield) }
}

// Given contains what Train was given: the problem and the environment.
type Given struct {
	*models.Risk
	solvers.Env
}

// Visit makes one oracle call for example i, which counts as a visit.
func (p Given) Visit(i int) {
	e := &p.Examples[i%len(p.Examples)]
	e.Max.Max(nil, make([]float64, e.Features.Parts()))
}

// Steady returns a solver that yields w = 0 again and again, with the given number of visits between two iterates. It
// never ends by itself.
func Steady(every int) Scripted {
	return Scripted{Is: "steady", Do: func(p Given, yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for k := 0; yield(solvers.Iterate{W: w, Epoch: k / len(p.Examples)}, nil); {
			for range every {
				p.Visit(k)
				k++
			}
		}
	}}
}

// Quickly returns a spec whose only solver stops after one epoch, for tests that add their own solver and check the run
// of that solver. stop is the stop rule of the added solver.
func Quickly(stop string) string {
	return AtC + fmt.Sprintf("solvers: [{name: descent, step: 0.01, stop: {epochs: 1}}]\nstop: %s\n", stop)
}
