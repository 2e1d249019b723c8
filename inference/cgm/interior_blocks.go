package cgm

import (
	"errors"
	"iter"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// BlockInterior is an interior-point method that solves the Newton system block by block along the chain. Problem
// defines F, H_B, μ, n, e, θ, φ, c, k and l. With the entropy written as conditional entropies, −H_B = Σ_i n_0 log n_0
// + Σ_t Σ_ij e_t(i, j) log(e_t(i, j)/n_t(i)), F is convex in all marginals. Let P(i, j) = e_t(i, j)/n_t(i) and ℓ(i, j)
// = log P(i, j) − θ, where θ is the score of the edge, and let ℓ̄(i) = Σ_j P(i, j) ℓ(i, j). The change de of the edges'
// marginals is written as de = P dn_t + e w, where dn_t is the change of the nodes' marginals, and w are new unknowns
// with Σ_j e w = 0. Then the quadratic model of a Newton step is
//
//	½ Σ dn_0²/n_0 + Σ_t ½ dn_t·Q_t dn_t − b_t·dn_t + Σ_t Σ_ij e (½ w² + ℓ w),
//	Q = diag(c/n²),   b = θ_node − φ' − ℓ̄ − [t = 0] log n_0
//	dn_{t+1} = Pᵀdn_t + Σ_i e w
//
// The edges have a diagonal Hessian. Eliminating them leaves a block-tridiagonal system with k × k blocks, in the nodes
// and the multipliers π of the equalities between edges and nodes. Eliminating its blocks step by step is a Kalman
// filter, followed by a smoother (Rauch, Tung and Striebel 1965; in the form of Bryson and Frazier, which inverts no
// covariance):
//
//	S_0 = diag(n_0) − n_0 n_0ᵀ,  m_0 = 0
//	S' = S − S Q^½ (I + Q^½ S Q^½)⁻¹ Q^½ S,   m' = m + S'(b − Q m)
//	S_{t+1} = diag(n_{t+1}) + Pᵀ(S' − diag(n_t))P,   m_{t+1} = Pᵀm' − Σ_i e (ℓ − ℓ̄)
//	dn_{l−1} = m'_{l−1},   π_t = Q dn_t − b + P π_{t+1},   dn_t = m'_t − S'_t P π_{t+1}
//	w = ℓ̄ + (P π)(i) − ℓ − π(j)
//
// The method factorises only the matrix in brackets, I + Q^½ S Q^½, whose eigenvalues are at least 1. So Q may be
// singular, as it is if a cell has no counts, and some transitions of the chain may be deterministic. A step costs
// about 6⅓ l k³ multiplications and additions, that is of the order l s^1.5 for edges with s = k² potentials. Besides
// the marginals, the covariances S' take l k² numbers of memory.
type BlockInterior struct {
	// Tol is the relative certified gap at which the method stops, at least 1e-13. With Tol = 0 the method runs until it
	// makes no more progress.
	Tol      float64
	MaxSteps int // ≥ 1
}

var _ Solver = BlockInterior{}

// Run implements Solver.
func (m BlockInterior) Run(p *Problem) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		newton(p, newBlocks(p), m.Tol, m.MaxSteps)(yield)
	}
}

// blocks is the working memory for the block elimination of BlockInterior. See BlockInterior for the symbols below.
type blocks struct {
	p              *Problem
	after          []blas64.General // the covariances S'_t, for each step t
	mean           []float64        // the means m'_t, l·k numbers
	q, b           []float64        // the diagonals of the matrices Q_t and the vectors b_t, l·k numbers each
	s, x, pt       blas64.General   // the covariance S_t, a product X (see update), and Pᵀ; k × k each
	sym            *mat.SymDense    // the matrix I + Q^½ S Q^½ that update factorises
	chol           mat.Cholesky
	pi, ppi, prior []float64 // the multipliers π_{t+1}, their product P π_{t+1}, the mean m_t
	row            []float64
	logs, meanLogs []float64 // ℓ(i, j) of all edges; the means ℓ̄(i) of the nodes of all steps but the last
}

func newBlocks(p *Problem) *blocks {
	k, l := p.Cells, p.Steps
	square := func() blas64.General {
		return blas64.General{Rows: k, Cols: k, Stride: k, Data: make([]float64, k*k)}
	}
	s := &blocks{p: p, mean: make([]float64, l*k), q: make([]float64, l*k), b: make([]float64, l*k), s: square(),
		x: square(), pt: square(),
		sym: mat.NewSymDense(k, nil), pi: make([]float64, k), ppi: make([]float64, k), prior: make([]float64, k),
		row:  make([]float64, k),
		logs: make([]float64, (l-1)*k*k), meanLogs: make([]float64, l*k)}
	for range l {
		s.after = append(s.after, square())
	}
	return s
}

var errNotPositive = errors.New(
	"cgm: the Newton system is not positive definite: marginals are too small where there are counts")

func (s *blocks) direction(d, mu []float64) error {
	s.model(mu)
	k, l := s.p.Cells, s.p.Steps
	clear(s.prior)
	for i, v := range mu[:k] {
		for j, w := range mu[:k] {
			s.s.Data[i*k+j] = -v * w
		}
		s.s.Data[i*k+i] += v
	}
	for t := range l {
		if err := s.update(t); err != nil {
			return err
		}
		if t < l-1 {
			s.predict(mu, t)
		}
	}
	s.smooth(d, mu)
	return nil
}

// model computes Q, b, ℓ and ℓ̄ of the quadratic model of F at mu (see BlockInterior for these symbols).
func (s *blocks) model(mu []float64) {
	p, k, l := s.p, s.p.Cells, s.p.Steps
	for r := range l * k {
		n := mu[r]
		s.q[r] = p.Counts[r] / p.Population / (n * n)
		s.b[r] = p.Theta[r] - p.tilt(r, n)
		if r < k {
			s.b[r] -= math.Log(n)
		}
		if r >= (l-1)*k {
			continue
		}
		logN := math.Log(n)
		edges, theta, logs := mu[l*k+r*k:][:k], p.Theta[l*k+r*k:][:k], s.logs[r*k:][:k]
		var mean float64
		for j, e := range edges {
			logs[j] = math.Log(e) - logN - theta[j]
			mean += e * logs[j]
		}
		s.meanLogs[r] = mean / n
		s.b[r] -= s.meanLogs[r]
	}
}

// update computes S'_t and m'_t from S_t and m_t. This is the update of the Kalman filter (see BlockInterior).
func (s *blocks) update(t int) error {
	k := s.p.Cells
	q, b, mean, after := s.q[t*k:(t+1)*k], s.b[t*k:(t+1)*k], s.mean[t*k:(t+1)*k], s.after[t]
	copy(after.Data, s.s.Data)
	for i := range k {
		root := math.Sqrt(q[i])
		for j := range k {
			s.x.Data[i*k+j] = root * s.s.Data[i*k+j] // s.x becomes Q^½ S
		}
		for j := i; j < k; j++ {
			v := s.x.Data[i*k+j] * math.Sqrt(q[j])
			if i == j {
				v++
			}
			s.sym.SetSym(i, j, v)
		}
	}
	if !s.chol.Factorize(s.sym) {
		return errNotPositive
	}
	upper := s.chol.RawU().(*mat.TriDense).RawTriangular()
	blas64.Trsm(blas.Left, blas.Trans, 1, upper, s.x) // s.x becomes X = U⁻ᵀ Q^½ S; then S' = S − XᵀX
	blas64.Syrk(blas.Trans, -1, s.x, 1, blas64.Symmetric{N: k, Stride: k, Data: after.Data, Uplo: blas.Upper})
	for i := range k {
		for j := range i {
			after.Data[i*k+j] = after.Data[j*k+i]
		}
		s.row[i] = b[i] - q[i]*s.prior[i]
	}
	copy(mean, s.prior)
	product(blas.NoTrans, 1, after, s.row, mean)
	return nil
}

// predict computes S_{t+1} and m_{t+1} from S'_t and m'_t. This is the prediction of the Kalman filter (see
// BlockInterior).
func (s *blocks) predict(mu []float64, t int) {
	k, l := s.p.Cells, s.p.Steps
	from, to, edges := mu[t*k:(t+1)*k], mu[(t+1)*k:(t+2)*k], mu[l*k+t*k*k:][:k*k]
	clear(s.prior)
	for i, n := range from {
		mean, logs := s.meanLogs[t*k+i], s.logs[(t*k+i)*k:][:k]
		for j, e := range edges[i*k : (i+1)*k] {
			s.pt.Data[i*k+j] = e / n
			s.prior[j] -= e * (logs[j] - mean)
		}
	}
	product(blas.Trans, 1, s.pt, s.mean[t*k:(t+1)*k], s.prior)
	copy(s.s.Data, s.after[t].Data)
	for i, n := range from {
		s.s.Data[i*k+i] -= n
	}
	gemm(blas.NoTrans, s.s, s.pt, s.x)
	gemm(blas.Trans, s.pt, s.x, s.s)
	for j, n := range to {
		s.s.Data[j*k+j] += n
	}
	for i := range k { // make S exactly symmetric, as the next factorisation assumes
		for j := range i {
			v := (s.s.Data[i*k+j] + s.s.Data[j*k+i]) / 2
			s.s.Data[i*k+j], s.s.Data[j*k+i] = v, v
		}
	}
}

// smooth runs the smoother, a backward pass along the chain (see BlockInterior), and writes the Newton direction to d.
func (s *blocks) smooth(d, mu []float64) {
	k, l := s.p.Cells, s.p.Steps
	for t := l - 1; t >= 0; t-- {
		dn := d[t*k : (t+1)*k]
		copy(dn, s.mean[t*k:])
		if t == l-1 {
			clear(s.ppi)
		} else {
			s.backward(mu, t)
			product(blas.NoTrans, -1, s.after[t], s.ppi, dn)
			s.moves(d, mu, t)
		}
		for i, v := range dn {
			s.pi[i] = s.q[t*k+i]*v - s.b[t*k+i] + s.ppi[i]
		}
	}
}

// backward computes P π_{t+1}, where π are the multipliers (see BlockInterior).
func (s *blocks) backward(mu []float64, t int) {
	k, l := s.p.Cells, s.p.Steps
	for i, n := range mu[t*k : (t+1)*k] {
		s.ppi[i] = dot(mu[l*k+(t*k+i)*k:][:k], s.pi) / n
	}
}

// moves writes the components of the Newton direction d that belong to the edges from step t to step t+1: de = P dn_t +
// e w (see BlockInterior).
func (s *blocks) moves(d, mu []float64, t int) {
	k, l := s.p.Cells, s.p.Steps
	for i, n := range mu[t*k : (t+1)*k] {
		at := (t*k + i) * k
		edges, logs, de := mu[l*k+at:][:k], s.logs[at:][:k], d[l*k+at:][:k]
		same := d[t*k+i]/n + s.meanLogs[t*k+i] + s.ppi[i]
		for j, e := range edges {
			de[j] = e * (same - logs[j] - s.pi[j])
		}
	}
}

// product adds a·m x or a·mᵀx to y.
func product(trans blas.Transpose, a float64, m blas64.General, x, y []float64) {
	blas64.Gemv(trans, a, m, blas64.Vector{N: len(x), Inc: 1, Data: x}, 1, blas64.Vector{N: len(y), Inc: 1, Data: y})
}
