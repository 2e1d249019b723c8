package kernel

import (
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/blockrow"
	"github.com/gaplab/gaplab/models/internal/sequence"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// chainBasis is the basis of Chain: the functions k(·, x_j) of the N training positions for each of the k labels, and
// k² orthonormal vectors for the transitions.
type chainBasis struct {
	positions *expansion      // kernel functions of the positions, with the labels as classes
	shape     *sequence.Shape // shape of a chain whose features are the N positions
}

func newChainBasis(shape *sequence.Shape, f *function) *chainBasis {
	return &chainBasis{Model{}.expand(f, shape.Features, shape.K), shape}
}

// KernelEvaluations returns the number of evaluations of the kernel so far, summed over all examples of the task.
func (b *chainBasis) KernelEvaluations() int64 { return b.positions.KernelEvaluations() }

// multiply implements models.Norm. It writes dst_c ← G β_c for each label, with the kernel matrix G and the
// coefficients β of Chain, and copies the weights of transitions.
func (b *chainBasis) multiply(dst, w []float64) {
	if len(w) != b.shape.Dim || len(dst) != b.shape.Dim {
		panic("kernel: len(w) != Dim")
	}
	beta := b.positions.dim
	if b.positions.matrix != nil {
		b.product(dst[:beta], b.positions.matrix, w[:beta])
	} else {
		b.positions.multiply(dst[:beta], w[:beta])
	}
	copy(dst[beta:], w[beta:])
}

// product writes Σ_j values[t][j] β_jc to theta[t·k + c] for all rows t and labels c, where β has the coefficients of
// the positions j (see Chain). It processes the positions j in blocks. The coefficients of a block stay in the
// first-level cache while some rows are processed.
func (b *chainBasis) product(theta, values, beta []float64) {
	const cached, together = 3072, 32 // coefficients per block, rows per block
	k, n, every := b.shape.K, b.shape.Features, b.positions.every
	s := b.positions.pool.Get()
	defer b.positions.pool.Put(s)
	s.value = scratch.Grow(s.value, k)
	block := max(16, cached/k)
	clear(theta)
	for ; len(theta) > 0; theta, values = theta[min(len(theta), together*k):], values[min(len(values), together*n):] {
		for lo := 0; lo < n; lo += block {
			hi := min(n, lo+block)
			for t := range min(together, len(theta)/k) {
				blockrow.Score(s.value, every[lo:hi], values[t*n+lo:t*n+hi], beta)
				for c, v := range s.value {
					theta[t*k+c] += v
				}
			}
		}
	}
}

// chainFeatures is the feature map A_i of Chain for one sequence. For a training sequence, Aᵀμ has the coefficients μ_t
// at position t. This is the transpose of a chain that has one feature per position, with the value 1 at this position.
type chainFeatures struct {
	*chainBasis
	basis    *sequence.Features // features of the chain: one per position; none for a validation sequence
	training bool
	rows     *datasets.Rows // rows of all sequences
	from     int            // first row of this sequence
	values   []float64      // kernel values k(x_t, x_j), l rows of N; nil: computed at each use
}

var (
	_ models.SparseMap = (*chainFeatures)(nil)
	_ models.Gram      = (*chainFeatures)(nil)
	_ models.Bounded   = (*chainFeatures)(nil)
)

func (f *chainFeatures) Parts() int { return f.basis.Parts() }

func (f *chainFeatures) Score(theta, w []float64) {
	f.basis.Check(theta, w)
	k, e := f.shape.K, f.positions
	labels, beta, edges := theta[:f.basis.Len*k], w[:e.dim], w[e.dim:]
	if f.values != nil {
		f.product(labels, f.values, beta)
	} else {
		s := e.pool.Get()
		e.support(s, beta)
		for t := range f.basis.Len {
			f.evaluate(s, s.list, t)
			blockrow.Score(labels[t*k:(t+1)*k], s.list, s.value, beta)
		}
		e.pool.Put(s)
	}
	for to := theta[len(labels):]; len(to) > 0; to = to[len(edges):] {
		copy(to, edges)
	}
}

// evaluate writes k(x_t, x_j) for each j in list to s.value.
func (f *chainFeatures) evaluate(s *working, list []int32, t int) {
	index, value := f.rows.Row(f.from + t)
	s.value = scratch.Grow(s.value, len(list))
	f.positions.evaluate(s.value, list, s, index, value, vec.DotRow(nil, value, value))
}

func (f *chainFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.checkTraining()
	f.basis.AddAdjoint(w, c, mu)
}

// Adjoint implements models.SparseMap. dst has the coefficients of the function Aᵀμ, so |dst|² is not the squared norm
// of this function, which NormSq returns.
func (f *chainFeatures) Adjoint(dst *models.Sparse, mu []float64) {
	f.checkTraining()
	f.basis.Adjoint(dst, mu)
}

func (f *chainFeatures) Add(w []float64, c float64, y models.Vertex) {
	f.checkTraining()
	f.basis.Add(w, c, y)
}

func (f *chainFeatures) Dot(w []float64, y models.Vertex) float64 {
	f.basis.CheckWeights(w)
	f.basis.CheckLabelling(y)
	k, n, e := f.shape.K, f.shape.Features, f.positions
	s := e.pool.Get()
	defer e.pool.Put(s)
	if f.values == nil {
		e.support(s, w[:e.dim])
	}
	var sum float64
	for t, r := range y[:f.basis.Len] {
		label := r - t*k
		if f.values != nil {
			for j, v := range f.values[t*n : (t+1)*n] {
				sum += v * w[j*k+label]
			}
			continue
		}
		f.evaluate(s, s.list, t)
		for i, j := range s.list {
			sum += s.value[i] * w[int(j)*k+label]
		}
	}
	for _, r := range y[f.basis.Len:] {
		sum += w[f.basis.Edge(r)]
	}
	return sum
}

// NormSq implements models.Gram. It returns Σ_{t,t'} k(x_t, x_t') v_t·v_t' plus the squared norm of the components of
// Aᵀv for the transitions, where A is the feature map.
func (f *chainFeatures) NormSq(v []float64) float64 {
	f.basis.CheckParts(v)
	f.checkTraining()
	k, s := f.shape.K, f.positions.pool.Get()
	defer f.positions.pool.Put(s)
	var sum float64
	for t := range f.basis.Len {
		own := v[t*k : (t+1)*k]
		before, self := f.neighbours(s, t)
		sum += self * vec.SumSquares(own)
		for u, x := range before {
			sum += 2 * x * vec.Dot(own, v[u*k:(u+1)*k])
		}
	}
	return max(0, sum) + f.basis.EdgesNormSq(v) // rounding may make a small sum negative
}

// neighbours returns k(x_t, x_u) for the positions u ≤ t of a training sequence.
func (f *chainFeatures) neighbours(s *working, t int) (before []float64, self float64) {
	if f.values != nil {
		row := f.values[t*f.shape.Features+f.from:]
		return row[:t], row[t]
	}
	f.evaluate(s, f.positions.every[f.from:f.from+t+1], t)
	return s.value[:t], s.value[t]
}

// RadiusSq implements models.Bounded. It bounds max_y |φ(truth) − φ(y)|² with φ(y) = Aᵀ1_y. Two labellings have
// φ(y)·φ(z) = Σ_{t,u} k(x_t, x_u) [y_t = z_u] plus the contribution of the transitions, which is non-negative, and at
// most (l − 1)² if y = z. Let K⁺ and K⁻ be the sums of the absolute values of the positive and of the negative k(x_t,
// x_u). Then |φ(y)|² ≤ K⁺ + (l − 1)² and φ(truth)·φ(y) ≥ −K⁻, hence
//
//	|φ(truth) − φ(y)|² ≤ |φ(truth)|² + K⁺ + (l − 1)² + 2 K⁻.
//
// If no value is negative, a labelling attains the bound if all its labels are the same label that is not in the truth.
// If some value is negative, the square of |φ(truth)| + √(K⁺ + (l − 1)²) may be a smaller bound.
func (f *chainFeatures) RadiusSq(truth models.Vertex) float64 {
	indicator := make([]float64, f.Parts())
	for _, r := range truth {
		indicator[r]++
	}
	own := f.NormSq(indicator)
	s := f.positions.pool.Get()
	defer f.positions.pool.Put(s)
	var positive, negative float64
	for t := range f.basis.Len {
		before, self := f.neighbours(s, t)
		positive += self
		for _, x := range before {
			positive += 2 * max(0, x)
			negative += 2 * max(0, -x)
		}
	}
	most := positive + float64((f.basis.Len-1)*(f.basis.Len-1))
	both := math.Sqrt(own) + math.Sqrt(most)
	return min(own+most+2*negative, both*both)
}

func (f *chainFeatures) checkTraining() {
	if !f.training {
		panic("kernel: a validation sequence has no transpose, since its kernel functions are not in the basis")
	}
}
