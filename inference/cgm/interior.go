package cgm

import (
	"errors"
	"iter"
	"math"
)

// SparseInterior is an interior-point method with a general sparse factorisation of the Newton system. Problem defines
// F, H_B, μ, n, e, k and l. Like the solver of a general package for convex programmes, the method does not use the
// structure of the chain. It writes the entropy as the mean of the forward and the backward conditional entropies:
//
//	−H_B = Σ_t Σ_ij e_t(i, j) (log e_t(i, j) − ½ log n_t(i) − ½ log n_{t+1}(j))
//	       + ½ Σ_i n_0 log n_0 + ½ Σ_i n_{l−1} log n_{l−1}
//
// With this entropy, F is convex in all marginals and has a sparse Hessian H. The equalities, with matrix A, state that
// the marginals of an edge sum to the marginals of the nodes at both its ends, and that the marginals of the node of
// step 0 sum to 1. The direction d and the multipliers ν of the equalities solve
//
//	[H Aᵀ; A 0] (d, ν) = (−∇F, 0)
//
// Marginals may be as small as 1e-20. So the unknowns are scaled to d/√μ and the equalities are divided by √n. Then no
// entry of the matrix is above 1, except the entries that depend on counts. For a small δ > 0, the method multiplies H
// by 1 + δ and replaces the zero block by −δ times the identity. The system is then quasi-definite, so any order of
// elimination works. Iterative refinement removes the effect of δ.
//
// The unknowns are l k nodes, (l−1) k² edges and 2(l−1) k + 1 multipliers. The edges are eliminated first. The
// remaining system has dense blocks of about k × k. So a step takes time of the order l k³, as in BlockInterior, but a
// step of SparseInterior computes with single numbers and not with matrices.
type SparseInterior struct {
	// Tol is the relative certified gap at which the method stops, at least 1e-13. With Tol = 0 the method runs until it
	// makes no more progress.
	Tol      float64
	MaxSteps int // ≥ 1
}

var _ Solver = SparseInterior{}

// Run implements Solver. Each run computes the order of elimination again.
func (m SparseInterior) Run(p *Problem) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		newton(p, newKKT(p), m.Tol, m.MaxSteps)(yield)
	}
}

// delta is δ, which makes the Newton system quasi-definite (see SparseInterior).
const delta = 1e-9

var errRefinement = errors.New("cgm: the Newton system is too ill-conditioned for its sparse factorisation")

// kkt is the Newton system of SparseInterior and its working memory. The unknowns are numbered: first the marginals,
// then the multipliers of the equalities.
type kkt struct {
	p                *Problem
	rows, cols       []int32
	values           []float64 // values of the matrix entries (rows[q], cols[q]), before delta is added
	factor           *ldl
	rhs, x, residual []float64
	diagonal         int // the entries with this index or a larger one are on the diagonal
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

// entries calls f for each entry (i, j) off the diagonal of the scaled Newton system, always in the same order. If mu
// is nil, the values v are not valid, and only i and j may be used.
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
		if left = norm(s.residual); !(left <= before/2) { // the residual has not halved, so refinement makes no more progress
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

// fill computes the values of the Newton system at mu, adds δ (see delta), and passes them to the factorisation.
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

// gradient writes the right-hand side of the scaled Newton system, −√μ ∇F(μ), to s.rhs (see SparseInterior).
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

// multiply writes the residual of the solution s.x to s.residual: s.rhs minus the matrix of the Newton system times
// s.x.
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

// norm returns the largest absolute value in v, or NaN if v has a NaN.
func norm(v []float64) float64 {
	var worst float64
	for _, x := range v {
		if x = math.Abs(x); x > worst || x != x {
			worst = x
		}
	}
	return worst
}
