package kernel

import (
	"math"
	"runtime"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/blockrow"
	"github.com/gaplab/gaplab/models/internal/classes"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// expansion is the basis of the exact form of Model: the functions k(·, x_j) of the n training inputs, for
// each of the k classes. Coefficients are stored input by class, w[j·k + c] = β_jc, and
//
//	θ_c(x) = Σ_j k(x, x_j) β_jc,   |w|² = Σ_c β_cᵀ G β_c,   G_ij = k(x_i, x_j).
//
// A bias adds bias·w[n·k + c] to θ_c, and these weights to |w|² as they are.
//
// Inputs without a coefficient are skipped, so that a score without a kept matrix costs one evaluation per support
// vector.
type expansion struct {
	*function
	k, dim int
	bias   float64   // value of the constant feature; 0: none, and no weights of it
	every  []int32   // 0 .. n−1
	matrix []float64 // G, row by row; nil: it does not fit
}

// exact fills in the task of Basis = 0. The values between validation and training rows are kept too if there is room.
func (m Model) exact(t *models.Task, f *function, rows, held *datasets.Labelled) {
	n := rows.X.N
	e := m.expand(f, n, len(rows.Classes))
	t.Vocabulary = keep(rows, e.every, nil)
	room := m.Cache << 20 / 8
	if room/n >= n {
		room -= n * n
		e.fill()
	}
	t.Unknowns = models.Weights{Dim: e.dim, Norm: e.multiply}
	t.Facts = map[string]float64{}
	if e.matrix != nil {
		t.Facts["kernel_evaluations"] = float64(f.KernelEvaluations())
	}
	t.Train = m.expanded(e, rows, true)
	for i := range t.Train { // ψ(x, y) − ψ(x, ȳ) has k(x, x) and bias² in two blocks
		t.Facts["radius_sq"] = max(t.Facts["radius_sq"], 2*t.Train[i].Features.(*exactFeatures).lengthSq())
	}
	if held == nil {
		return
	}
	t.Validation = m.expanded(e, held, false)
	if e.matrix == nil || room/n < held.X.N {
		return
	}
	e.parallel(held.X.N, func(i int, s *working) {
		g := t.Validation[i].Features.(*exactFeatures)
		g.row = make([]float64, n)
		e.evaluate(g.row, e.every, s, g.index, g.value, g.norm)
	})
}

// expand is the basis of n training inputs and k classes, without the matrix.
func (m Model) expand(f *function, n, k int) *expansion {
	e := &expansion{function: f, k: k, dim: n * k, bias: m.Bias, every: make([]int32, n)}
	if m.Bias > 0 {
		e.dim += k
	}
	for j := range e.every {
		e.every[j] = int32(j)
	}
	return e
}

// fill computes the lower triangle of G and mirrors it.
func (e *expansion) fill() {
	n := len(e.every)
	e.matrix = make([]float64, n*n)
	e.parallel(n, func(i int, s *working) {
		index, value := e.rows.Row(i)
		e.evaluate(e.matrix[i*n:i*n+i+1], e.every[:i+1], s, index, value, e.norm[i])
	})
	for i := range n {
		for j, v := range e.matrix[i*n : i*n+i] {
			e.matrix[j*n+i] = v
		}
	}
}

// parallel calls f once for each of n rows, on all processors: rows do not depend on one another.
func (f *function) parallel(n int, row func(i int, s *working)) {
	models.InBlocks(n, blocks, runtime.GOMAXPROCS(0), func(_, lo, hi int) {
		s := f.pool.Get()
		defer f.pool.Put(s)
		for i := lo; i < hi; i++ {
			row(i, s)
		}
	})
}

func (m Model) expanded(e *expansion, d *datasets.Labelled, basis bool) []models.Example {
	truths, costs := classes.Labels(e.k, m.LossScale)
	features, n := make([]exactFeatures, d.X.N), len(e.every)
	examples := make([]models.Example, d.X.N)
	for i := range examples {
		f := &features[i]
		f.expansion, f.at = e, -1
		f.index, f.value = d.X.Row(i)
		f.norm = vec.DotRow(nil, f.value, f.value)
		f.self = e.self(f.norm)
		if basis {
			f.at = i
			if e.matrix != nil {
				f.row = e.matrix[i*n : (i+1)*n]
			}
		}
		examples[i] = classes.Example(f, truths[d.Y[i]], costs[d.Y[i]])
	}
	return examples
}

// multiply is Risk.Norm: dst_c ← G w_c for each class, and the weights of the bias as they are. Without the matrix it
// adds the columns of the inputs that have a coefficient, in their order, as Score does entry by entry.
func (e *expansion) multiply(dst, w []float64) {
	e.checkWeights(w)
	e.checkWeights(dst)
	k, n := e.k, len(e.every)
	copy(dst[n*k:], w[n*k:])
	if e.matrix != nil {
		for i := range n {
			blockrow.Score(dst[i*k:(i+1)*k], e.every, e.matrix[i*n:(i+1)*n], w)
		}
		return
	}
	s := e.pool.Get()
	defer e.pool.Put(s)
	e.support(s, w)
	if e.rows.Index != nil {
		clear(dst[:n*k])
		s.value = scratch.Grow(s.value, n)
		for _, j := range s.list {
			e.column(s.value, s, int(j))
			addOuter(dst[:n*k], s.value, w[int(j)*k:(int(j)+1)*k])
		}
		return
	}
	for i := range n {
		index, value := e.rows.Row(i)
		e.expand(dst[i*k:(i+1)*k], s, index, value, e.norm[i], w)
	}
}

// addOuter adds column_i β_c to dst_ic.
func addOuter(dst, column, beta []float64) {
	if len(beta) == 2 {
		first, second := beta[0], beta[1]
		for i, v := range column {
			at := dst[2*i : 2*i+2 : 2*i+2]
			at[0] += v * first
			at[1] += v * second
		}
		return
	}
	for i, v := range column {
		at := dst[i*len(beta):][:len(beta)]
		for c, b := range beta {
			at[c] += v * b
		}
	}
}

// support lists the inputs that have a coefficient. It is called for each score.
func (e *expansion) support(s *working, w []float64) {
	s.list = s.list[:0]
	if e.k == 2 {
		for j := range e.every {
			// all bits but the signs, which has one branch
			if (math.Float64bits(w[2*j])|math.Float64bits(w[2*j+1]))<<1 != 0 {
				s.list = append(s.list, int32(j))
			}
		}
		return
	}
	for j := range e.every {
		for _, b := range w[j*e.k : (j+1)*e.k] {
			if b != 0 {
				s.list = append(s.list, int32(j))
				break
			}
		}
	}
}

// expand writes θ(x), summed over the inputs of s.list.
func (e *expansion) expand(theta []float64, s *working, index []int32, value []float64, norm float64,
	w []float64) {
	s.value = scratch.Grow(s.value, len(s.list))
	e.evaluate(s.value, s.list, s, index, value, norm)
	blockrow.Score(theta, s.list, s.value, w)
}

// addBias adds the score of the constant feature.
func (e *expansion) addBias(theta, w []float64) {
	if e.bias == 0 {
		return
	}
	for c, v := range w[len(e.every)*e.k:] {
		theta[c] += e.bias * v
	}
}

func (e *expansion) checkWeights(w []float64) {
	if len(w) != e.dim {
		panic("kernel: len(w) != Dim")
	}
}
