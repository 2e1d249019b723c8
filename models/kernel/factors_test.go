package kernel

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/datasets"
)

// TestFactors checks that factors adds the smallest jitter that makes the blocks positive definite, and adds it once.
// The blocks are s((1 + e) 11ᵀ − e I). The mean of their diagonal is s, and their smallest eigenvalue is −e s, so the
// jitter must be larger than e.
func TestFactors(t *testing.T) {
	const n = 4
	scales := []float64{1, 100} // s of the first and the third class; the second class has no pair
	rows := &datasets.Labelled{Classes: []string{"a", "b", "c"}}
	b := &basis{list: make([]int32, 2*n), start: []int{0, n, n, 2 * n}}
	for i := range b.list {
		b.list[i] = int32(i)
	}
	for _, c := range []struct{ e, jitter float64 }{{-0.5, 1e-10}, {3e-11, 1e-10}, {3e-10, 1e-9}, {3e-7, 1e-6},
		{3e-4, 1e-3}, {3e-3, 1e-2}, {3e-2, 0}} {
		values := make([]float64, 2*n*2*n)
		for i := range 2 * n {
			for j := range 2 * n {
				values[i*2*n+j] = scales[i/n] * (1 + c.e)
			}
			values[i*2*n+i] = scales[i/n]
		}
		factors, largest, err := b.factors(rows, values)
		if c.jitter == 0 {
			if err == nil || !strings.Contains(err.Error(), "class a is not positive definite") {
				t.Errorf("smallest eigenvalue -%g: error %v, want one about class a", c.e, err)
			}
			continue
		}
		if err != nil || math.Abs(largest/c.jitter-1) > 1e-9 || factors[1] != nil {
			t.Fatalf("smallest eigenvalue -%g: jitter %g, %v, class without pairs %v; want jitter %g, and nil", c.e, largest,
				err, factors[1], c.jitter)
		}
		for k, u := range []*mat.TriDense{factors[0], factors[2]} {
			var got mat.Dense
			got.Mul(u.T(), u)
			for i := range n {
				for j := range n {
					want := 1 + c.e
					if i == j {
						want = 1 + c.jitter
					}
					if d := got.At(i, j)/scales[k] - want; math.Abs(d) > 1e-13 {
						t.Errorf("smallest eigenvalue -%g, scale %g: (L Lᵀ)[%d,%d] is wrong by %.1e", c.e, scales[k], i, j, d)
					}
				}
			}
		}
	}
}
