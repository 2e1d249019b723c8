package kernel

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models/internal/blockrow"
	"gonum.org/v1/gonum/floats"
)

// expansion is the basis of the exact form of Model: the functions k(·, x_j) of the n training inputs for each of the k
// classes. w has the coefficients w[j·k + c] = β_jc, and
//
//	θ_c(x) = Σ_j k(x, x_j) β_jc,   |w|² = Σ_c β_cᵀ G β_c,   G_ij = k(x_i, x_j).
//
// A bias adds bias·w[n·k + c] to θ_c and w[n·k + c]² to |w|².
//
// Inputs whose coefficients are all 0 are skipped. So without the matrix, a score costs one evaluation of k per support
// vector.
type expansion struct {
	*function
	k, dim int
	bias   float64   // value of the constant feature; 0: there is none, and no weights for it
	every  []int32   // 0 .. n−1, the list of all training inputs
	matrix []float64 // the kernel matrix G, row by row; nil: it does not fit into Cache
}

// expand returns the basis of n training inputs and k classes, without the matrix.
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

// fill computes the lower triangle of the kernel matrix G and copies it to the upper triangle.
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

// multiply implements models.Norm. It writes dst_c ← G w_c for each class, where G is the kernel matrix, and copies the
// weights of the bias. Without the matrix it sums the columns of the inputs with non-zero coefficients, in the same
// order as Score.
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

// addOuter adds column[i] β_c to dst[i·k + c], where k = len(beta).
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

// support writes to s.list the inputs that have a non-zero coefficient. It must be fast, since it is called for each
// score.
func (e *expansion) support(s *working, w []float64) {
	s.list = s.list[:0]
	if e.k == 2 {
		for j := range e.every {
			// tests all bits except the signs, so it finds coefficients other than 0 and −0 with one branch
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

// expand writes the scores θ(x), summed over the inputs in s.list, to theta.
func (e *expansion) expand(theta []float64, s *working, index []int32, value []float64, norm float64,
	w []float64) {
	s.value = scratch.Grow(s.value, len(s.list))
	e.evaluate(s.value, s.list, s, index, value, norm)
	blockrow.Score(theta, s.list, s.value, w)
}

// addBias adds the scores of the constant feature to theta.
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

// column writes k(x_i, x_j) for each training row i to dst. The results have the same bits as the results of evaluate
// for row x_i and the list [j]. The rows must be sparse. Cost: the number of non-zeros in the columns of the features
// of x_j, plus the exponentials of all rows in one call.
//
// DotRow adds the products of the non-zeros of x_j to four partial sums, chosen by the index of the non-zero. Here the
// non-zeros are processed in the same order, and the products of one non-zero are added to the same partial sum of all
// rows that have the feature. For other rows the product is 0. Adding 0 does not change a sum, since no sum is −0.
func (e *expansion) column(dst []float64, s *working, j int) {
	n, t := len(e.every), e.features()
	if len(s.sums[0]) != n {
		for l := range s.sums {
			s.sums[l] = make([]float64, n)
		}
	}
	index, value := e.rows.Row(j)
	paired := len(value) &^ 3 // number of non-zeros for the four sums in turn; the others are added to the first sum
	for p, f := range index {
		lane := p & 3
		if p >= paired {
			lane = 0
		}
		sum, x := s.sums[lane], value[p]
		if whole := t.whole[f]; whole != nil {
			floats.AddScaled(sum, x, whole)
			continue
		}
		row := t.row[t.start[f]:t.start[f+1]]
		other := t.value[t.start[f]:t.start[f+1]][:len(row)]
		for at, i := range row {
			sum[i] += x * other[at]
		}
	}
	dst = dst[:n]
	a, b, c, d := s.sums[0][:n], s.sums[1][:n], s.sums[2][:n], s.sums[3][:n]
	for i := range dst {
		dst[i] = (a[i] + b[i]) + (c[i] + d[i])
		a[i], b[i], c[i], d[i] = 0, 0, 0, 0
	}
	e.count.Add(int64(n))
	e.apply(dst, e.every, e.norm[j])
}
