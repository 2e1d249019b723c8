package models_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestSparse checks the methods of sparse vectors and of rows against dense vectors.
func TestSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for trial := range 20 {
		a, b := make([]float64, 3+trial), make([]float64, trial%5)
		for _, v := range [][]float64{a, b} {
			for j := range v {
				if rng.IntN(2) == 0 {
					v[j] = float64(rng.IntN(9) - 4)
				}
			}
		}
		both := slices.Concat(a, b)
		s := models.SparseOf(a)
		kept := s.Clone()
		s.AppendRow(len(a), b)
		if want := models.SparseOf(both); !slices.Equal(s.Index, want.Index) || !slices.Equal(s.Value, want.Value) {
			t.Fatalf("%v and %v as one sparse vector: %v", a, b, s)
		}
		if len(kept.Index) > 0 {
			kept.Value[0], kept.Index[0] = 100, 200
		}
		v := examples.Weights(uint64(trial), len(both))
		dot, norm := 0., 0.
		sum, rowSum, denseSum := slices.Clone(v), slices.Clone(v), slices.Clone(v)
		s.AddTo(sum, -2)
		models.Row(s).AddTo(rowSum, -2)
		models.Row{Value: both}.AddTo(denseSum, -2)
		for j, x := range both {
			dot, norm = dot+x*v[j], norm+x*x
			if want := v[j] - 2*x; sum[j] != want || rowSum[j] != want || denseSum[j] != want {
				t.Fatalf("component %d of the sums = %v, %v, %v, want %v", j, sum[j], rowSum[j], denseSum[j], want)
			}
		}
		for _, got := range []float64{s.Dot(v), models.Row(s).Dot(v),
			models.Row{Value: both}.Dot(v)} {
			if math.Abs(got-dot) > 1e-12*(1+norm) {
				t.Fatalf("product = %v, want %v", got, dot)
			}
		}
		if s.NormSq() != norm {
			t.Fatalf("norm = %v, want %v", s.NormSq(), norm)
		}
	}
}
