package cgm

import (
	"fmt"
	"iter"
	"math"
)

// Solver minimises F, and yields the start and the point after every step. It ends by itself: with a positive tolerance
// when the certified gap is small enough, else when F has fallen as far as rounding lets it. An error is the last thing
// that it yields.
type Solver interface {
	Run(p *Problem) iter.Seq2[Iterate, error]
}

// Iterate is a feasible point.
type Iterate struct {
	Mu     []float64 // borrowed until the loop body returns
	Step   int       // Newton steps so far
	Primal float64   // F(μ)
	// Decrement is half the square of the Newton decrement of the last step, about how far F was above the optimum before
	// it; +Inf at the start.
	Decrement float64
	Size      float64 // of the last step, 1 for a full one; 0 at the start

	problem *Problem
}

// Dual returns LowerBound(μ). Each call evaluates it again.
func (it Iterate) Dual() float64 { return it.problem.LowerBound(it.Mu) }

// Solve runs a solver to its end and returns the last iterate.
func Solve(s Solver, p *Problem) (Iterate, error) {
	var last Iterate
	for it, err := range s.Run(p) {
		if err != nil {
			return last, err
		}
		last = it
	}
	return last, nil
}

// newtonSystem finds the direction d of Newton's method in the plane of the equalities A μ = b of the polytope:
//
//	min_d ∇F(μ)·d + ½ d·∇²F(μ) d   where A d = 0
//
// The second derivative is that of any function which is F on the plane; both systems choose a convex one.
type newtonSystem interface {
	direction(d, mu []float64) error
}

// newton runs the interior-point method of both solvers: Newton's method with equalities, from a feasible start (Boyd
// and Vandenberghe 2004, section 10.2). It uses no barrier but F itself. The gradient of F's entropy is infinite at
// the boundary, so the optimum is inside, and the Hessian of the entropy has 1/μ, where the barrier −log μ has 1/μ².
// A further barrier would move the optimum by its weight times the number of marginals, and would need a sequence of
// weights. A step is cut to the fraction 0.99 of the way to the boundary, and halved until F falls by Armijo's rule.
// The method ends when F(μ) − LowerBound(μ) ≤ tol (1 + |F|): it certifies what it returns. With tol = 0 it computes
// no bound, and ends with the first step before which half the squared decrement was at most 1e-11 (1 + |F|). By then
// convergence is quadratic, so that this step leaves only rounding errors.
func newton(p *Problem, s newtonSystem, tol float64, maxSteps int) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		if tol != 0 && !(tol >= 1e-13) || math.IsInf(tol, 1) || maxSteps < 1 {
			yield(Iterate{}, fmt.Errorf("cgm: tolerance %v and at most %d steps: want 0 or at least 1e-13, and at least 1", tol,
				maxSteps))
			return
		}
		mu := make([]float64, len(p.Theta))
		if err := p.start(mu); err != nil {
			yield(Iterate{}, err)
			return
		}
		d, next, gradient := make([]float64, len(mu)), make([]float64, len(mu)), make([]float64, len(mu))
		it := Iterate{Mu: mu, Primal: p.Objective(mu), Decrement: math.Inf(1), problem: p}
		for {
			if !yield(it, nil) || it.within(tol) {
				return
			}
			if it.Step == maxSteps {
				yield(it, fmt.Errorf("cgm: the gap is %.3g after %d steps of Newton's method: want more steps, or a larger "+
					"tolerance", it.Primal-it.Dual(), maxSteps))
				return
			}
			if err := s.direction(d, it.Mu); err != nil {
				yield(it, err)
				return
			}
			p.Gradient(gradient, it.Mu)
			slope := dot(gradient, d)
			value, size := search(p, next, it.Mu, d, it.Primal, slope)
			if size == 0 {
				yield(it, fmt.Errorf("cgm: step %d of Newton's method does not lower the objective %v, slope %.3g", it.Step+1,
					it.Primal, slope))
				return
			}
			it.Mu, next = next, it.Mu
			it.Step++
			it.Primal, it.Decrement, it.Size = value, max(0, -slope/2), size
		}
	}
}

// standstill is the decrement, relative to F, of a last step. That of the sparse system does not fall below 1e-13 or
// so.
const standstill = 1e-11

// within reports whether this is the last iterate.
func (it Iterate) within(tol float64) bool {
	scale := 1 + math.Abs(it.Primal)
	if tol == 0 {
		return it.Decrement <= standstill*scale
	}
	return it.Primal-it.Dual() <= tol*scale
}

// search writes μ + a d for the first a that lowers F enough, and returns F there and a; 0 if none does.
func search(p *Problem, next, mu, d []float64, value, slope float64) (f, a float64) {
	a = 1
	for r, m := range mu {
		if -d[r]*a > 0.99*m {
			a = 0.99 * m / -d[r]
		}
	}
	// Below noise, F is too coarse to judge a step, and Newton's method is in its last, quadratic steps.
	noise := 1e-12 * (1 + math.Abs(value))
	if slope > noise {
		return value, 0
	}
	for range 60 {
		for r, m := range mu {
			next[r] = m + a*d[r]
		}
		p.restore(next)
		f = p.Objective(next)
		if f <= value+1e-4*a*slope || math.Abs(slope) <= noise && f <= value+noise {
			return f, a
		}
		a /= 2
	}
	return value, 0
}

// restore makes marginals that are consistent up to rounding errors so again: the chain of the conditional
// probabilities e_t(i, j)/Σ_j e_t(i, j). Else each step would multiply the errors by the size of the scores.
func (p *Problem) restore(mu []float64) {
	k, l := p.Cells, p.Steps
	scale(mu[:k], 1)
	for t := range l - 1 {
		from, to := mu[t*k:(t+1)*k], mu[(t+1)*k:(t+2)*k]
		clear(to)
		for i, n := range from {
			row := mu[l*k+(t*k+i)*k:][:k]
			scale(row, n)
			for j, e := range row {
				to[j] += e
			}
		}
	}
}

// scale makes v sum to sum.
func scale(v []float64, sum float64) {
	var s float64
	for _, x := range v {
		s += x
	}
	s = sum / s
	for i := range v {
		v[i] *= s
	}
}

func dot(a, b []float64) float64 {
	var s float64
	for r, v := range a {
		s += v * b[r]
	}
	return s
}
