// Package cgm implements inference in collective graphical models of chains (Sheldon and Dietterich 2011). In such a
// model a population moves among cells. Each of its members moves independently by the same Markov chain, and only
// noisy counts per cell and step are observed. The package defines the convex programme that approximates the most
// probable movements, and two interior-point solvers that certify its optimum. The package learns no weights. Package
// models/collective makes a model from the programme, so that the solvers of gaplab can run on this model. Package
// energy has Bethe projections, the method that these solvers are compared with.
//
//	data := generated.Migration{Side: 5, Steps: 20, Walkers: 1000, Distance: 1, Drift: 0.5, Rate: 0.5, Seed: 1}
//	set, err := data.Load(ctx, datasets.Source{})
//	p, err := collective.ProblemOf(set.Train.(*datasets.CellCounts))
//	solution, err := cgm.Solve(cgm.BlockInterior{Tol: 1e-8, MaxSteps: 100}, p)
//	fmt.Println(solution.Primal, solution.Dual())
package cgm

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Problem is programme (23) of Vilnis et al. 2015. Its variables are the marginals μ of a chain of l steps with k
// cells: n_t(i) for the nodes and e_t(i, j) for the edges.
//
//	min F(μ) = −H_B(μ) − θ·μ + Σ_{t,i} φ_{ti}(n_t(i)),
//	φ(n) = −(1/M)(y log(ψ M n) − ψ M n) = ψ n − c log(ψ M n),   c = y/M
//	where n_t(i) = Σ_j e_t(i, j),  n_{t+1}(j) = Σ_i e_t(i, j),  Σ_i n_0(i) = 1,  μ ≥ 0
//
// φ is the negative log-likelihood of y ~ Poisson(ψ M n), divided by the population M, without log y!. F is strictly
// convex where the equalities hold. All marginals of the optimum are positive, since the slope of the entropy is
// infinite where a marginal is 0.
//
// θ and μ have the layout of untied chains: n_t(i) is at index t·k + i, and e_t(i, j) at l·k + t·k² + i·k + j. The
// counts y have the layout of the nodes.
type Problem struct {
	Cells, Steps int       // the numbers of cells, k, and of steps, l
	Theta        []float64 // θ, the scores of the chain
	Counts       []float64 // y ≥ 0, the noisy counts
	Population   float64   // M > 0, the size of the population
	Rate         float64   // ψ > 0, the rate of counts

	Exp models.ExpOracle // the exp-oracle of chains in which each step has its own transition scores, as in θ
	// TiedTheta is θ with one matrix of transition scores for all steps, l·k + k² numbers. TiedExp is the exp-oracle
	// for this layout. Both are nil if the matrices of θ differ.
	TiedTheta []float64
	TiedExp   models.ExpOracle
}

// NewProblem checks the counts and stores their slices without copying. untied and tied are exp-oracles of chains of
// any length with one label per cell. For untied, each step has its own transition scores. For tied, all steps share
// the same transition scores. Package collective builds both oracles.
func NewProblem(d *datasets.CellCounts, untied, tied models.ExpOracle) (*Problem, error) {
	if err := check(d); err != nil {
		return nil, err
	}
	p := &Problem{Cells: d.Cells, Steps: d.Steps, Theta: d.Theta, Counts: d.Counts, Population: d.Population, Rate: d.Rate,
		Exp: untied}
	if p.TiedTheta = tie(d.Theta, d.Cells, d.Steps); p.TiedTheta != nil {
		p.TiedExp = tied
	}
	return p, nil
}

func check(d *datasets.CellCounts) error {
	cells, steps := d.Cells, d.Steps
	switch {
	case cells < 2:
		return fmt.Errorf("cgm: %d cells: want at least 2", cells)
	case steps < 1:
		return fmt.Errorf("cgm: %d steps: want at least 1", steps)
	case len(d.Theta) != parts(cells, steps):
		return fmt.Errorf("cgm: %d scores for %d steps and %d cells: want %d", len(d.Theta), steps, cells,
			parts(cells, steps))
	case len(d.Counts) != steps*cells:
		return fmt.Errorf("cgm: %d counts for %d steps and %d cells: want %d", len(d.Counts), steps, cells, steps*cells)
	case !(d.Population > 0) || math.IsInf(d.Population, 1):
		return fmt.Errorf("cgm: a population of %v: want a positive finite number", d.Population)
	case !(d.Rate > 0) || math.IsInf(d.Rate, 1):
		return fmt.Errorf("cgm: the rate of counts is %v: want a positive finite number", d.Rate)
	}
	for r, v := range d.Theta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("cgm: score %d is %v: want a finite number", r, v)
		}
	}
	for r, y := range d.Counts {
		if !(y >= 0) || math.IsInf(y, 1) {
			return fmt.Errorf("cgm: the count of cell %d at step %d is %v: want a finite number, at least 0", r%cells, r/cells,
				y)
		}
	}
	return nil
}

// parts returns the number of marginals of a chain, nodes and edges.
func parts(cells, steps int) int { return steps*cells + (steps-1)*cells*cells }

// Objective returns F(μ), the objective that Problem defines. models.ChainEntropy computes the entropy H_B in F.
func (p *Problem) Objective(mu []float64) float64 {
	p.fits(mu)
	f := -models.ChainEntropy(mu, p.Cells)
	for r, m := range mu {
		f -= p.Theta[r] * m
	}
	return f + p.energy(mu)
}

// energy returns the last sum of F, Σ φ(n) over the nodes (see Problem). It is +∞ if a marginal is 0 where the count is
// positive.
func (p *Problem) energy(mu []float64) float64 {
	var f float64
	for r, y := range p.Counts {
		f += p.Rate * mu[r]
		if y > 0 {
			f -= y / p.Population * math.Log(p.Rate*p.Population*mu[r])
		}
	}
	return f
}

// tilt returns the derivative φ'(n) = ψ − c/n at node r (see Problem).
func (p *Problem) tilt(r int, n float64) float64 {
	if p.Counts[r] == 0 {
		return p.Rate
	}
	return p.Rate - p.Counts[r]/(p.Population*n)
}

// Gradient writes ∇F at positive marginals μ to dst. It ignores the equalities: each marginal is a free variable.
func (p *Problem) Gradient(dst, mu []float64) {
	p.fits(dst)
	p.fits(mu)
	nodes := p.Steps * p.Cells
	for r, m := range mu {
		switch step := r / p.Cells; {
		case r >= nodes || p.Steps == 1:
			dst[r] = 1 + math.Log(m) - p.Theta[r]
		case step == 0 || step == p.Steps-1:
			dst[r] = -p.Theta[r]
		default:
			dst[r] = -1 - math.Log(m) - p.Theta[r]
		}
		if r < nodes {
			dst[r] += p.tilt(r, m)
		}
	}
}

// LowerBound returns the value of the dual objective at λ = φ'(n), where n are the marginals of the nodes, for positive
// marginals μ. It is a lower bound of the optimum. With the conjugate φ*(λ) = sup_n λn − φ(n) and the partition
// function Z of the chain,
//
//	min F ≥ min_μ −H_B(μ) − θ·μ + λ·n − Σ φ*(λ) = −log Z(θ − λ) − Σ φ*(λ),
//	φ*(λ) = c log(ψ M c/(ψ − λ)) − c, 0 where c = 0
//
// where (ψ − λ) n = c; Problem explains φ, ψ, M and the counts c. F(μ) minus the bound is KL(μ ‖ MARG(θ − λ)), so it is
// 0 at the optimum only. MARG(θ) denotes the marginals of the chain with scores θ.
func (p *Problem) LowerBound(mu []float64) float64 {
	p.fits(mu)
	theta, exp := p.Theta, p.Exp
	if p.TiedTheta != nil {
		theta, exp = p.TiedTheta, p.TiedExp
	}
	tilted := append([]float64(nil), theta...)
	var conjugates float64
	for r, y := range p.Counts {
		tilted[r] -= p.tilt(r, mu[r])
		if y > 0 {
			conjugates += y / p.Population * (math.Log(p.Rate*p.Population*mu[r]) - 1)
		}
	}
	return -exp.LogSum(nil, tilted) - conjugates
}

// fits panics if mu does not have the number of marginals of the problem.
func (p *Problem) fits(mu []float64) {
	if len(mu) != parts(p.Cells, p.Steps) {
		panic(fmt.Sprintf("cgm: %d marginals for %d steps and %d cells; want %d", len(mu), p.Steps, p.Cells,
			parts(p.Cells, p.Steps)))
	}
}

// start writes the starting point of the solvers to mu: the marginals of the chain with scores θ. This point is
// feasible, and Bethe projections start at it too. start returns an error if a marginal is below 1e-100.
func (p *Problem) start(mu []float64) error {
	p.Exp.LogSum(mu, p.Theta)
	for r, m := range mu {
		if m < 1e-100 {
			return fmt.Errorf("cgm: the scores range too widely: marginal %d of the chain with these scores is %.3g; "+
				"want at least 1e-100", r, m)
		}
	}
	return nil
}

// tie returns the scores with one matrix of transition scores for all steps. It returns nil if the matrices differ or
// if there is only one step.
func tie(theta []float64, k, l int) []float64 {
	if l == 1 {
		return nil
	}
	pairs := theta[l*k:]
	for r, v := range pairs {
		if v != pairs[r%(k*k)] {
			return nil
		}
	}
	return append([]float64(nil), theta[:l*k+k*k]...)
}
