package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProducts checks that MulVec and MaxPlus have the same bits as plain loops for many numbers of columns and rows,
// and that they change nothing after dst.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := 1; k <= 75; k++ {
		for _, n := range []int{0, 1, 2, 7, 44} {
			stride, step := Pad(k), 1+rng.IntN(3)
			m, x := normal(rng, n*stride), normal(rng, n*step)
			got, want := normal(rng, stride+8), make([]float64, stride)
			beyond := slices.Clone(got[stride:])
			MulVec(got[:stride], x, step, m, n)
			mulVec(want, x, step, m, n)
			same(t, "MulVec", k, n, got[:stride], want)
			MaxPlus(got[:stride], x, m, n)
			maxPlus(want, x, m, n)
			same(t, "MaxPlus", k, n, got[:stride], want)
			same(t, "memory behind dst", k, n, got[stride:], beyond)
		}
	}
}

// TestProductsAgainstTheDefinition checks products and transposes against numbers found by hand.
func TestProductsAgainstTheDefinition(t *testing.T) {
	m := []float64{1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80}
	dst := make([]float64, 8)
	MulVec(dst, []float64{2, -1, 3}, 2, m, 2) // with step 2, x is (2, 3)
	same(t, "MulVec", 8, 2, dst, []float64{32, 64, 96, 128, 160, 192, 224, 256})
	MaxPlus(dst, []float64{25, -1}, m, 2)
	same(t, "MaxPlus", 8, 2, dst, []float64{26, 27, 29, 39, 49, 59, 69, 79})
	if sum := Mul(dst, 2, m[:8], m[8:]); sum != 4080 || dst[7] != 1280 {
		t.Errorf("Mul = %v with sum %v, want 2x²·10 and 4080", dst, sum)
	}
	Transpose(dst[:8:8], []float64{5}, 1)
	if dst[0] != 5 {
		t.Errorf("Transpose of 5 = %v, want 5", dst[0])
	}
	square := make([]float64, 24)
	Transpose(square, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3)
	same(t, "Transpose", 3, 3, square, []float64{1, 4, 7, 0, 0, 0, 0, 0, 2, 5, 8, 0, 0, 0, 0, 0, 3, 6, 9, 0, 0, 0, 0, 0})
}

// TestMul checks that Mul has the same bits as the plain loop, also in place.
func TestMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for k := 8; k <= 80; k += 8 {
		x, y, got, want := normal(rng, k), normal(rng, k), make([]float64, k), make([]float64, k)
		a, b := Mul(got, 1.7, x, y), mul(want, 1.7, x, y)
		same(t, "Mul", k, 1, append(got, a), append(want, b))
		Mul(x, 1.7, x, y)
		same(t, "Mul in place", k, 1, x, want)
	}
}

// TestAddRows checks that AddRows has the same bits as the plain loop.
func TestAddRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for k := 1; k <= 50; k++ {
		for _, n := range []int{0, 1, 9} {
			const rows = 6
			to, from, value := make([]int32, n), make([]int32, n), normal(rng, n)
			for i := range n {
				to[i], from[i] = int32(rng.IntN(rows)), int32(rng.IntN(rows))
			}
			for _, value := range [][]float64{nil, value} {
				src, got := normal(rng, rows*k), normal(rng, rows*k)
				want := slices.Clone(got)
				AddRows(got, to, src, from, -0.3, value, k)
				addRows(want, to, src, from, -0.3, value, k)
				same(t, "AddRows", k, n, got, want)
			}
		}
	}
}

// TestExp checks that Exp has the same bits as the plain loop, and is close to math.Exp.
func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 40 {
		x, got := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = 3 - 710*rng.Float64()*rng.Float64()
		}
		if n > 3 {
			x[0], x[1], x[2], x[3] = 3, math.Inf(-1), -705.75, -705.7
		}
		Exp(got, x, 3)
		for i, v := range x {
			if e := exp(v - 3); got[i] != e {
				t.Fatalf("%d numbers: exp(%v) = %v, want %v as in the plain loop", n, v-3, got[i], e)
			}
			want := math.Exp(v - 3)
			if v-3 < -708.7 {
				want = 0
			}
			if math.Abs(got[i]-want) > 4e-16*want {
				t.Fatalf("exp(%v) = %v, want %v", v-3, got[i], want)
			}
		}
		Exp(x, x, 3)
		same(t, "Exp in place", n, 1, x, got)
	}
	if v := []float64{math.NaN(), 0, 0, 0, math.NaN()}; true {
		Exp(v, v, 0)
		if !math.IsNaN(v[0]) || !math.IsNaN(v[4]) || v[1] != 1 {
			t.Errorf("exp of NaN, 0, 0, 0, NaN = %v, want NaN, 1, 1, 1, NaN", v)
		}
	}
}

// TestShapesThatDoNotFit checks that wrong lengths panic.
func TestShapesThatDoNotFit(t *testing.T) {
	row := make([]float64, 8)
	for name, call := range map[string]func(){
		"short matrix":       func() { MulVec(row, row, 1, row, 2) },
		"short vector":       func() { MaxPlus(row, row[:1], make([]float64, 16), 2) },
		"row not padded":     func() { MulVec(row[:7], row, 1, row, 1) },
		"other length":       func() { Mul(row, 1, row, row[:7]) },
		"list too short":     func() { AddRows(row, make([]int32, 2), row, make([]int32, 1), 1, nil, 1) },
		"Exp, other lengths": func() { Exp(row, row[:7], 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: want a panic", name)
				}
			}()
			call()
		}()
	}
}

func same(t *testing.T, what string, k, n int, got, want []float64) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s, k = %d, n = %d (-want +got): %s", what, k, n, d)
	}
}

func normal(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func BenchmarkKernels(b *testing.B) {
	const k = 44
	stride := Pad(k)
	rng := rand.New(rand.NewPCG(1, 1))
	m, x, dst, square := normal(rng, k*stride), normal(rng, stride), make([]float64, stride), normal(rng, k*k)
	for i := range x {
		x[i] = -math.Abs(x[i])
	}
	for name, call := range map[string]func(){
		"MulVec":    func() { MulVec(dst, x, 1, m, k) },
		"MaxPlus":   func() { MaxPlus(dst, x, m, k) },
		"Mul":       func() { Mul(dst, 0.5, x, x) },
		"Exp":       func() { Exp(dst[:k], x[:k], 0) },
		"Transpose": func() { Transpose(m, square, k) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				call()
			}
		})
	}
}
