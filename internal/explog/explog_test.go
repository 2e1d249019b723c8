package explog

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBitsOfPackageMath checks that Exp and Log give the same bits as package math, for slices of every length from 0
// to 17, for any numbers, and also if dst is x.
func TestBitsOfPackageMath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	odd := []float64{0, math.Copysign(0, -1), 1, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64,
		1e-310, math.MaxFloat64, -745, -708.5, 709.5, 710, -1e300, math.Sqrt2 / 2, math.Nextafter(math.Sqrt2/2, 1)}
	draws := []func() float64{
		rng.Float64,
		func() float64 { return 30 * rng.NormFloat64() },
		func() float64 { return -750 * rng.Float64() },
		func() float64 { return math.Exp(600 * rng.NormFloat64()) },
		func() float64 {
			if rng.IntN(4) > 0 {
				return rng.Float64()
			}
			return odd[rng.IntN(len(odd))]
		},
	}
	for trial := range 200000 {
		draw := draws[trial%len(draws)]
		x, shift := make([]float64, rng.IntN(18)), 0.0
		for c := range x {
			x[c] = draw()
		}
		if trial%2 == 0 {
			shift = draw()
		}
		for name, f := range map[string]struct {
			row func(dst, x []float64)
			one func(float64) float64
		}{
			"Exp": {func(dst, x []float64) { Exp(dst, x, shift) }, func(x float64) float64 { return math.Exp(x - shift) }},
			"Log": {Log, math.Log},
		} {
			got := make([]float64, len(x), len(x)+1)
			got[:len(x)+1][len(x)] = 7
			f.row(got, x)
			if got[:len(x)+1][len(x)] != 7 {
				t.Fatalf("%s of %d numbers writes beyond the end of dst", name, len(x))
			}
			own := append([]float64(nil), x...)
			f.row(own, own)
			for c := range x {
				want := math.Float64bits(f.one(x[c]))
				if math.Float64bits(got[c]) != want || math.Float64bits(own[c]) != want {
					t.Fatalf("%s of element %d of %v, with shift %v: got %v, in place %v, want %v", name, c, x, shift, got[c],
						own[c], math.Float64frombits(want))
				}
			}
		}
	}
}

func BenchmarkRow(b *testing.B) {
	x, dst := []float64{-1, -2, -0.3, -4, 0, -12, -0.7}, make([]float64, 7)
	b.Run("exp", func(b *testing.B) {
		for b.Loop() {
			Exp(dst, x, 0.1)
		}
	})
	b.Run("log", func(b *testing.B) {
		for c := range x {
			x[c] = -x[c] + 0.1
		}
		for b.Loop() {
			Log(dst, x)
		}
	})
	b.Run("math.Exp", func(b *testing.B) {
		for b.Loop() {
			for c, v := range x {
				dst[c] = math.Exp(v - 0.1)
			}
		}
	})
	b.Run("math.Log", func(b *testing.B) {
		for b.Loop() {
			for c, v := range x {
				dst[c] = math.Log(v)
			}
		}
	})
}
