package coordinate

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// expansion is the feature map of one row of a kernel expansion: θ = ±½ (K w)_i.
type expansion struct {
	i      int
	kernel [][]float64
}

func (f *expansion) Parts() int { return 2 }

func (f *expansion) Score(theta, w []float64) {
	s := dualspace.Dot(f.kernel[f.i], w) / 2
	theta[0], theta[1] = -s, s
}

func (f *expansion) AddAdjoint(w []float64, c float64, mu []float64) {
	w[f.i] += c * (mu[1] - mu[0]) / 2
}

func (f *expansion) Adjoint(dst *models.Sparse, mu []float64) {
	dst.Index, dst.Value = append(dst.Index[:0], int32(f.i)), append(dst.Value[:0], (mu[1]-mu[0])/2)
}

func (f *expansion) NormSq(v []float64) float64 {
	return (v[1] - v[0]) * (v[1] - v[0]) / 4 * f.kernel[f.i][f.i]
}

func (f *expansion) Dot(w []float64, y models.Vertex) float64 {
	theta := make([]float64, 2)
	f.Score(theta, w)
	return theta[y[0]]
}

func (f *expansion) Add(w []float64, c float64, y models.Vertex) { w[f.i] += c * (float64(y[0]) - 0.5) }

// TestDecompositionWithKernel checks that with the linear kernel of its rows a problem has the same run, w being
// written in the rows.
func TestDecompositionWithKernel(t *testing.T) {
	x, y := overlapping(11, 30, 4)
	linear := twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 0.02)
	kernel := make([][]float64, len(x))
	for i := range x {
		for j := range x {
			kernel[i] = append(kernel[i], dualspace.Dot(x[i], x[j]))
		}
	}
	expanded := *linear
	expanded.Dim = len(x)
	expanded.Examples = slices.Clone(linear.Examples)
	for i := range x {
		expanded.Examples[i].Features = &expansion{i: i, kernel: kernel}
	}
	expanded.Norm = func(dst, w []float64) {
		for i, row := range kernel {
			dst[i] = dualspace.Dot(row, w)
		}
	}
	for _, pair := range []string{"violating", "second-order"} {
		s := &Decomposition{Tol: 1e-6, Pair: pair}
		ends := [2]solvers.Iterate{}
		for k, p := range []*models.Risk{linear, &expanded} {
			for it, err := range solvers.Run(s, p, solvers.Env{Seed: 1}) {
				if err != nil || !soon(t, it) {
					t.Fatal(err)
				}
				ends[k] = it
				if gap := p.Primal(it.W) - it.Dual(); gap < -1e-12 {
					t.Errorf("%s: the gap is %v", pair, gap)
				}
			}
		}
		w := make([]float64, linear.Dim)
		for i, c := range ends[1].W {
			for j, v := range x[i] {
				w[j] += c * v
			}
		}
		for j, v := range w {
			if math.Abs(v-ends[0].W[j]) > 1e-4*(1+math.Abs(v)) {
				t.Errorf("%s: w[%d] is %v by the kernel: want %v", pair, j, v, ends[0].W[j])
			}
		}
		if a, b := ends[0].Dual(), ends[1].Dual(); math.Abs(a-b) > 1e-6 {
			t.Errorf("%s: the dual is %v by the kernel: want %v", pair, b, a)
		}
	}
}
