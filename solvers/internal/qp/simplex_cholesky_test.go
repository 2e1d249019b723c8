package qp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestCholeskyUpdates checks that L Lᵀ is the matrix K of the present rows after a random sequence of added and removed
// rows.
func TestCholeskyUpdates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var c cholesky
	var rows [][]float64
	entry := func(i, j int) float64 {
		v := floats.Dot(rows[i], rows[j])
		if i == j {
			v += 1e-3
		}
		return v
	}
	for step := range 600 {
		if grow := step < 80 || step%200 < 60; len(rows) == 0 || grow && rng.IntN(4) > 0 || rng.IntN(2) > 0 {
			x := make([]float64, 25)
			for f := range x {
				x[f] = rng.NormFloat64()
			}
			rows = append(rows, x)
			next := c.next()
			for j := range next {
				next[j] = entry(len(rows)-1, j)
			}
			c.append(1e-12)
		} else {
			k := rng.IntN(len(rows))
			rows = slices.Delete(rows, k, k+1)
			c.remove(k)
		}
		if c.n != len(rows) {
			t.Fatalf("order %d, want %d", c.n, len(rows))
		}
		for i := range rows {
			for j := range i + 1 {
				if got, want := floats.Dot(c.row(i)[:j+1], c.row(j)), entry(i, j); math.Abs(got-want) > 1e-10 {
					t.Fatalf("step %d: (L Lᵀ)_%d,%d = %v, want %v", step, i, j, got, want)
				}
			}
		}
		x := make([]float64, len(rows))
		for i := range x {
			x[i] = float64(i%3) - 1
		}
		b := make([]float64, len(rows))
		for i := range b {
			for j := range x {
				b[i] += entry(max(i, j), min(i, j)) * x[j]
			}
		}
		if c.solve(b); !floats.EqualApprox(b, x, 1e-7) {
			t.Fatalf("step %d: solve gives %v, want %v", step, b, x)
		}
	}
}

// TestCholeskyRaisesPivots checks that append uses the least allowed pivot, and not the root of a negative number, if
// the new row depends linearly on the other rows.
func TestCholeskyRaisesPivots(t *testing.T) {
	var c cholesky
	for i := range 3 {
		row := c.next()
		for j := range row {
			row[j] = 1 // all entries of K are 1, so K has rank 1
		}
		if i > 0 {
			row[i] -= 1e-9
		}
		c.append(1e-6)
	}
	for i := range 3 {
		want := 1e-3
		if i == 0 {
			want = 1
		}
		if got := c.row(i)[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("L_%d%d = %v, want %v", i, i, got, want)
		}
	}
}
