package kernel

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// basis is the basis of the low-rank form of Model (paper cutting-plane, problems OP8 and OP9). It consists of b
// training pairs (x'_j, y'_j), drawn without replacement. The kernel matrix of the pairs has one block G_y for the
// pairs of each class y. With the Cholesky factor of G_y + jitter·I = L_y L_yᵀ, the functions L_y⁻¹ (k(·, x'_j))_{j:
// y'_j = y} are orthonormal. So
//
//	φ_y(x) = L_y⁻¹ k_y(x),   θ_y = w_y · φ_y(x),   w = (w_y), b weights.
//
// The vectors φ(x) of all examples are computed once, by n·b evaluations of k and one triangular solve per example.
// Then Score and AddAdjoint cost b operations, whatever the number of features. In contrast, the method of the paper
// stores k_y(x), and solves a triangular system once for each w.
//
// A class without a pair in the basis has the score 0. Memory: 8 b bytes per example.
type basis struct {
	*function
	list  []int32 // indices of the inputs x'_j of the basis among the training rows, sorted by class
	start []int   // k+1 offsets of the k classes in list, in the features φ(x) and in w
}

// draw draws the pairs of the basis and sorts them by class.
func (m Model) draw(f *function, rows *datasets.Labelled) *basis {
	b := &basis{function: f, start: make([]int, len(rows.Classes)+1)}
	for _, i := range rand.New(rand.NewPCG(m.BasisSeed, 0)).Perm(rows.X.N)[:m.Basis] {
		b.list = append(b.list, int32(i))
		b.start[rows.Y[i]+1]++
	}
	slices.SortFunc(b.list, func(i, j int32) int { return cmp.Or(cmp.Compare(rows.Y[i], rows.Y[j]), cmp.Compare(i, j)) })
	for y := range rows.Classes {
		b.start[y+1] += b.start[y]
	}
	return b
}

// factors returns the factors L_yᵀ of all classes y (see basis), and the largest jitter relative to the mean of the
// diagonal. It increases the jitter until the matrix is numerically positive definite. values has the kernel values of
// all training rows with the basis, which include the entries of G_y.
func (b *basis) factors(rows *datasets.Labelled, values []float64) (out []*mat.TriDense, largest float64,
	err error) {
	out = make([]*mat.TriDense, len(b.start)-1)
	for y := range out {
		lo, hi := b.start[y], b.start[y+1]
		n := hi - lo
		if n == 0 {
			continue
		}
		g := mat.NewSymDense(n, nil)
		for i := range n {
			row := values[int(b.list[lo+i])*len(b.list)+lo:]
			for j := i; j < n; j++ {
				g.SetSym(i, j, row[j])
			}
		}
		mean := mat.Trace(g) / float64(n)
		if mean == 0 {
			mean = 1
		}
		var c mat.Cholesky
		jitter, added := 1e-10, 0.0
		for ; ; jitter *= 10 {
			if jitter > 0.01 {
				return nil, 0, fmt.Errorf("model kernel: the kernel matrix of the basis of class %s is not positive definite, "+
					"even with 1%% added to its diagonal: scale the features to a smaller range", rows.Classes[y])
			}
			for i := range n {
				g.SetSym(i, i, g.At(i, i)+(jitter-added)*mean)
			}
			if added = jitter; c.Factorize(g) {
				break
			}
		}
		largest = max(largest, jitter)
		out[y] = new(mat.TriDense)
		c.UTo(out[y])
	}
	return out, largest, nil
}

// whiten replaces the kernel values k_y in phi by φ_y = L_y⁻¹ k_y (see basis). It solves φ_yᵀ L_yᵀ = k_yᵀ for many
// examples at a time, as the rows of a matrix.
func (b *basis) whiten(phi []float64, factors []*mat.TriDense) {
	size := len(b.list)
	models.InBlocks(len(phi)/size, blocks, runtime.GOMAXPROCS(0), func(_, from, to int) {
		if from == to {
			return
		}
		for y, u := range factors {
			if u == nil {
				continue
			}
			lo, hi := b.start[y], b.start[y+1]
			block := blas64.General{Rows: to - from, Cols: hi - lo, Stride: size, Data: phi[from*size+lo : to*size]}
			blas64.Trsm(blas.Right, blas.NoTrans, 1, u.RawTriangular(), block)
		}
	})
}
