package cgm

import (
	"errors"
	"iter"
	"math"
)

// SparseInterior is the interior-point method with a general sparse factorisation of the Newton system, which knows
// nothing of chains: what a package for convex programmes does. With the mean of the conditional entropies of both
// directions,
//
//	−H_B = Σ_t Σ_ij e_t(i, j) (log e_t(i, j) − ½ log n_t(i) − ½ log n_{t+1}(j))
//	       + ½ Σ_i n_0 log n_0 + ½ Σ_i n_{l−1} log n_{l−1}
//
// F is convex in all marginals, with a sparse Hessian H. The direction d and the multipliers ν of the equalities A,
// which say that edges sum to the nodes at either end, and the nodes of step 0 to 1, solve
//
//	[H Aᵀ; A 0] (d, ν) = (−∇F, 0)
//
// Marginals may be as small as 1e-20, so the system is solved in d/√μ, with equalities over √n: then no entry but those
// of the counts is above 1. H times 1 + δ and −δ in place of 0 make it quasi-definite, so that any order of elimination
// works; iterative refinement removes their effect.
//
// Unknowns are the l k nodes, (l−1) k² edges and 2(l−1) k + 1 equalities. The edges are eliminated first, and what is
// left has dense blocks of about k × k: a step takes time of the order l k³, as with blocks, but works on one number
// at a time.
type SparseInterior struct {
	Tol      float64 // of the certified gap, relative; at least 1e-13, or 0: until Newton's method makes no more progress
	MaxSteps int     // ≥ 1
}

var _ Solver = SparseInterior{}

// Run solves the problem. Finding the order of elimination is part of each run.
func (m SparseInterior) Run(p *Problem) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		newton(p, newKKT(p), m.Tol, m.MaxSteps)(yield)
	}
}

// delta is δ.
const delta = 1e-9

var errRefinement = errors.New("cgm: the Newton system is too ill-conditioned for its sparse factorisation")

// kkt is the memory of the Newton system. Unknowns are numbered as the marginals, then the equalities.
type kkt struct {
	p                *Problem
	rows, cols       []int32
	values           []float64 // of the system without δ
	factor           *ldl
	rhs, x, residual []float64
	diagonal         int // entries before are off the diagonal, of which there are as many after as unknowns
}

func newKKT(p *Problem) *kkt {
	k, l := p.Cells, p.Steps
	variables := len(p.Theta)
	n := variables + 2*(l-1)*k + 1
	count := 4*(l-1)*k*k + 2*(l-1)*k + k + n
	s := &kkt{p: p, rhs: make([]float64, n), x: make([]float64, n), residual: make([]float64, n),
		rows: make([]int32, 0, count), cols: make([]int32, 0, count)}
	s.entries(func(i, j int, _ float64) {
		s.rows, s.cols = append(s.rows, int32(i)), append(s.cols, int32(j))
	}, nil)
	s.diagonal = len(s.rows)
	for i := range n {
		s.rows, s.cols = append(s.rows, int32(i)), append(s.cols, int32(i))
	}
	s.values = make([]float64, len(s.rows))
	s.factor = newLDL(n, s.rows, s.cols)
	return s
}

// entries calls f for the entries off the diagonal in scaled unknowns, always in the same order; without mu, values
// are 0.
func (s *kkt) entries(f func(i, j int, v float64), mu []float64) {
	k, l := s.p.Cells, s.p.Steps
	variables := len(s.p.Theta)
	root := func(num, den float64) float64 { return math.Sqrt(num / den) }
	if mu == nil {
		mu, root = make([]float64, variables), func(float64, float64) float64 { return 0 }
	}
	for t := range l - 1 {
		for i := range k {
			from, out := t*k+i, variables+2*t*k+i
			for j := range k {
				to, in, e := (t+1)*k+j, variables+(2*t+1)*k+j, l*k+(t*k+i)*k+j
				a, b := root(mu[e], mu[from]), root(mu[e], mu[to])
				f(e, from, -a/2)
				f(e, to, -b/2)
				f(e, out, a)
				f(e, in, b)
			}
		}
		for i := range k {
			f(t*k+i, variables+2*t*k+i, -1)
			f((t+1)*k+i, variables+(2*t+1)*k+i, -1)
		}
	}
	for i := range k {
		f(i, len(s.rhs)-1, root(mu[i], 1))
	}
}

func (s *kkt) direction(d, mu []float64) error {
	s.fill(mu)
	if err := s.factor.factorise(); err != nil {
		return err
	}
	s.gradient(mu)
	clear(s.x)
	s.multiply()
	size := norm(s.residual)
	for left := size; left > 1e-12*size; {
		s.factor.solve(s.residual)
		for i, v := range s.residual {
			s.x[i] += v
		}
		s.multiply()
		before := left
		if left = norm(s.residual); !(left <= before/2) { // as exact as it gets
			if !(left <= 1e-8*size) {
				return errRefinement
			}
			break
		}
	}
	for r, m := range mu {
		d[r] = s.x[r] * math.Sqrt(m)
	}
	return nil
}

// fill computes the system, and passes it with δ to the factorisation.
func (s *kkt) fill(mu []float64) {
	q := 0
	s.entries(func(_, _ int, v float64) {
		s.values[q] = v
		q++
	}, mu)
	for q, v := range s.values[:s.diagonal] {
		s.factor.set(q, v)
	}
	for i := range s.rhs {
		v, shifted := 0.0, -delta
		if i < len(mu) {
			v = 1
			if i < len(s.p.Counts) {
				v += s.p.Counts[i] / (s.p.Population * mu[i])
			}
			shifted = v * (1 + delta)
		}
		s.values[s.diagonal+i] = v
		s.factor.set(s.diagonal+i, shifted)
	}
}

// gradient writes the right-hand side.
func (s *kkt) gradient(mu []float64) {
	p, k, l := s.p, s.p.Cells, s.p.Steps
	for r, m := range mu {
		var g float64
		switch {
		case r >= l*k:
			e := r - l*k
			g = 1 + math.Log(m) - (math.Log(mu[e/k])+math.Log(mu[e/(k*k)*k+k+e%k]))/2
		case l == 1:
			g = 1 + math.Log(m) + p.tilt(r, m)
		case r < k || r >= (l-1)*k:
			g = math.Log(m)/2 + p.tilt(r, m)
		default:
			g = -1 + p.tilt(r, m)
		}
		s.rhs[r] = (p.Theta[r] - g) * math.Sqrt(m)
	}
}

// multiply writes the residual of x.
func (s *kkt) multiply() {
	copy(s.residual, s.rhs)
	for q, v := range s.values[:s.diagonal] {
		i, j := s.rows[q], s.cols[q]
		s.residual[i] -= v * s.x[j]
		s.residual[j] -= v * s.x[i]
	}
	for i, v := range s.values[s.diagonal:] {
		s.residual[i] -= v * s.x[i]
	}
}

// norm returns the largest modulus; NaN if any number is NaN.
func norm(v []float64) float64 {
	var worst float64
	for _, x := range v {
		if x = math.Abs(x); x > worst || x != x {
			worst = x
		}
	}
	return worst
}
