package blockrow

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAgreesWithPlainLoops checks that Score and AddOuter have the same bits as plain loops for many numbers of columns
// and entries, and that they change nothing else.
func TestAgreesWithPlainLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := 1; k <= 37; k++ {
		for _, nnz := range []int{0, 1, 2, 7, 50} {
			const dim = 60
			var index []int32
			for _, j := range rng.Perm(dim)[:nnz] {
				index = append(index, int32(j))
			}
			value, w, mu := normal(rng, nnz), normal(rng, dim*k), normal(rng, k)
			a := rng.NormFloat64()

			theta, want := normal(rng, k), make([]float64, k)
			Score(theta, index, value, w)
			for c := range k {
				for i, x := range value {
					want[c] += float64(x * w[int(index[i])*k+c])
				}
			}
			if d := cmp.Diff(want, theta); d != "" {
				t.Fatalf("Score, k = %d, %d entries (-want +got): %s", k, nnz, d)
			}

			added := append([]float64(nil), w...)
			for c := range k {
				m := a * mu[c]
				for i, x := range value {
					w[int(index[i])*k+c] += float64(x * m)
				}
			}
			AddOuter(added, a, index, value, mu)
			if d := cmp.Diff(w, added); d != "" {
				t.Fatalf("AddOuter, k = %d, %d entries (-want +got): %s", k, nnz, d)
			}
		}
	}
}

func normal(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}
