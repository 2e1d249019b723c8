package models

import (
	"math/rand/v2"
	"testing"
)

// TestDots checks that Dots returns the same bits as Dot for no vector, for even and odd numbers of vectors, and for
// vectors of different lengths, including length 0.
func TestDots(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	v := make([]float64, 50)
	for j := range v {
		v[j] = rng.NormFloat64()
	}
	for count := range 7 {
		s := make([]Sparse, count)
		for k := range s {
			dense := make([]float64, len(v))
			for j := range dense {
				if rng.IntN(count) < k {
					dense[j] = rng.NormFloat64()
				}
			}
			s[k] = SparseOf(dense)
		}
		got := make([]float64, count)
		Dots(got, s, v)
		for k, x := range got {
			if want := s[k].Dot(v); x != want {
				t.Errorf("product %d of %d from Dots = %v, want %v as from Dot", k, count, x, want)
			}
		}
	}
}

// BenchmarkDots measures a column of the Gram matrix of a cutting-plane method: forty products with one dense vector.
func BenchmarkDots(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, 100_000)
	s := make([]Sparse, 40)
	for k := range s {
		for j := range v {
			v[j] = 0
			if rng.IntN(5) == 0 {
				v[j] = rng.NormFloat64()
			}
		}
		s[k] = SparseOf(v)
	}
	dst := make([]float64, len(s))
	for b.Loop() {
		Dots(dst, s, v)
	}
}
