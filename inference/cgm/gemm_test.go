package cgm

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

func square(k int, rng *rand.Rand) blas64.General {
	m := blas64.General{Rows: k, Cols: k, Stride: k, Data: make([]float64, k*k)}
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	return m
}

// TestGemm checks that gemm and gonum's own matrix product return the same bits.
func TestGemm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, k := range []int{1, 3, 63, 64, 65, 128, 150, 200} {
		a, b, got, want := square(k, rng), square(k, rng), square(k, rng), square(k, rng)
		for _, trans := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			gemm(trans, a, b, got)
			blas64.Gemm(trans, blas.NoTrans, 1, a, b, 0, want)
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("the product of %d × %d matrices (%c) differs from gonum's", k, k, trans)
			}
		}
	}
}

func BenchmarkGemm(b *testing.B) {
	for _, k := range []int{25, 100, 225} {
		rng := rand.New(rand.NewPCG(1, 1))
		x, y, z := square(k, rng), square(k, rng), square(k, rng)
		b.Run("one/"+strconv.Itoa(k), func(b *testing.B) {
			for b.Loop() {
				gemm(blas.NoTrans, x, y, z)
			}
		})
		b.Run("gonum/"+strconv.Itoa(k), func(b *testing.B) {
			for b.Loop() {
				blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, x, y, 0, z)
			}
		})
	}
}
