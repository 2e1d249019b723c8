package cgm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// pairs returns the edges of a random graph with n nodes, each edge once.
func pairs(rng *rand.Rand, n int, density float64) (rows, cols []int32) {
	for i := range n {
		for j := range i {
			if rng.Float64() < density {
				a, b := int32(i), int32(j)
				if rng.IntN(2) == 0 {
					a, b = b, a
				}
				rows, cols = append(rows, a), append(cols, b)
			}
		}
	}
	return rows, cols
}

// TestLDL checks that ldl solves quasi-definite systems, and that it still does after new values are set in the same
// pattern of non-zeros.
func TestLDL(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 40; n++ {
		rows, cols := pairs(rng, n, 0.2)
		off := len(rows)
		for i := range n {
			rows, cols = append(rows, int32(i)), append(cols, int32(i))
		}
		f := newLDL(n, rows, cols)
		for range 2 {
			full := mat.NewDense(n, n, nil)
			set := func(q int, v float64) {
				f.set(q, v)
				full.Set(int(rows[q]), int(cols[q]), v)
				full.Set(int(cols[q]), int(rows[q]), v)
			}
			for q := range off {
				set(q, 0.1*rng.NormFloat64()) // small relative to the diagonal, whose positive entries belong to H (see ldl)
			}
			for i := range n {
				set(off+i, float64(1-2*(i%2))*(1+rng.Float64()))
			}
			if err := f.factorise(); err != nil {
				t.Fatal(err)
			}
			want := make([]float64, n)
			for i := range want {
				want[i] = rng.NormFloat64()
			}
			var b mat.VecDense
			b.MulVec(full, mat.NewVecDense(n, want))
			f.solve(b.RawVector().Data)
			if worst := apart(b.RawVector().Data, want); worst > 1e-10 {
				t.Errorf("%d unknowns: error of the solution = %v, want at most 1e-10", n, worst)
			}
		}
	}
}

// TestLDLWithoutPivot checks that a pivot of 0 or NaN is an error, and that the same ldl can be used again after the
// error.
func TestLDLWithoutPivot(t *testing.T) {
	f := newLDL(2, []int32{0, 1, 1}, []int32{0, 0, 1})
	for _, v := range []float64{0, math.NaN()} {
		f.set(0, v)
		f.set(1, v)
		f.set(2, v)
		if err := f.factorise(); err == nil {
			t.Errorf("factorise of a matrix of %v returns no error, want one for its pivot", v)
		}
	}
	f.set(0, 1)
	f.set(1, 0.5)
	f.set(2, -1)
	b := []float64{1.5, -0.5} // [1 0.5; 0.5 −1](1, 1)
	if err := f.factorise(); err != nil {
		t.Fatal(err)
	}
	if f.solve(b); apart(b, []float64{1, 1}) > 1e-15 {
		t.Errorf("solution after an error = %v, want [1 1]", b)
	}
}

// fill returns the number of entries below the diagonal of the factor L. It counts them by eliminating the variables
// one by one in a graph that stores all edges.
func fill(n int, rows, cols, order []int32) int {
	near := make([]map[int32]bool, n)
	for i := range near {
		near[i] = map[int32]bool{}
	}
	for q, i := range rows {
		near[i][cols[q]], near[cols[q]][i] = true, true
	}
	total := 0
	for _, p := range order {
		total += len(near[p])
		for i := range near[p] {
			delete(near[i], p)
			for j := range near[p] {
				if i != j {
					near[i][j] = true
				}
			}
		}
	}
	return total
}

// TestMinimumDegree checks that the order has each variable once, that L has as many entries as elimination in a graph
// that stores all edges gives, and that the order keeps the factors of trees and grids sparse.
func TestMinimumDegree(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for n := 1; n < 50; n++ {
		rows, cols := pairs(rng, n, 0.1)
		order := minimumDegree(n, rows, cols)
		natural := make([]int32, n)
		for i := range natural {
			natural[i] = int32(i)
		}
		sorted := slices.Clone(order)
		slices.Sort(sorted)
		if !slices.Equal(sorted, natural) {
			t.Fatalf("order of %d variables = %v, want each variable once", n, order)
		}
		if f := newLDL(n, rows, cols); f.lStart[n] != fill(n, rows, cols, order) {
			t.Errorf("%d variables: entries of L = %d, want %d", n, f.lStart[n], fill(n, rows, cols, order))
		}
	}
	// The factor of a tree has no fill-in. A grid has less than half the fill-in that elimination row by row gives.
	var rows, cols []int32
	for i := int32(1); i < 60; i++ {
		rows, cols = append(rows, i), append(cols, rng.Int32N(i))
	}
	if got := fill(60, rows, cols, minimumDegree(60, rows, cols)); got != 59 {
		t.Errorf("entries of the factor of a tree with 59 edges = %d, want 59", got)
	}
	const side = 20
	rows, cols = nil, nil
	natural := make([]int32, side*side)
	for i := range int32(side * side) {
		natural[i] = i
		if i%side > 0 {
			rows, cols = append(rows, i), append(cols, i-1)
		}
		if i >= side {
			rows, cols = append(rows, i), append(cols, i-side)
		}
	}
	got, plain := fill(side*side, rows, cols, minimumDegree(side*side, rows, cols)), fill(side*side, rows, cols, natural)
	if got > plain/2 {
		t.Errorf("entries of the factor of a grid = %d, want at most half of the %d of elimination row by row", got, plain)
	}
}
