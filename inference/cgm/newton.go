package cgm

import (
	"fmt"
	"iter"
	"math"
)

// Solver minimises the objective F of a Problem. Run yields the starting point and the point after every step. With a
// positive tolerance it ends when the certified gap is small enough. With tolerance 0 it ends when rounding errors
// prevent further progress. After an error it yields nothing more.
type Solver interface {
	Run(p *Problem) iter.Seq2[Iterate, error]
}

// Iterate is a feasible point that a Solver yields.
type Iterate struct {
	Mu     []float64 // the marginals μ; copy them to use them after the loop body
	Step   int       // number of Newton steps so far
	Primal float64   // the objective F(μ) of the Problem
	// Decrement is half the squared Newton decrement of the last step. It estimates how far F was above the optimum before
	// the step. It is +Inf at the start.
	Decrement float64
	Size      float64 // length of the last step; 1 for a full Newton step, 0 at the start

	problem *Problem
}

// Dual returns a lower bound of the optimum, Problem.LowerBound at Mu. Each call computes the bound again.
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

// newtonSystem computes the direction d of Newton's method that keeps the equalities A μ = b of the polytope:
//
//	min_d ∇F(μ)·d + ½ d·∇²F(μ) d   where A d = 0
//
// F may be replaced by any function that equals F where the equalities hold. Each of the two systems, blocks and kkt,
// chooses such a function that is convex, and uses its second derivative.
type newtonSystem interface {
	direction(d, mu []float64) error
}

// newton runs the interior-point method of both solvers: Newton's method with equalities, from a feasible start (Boyd
// and Vandenberghe 2004, section 10.2).
//
// It needs no barrier besides F. The gradient of F's entropy is infinite at the boundary, so the optimum is inside. The
// Hessian of the entropy has 1/μ, whereas that of the barrier −log μ has 1/μ². An additional barrier would increase F
// at the solution by up to its weight times the number of marginals, and would need a sequence of weights.
//
// A step goes at most the fraction 0.99 of the way to the boundary, and is halved until F satisfies Armijo's rule. The
// method ends when F(μ) − LowerBound(μ) ≤ tol (1 + |F|), so its result is certified. With tol = 0 the method computes
// no bound. It then makes a last step as soon as half the squared decrement is at most 1e-11 (1 + |F|). At this point
// convergence is quadratic, so only rounding errors remain after the last step.
func newton(p *Problem, s newtonSystem, tol float64, maxSteps int) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		if tol != 0 && !(tol >= 1e-13) || math.IsInf(tol, 1) || maxSteps < 1 {
			yield(Iterate{}, fmt.Errorf("cgm: the tolerance is %v and the limit is %d steps; want a tolerance of 0 or at "+
				"least 1e-13, and at least 1 step", tol, maxSteps))
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
				yield(it, fmt.Errorf("cgm: the gap is %.3g after %d steps of Newton's method; allow more steps, or a larger "+
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
				yield(it, fmt.Errorf("cgm: step %d of Newton's method: no step length lowers the objective, %v, although its "+
					"slope along the step is %.3g", it.Step+1, it.Primal, slope))
				return
			}
			it.Mu, next = next, it.Mu
			it.Step++
			it.Primal, it.Decrement, it.Size = value, max(0, -slope/2), size
		}
	}
}

// standstill is the value of Decrement/(1 + |F|) at which newton ends if tol = 0. With the sparse system this value
// does not fall below about 1e-13.
const standstill = 1e-11

// within reports whether the iterate meets the tolerance tol, so that the method ends (see newton).
func (it Iterate) within(tol float64) bool {
	scale := 1 + math.Abs(it.Primal)
	if tol == 0 {
		return it.Decrement <= standstill*scale
	}
	return it.Primal-it.Dual() <= tol*scale
}

// search finds the first step length a that lowers the objective F enough, and writes μ + a d to next. It tries the
// longest allowed step first, and then halves a. It returns F at this point and a. If no a lowers F enough, it returns
// a = 0.
func search(p *Problem, next, mu, d []float64, value, slope float64) (f, a float64) {
	a = 1
	for r, m := range mu {
		if -d[r]*a > 0.99*m {
			a = 0.99 * m / -d[r]
		}
	}
	// If |slope| is at most noise, rounding errors of F are too large to judge a step. Newton's method then converges
	// quadratically, so a step is accepted if F rises by no more than noise.
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

// restore removes the rounding errors by which marginals violate the equalities. It recomputes all marginals from the
// marginals n_0 of the first step and the conditional probabilities e_t(i, j)/Σ_j e_t(i, j), where e_t are the
// marginals of the edges. Without restore, each step would multiply the rounding errors by the size of the scores.
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

// scale multiplies v by a number such that the elements of v add up to sum.
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
