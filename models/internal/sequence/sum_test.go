package sequence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models/internal/vec"
)

// referenceSum computes log Z and the marginals by recursions in logarithms without normalisation, with one exponential
// per pair of labels. It shares no code with LogSum.
func referenceSum(theta []float64, l, k int, untied bool) (float64, []float64) {
	edge := func(t int) int {
		if untied {
			return l*k + t*k*k
		}
		return l * k
	}
	logSum := func(v []float64) float64 {
		var s float64
		for _, x := range v {
			s += math.Exp(x - slices.Max(v))
		}
		return slices.Max(v) + math.Log(s)
	}
	a, b := make([][]float64, l), make([][]float64, l)
	for t := range l {
		a[t], b[l-1-t] = make([]float64, k), make([]float64, k)
		for y := range k {
			ahead, behind := make([]float64, k), make([]float64, k)
			for z := range k {
				if t > 0 {
					ahead[z] = a[t-1][z] + theta[edge(t-1)+z*k+y]
					behind[z] = b[l-t][z] + theta[(l-t)*k+z] + theta[edge(l-1-t)+y*k+z]
				}
			}
			a[t][y] = theta[t*k+y]
			if t > 0 {
				a[t][y] += logSum(ahead)
				b[l-1-t][y] = logSum(behind)
			}
		}
	}
	z := logSum(a[l-1])
	mu := make([]float64, len(theta))
	for t := range l {
		for y := range k {
			mu[t*k+y] = math.Exp(a[t][y] + b[t][y] - z)
			for x := range k {
				if t > 0 {
					r := edge(t-1) + x*k + y
					mu[r] += math.Exp(a[t-1][x] + theta[r] + theta[t*k+y] + b[t][y] - z)
				}
			}
		}
	}
	return z, mu
}

// TestChainLongAndSteep checks LogSum on 200 positions against the reference. Scores are up to 1e4, and the differences
// between transition scores are on both sides of the limit of the scaled pass.
func TestChainLongAndSteep(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, untied := range []bool{false, true} {
		for _, k := range []int{2, 5, 11} {
			c := NewOracle(k, untied)
			for _, size := range []struct{ node, edge float64 }{{1, 1}, {1e4, 1}, {1, 30}, {300, 99}, {1e4, 99.9}, {1e4, 101},
				{1, 1e4}, {1e4, 1e4}} {
				const l = 200
				theta := make([]float64, chainParts(l, k, untied))
				for r := range theta {
					scale := size.node
					if r >= l*k {
						scale = size.edge
					}
					theta[r] = scale * (2*rng.Float64() - 1)
				}
				want, wantMu := referenceSum(theta, l, k, untied)
				mu := slices.Clone(theta)
				got := c.LogSum(mu, mu)
				// sums in the reference grow to size·l, with a relative rounding error of 1e-16 at each position
				tol := 1e-11 + 1e-14*l*max(size.node, size.edge)
				if !(math.Abs(got-want) <= tol) {
					t.Errorf("k = %d, untied %v, sizes %v: LogSum = %v, want %v", k, untied, size, got, want)
				}
				for r := range mu {
					if !(math.Abs(mu[r]-wantMu[r]) <= tol*max(1, wantMu[r])) {
						t.Errorf("k = %d, untied %v, sizes %v: marginal %d = %v, want %v", k, untied, size, r, mu[r], wantMu[r])
						break
					}
				}
				for at := range l {
					if s := vec.Sum(mu[at*k : (at+1)*k]); math.Abs(s-1) > 1e-9 {
						t.Errorf("k = %d, untied %v, sizes %v: sum of the marginals of position %d = %v, want 1", k, untied, size, at, s)
						break
					}
				}
			}
		}
	}
}

// TestChainOneSteepTransition checks untied scores in which one step has a transition with the score −1e4, which the
// only probable labelling uses.
func TestChainOneSteepTransition(t *testing.T) {
	for block := range 3 {
		theta := make([]float64, chainParts(4, 2, true))
		for at := range 4 {
			theta[2*at+1] = -1e6
		}
		theta[8+4*block] = -1e4
		mu := make([]float64, len(theta))
		if v := NewOracle(2, true).LogSum(mu, theta); v != -1e4 || mu[8+4*block] != 1 {
			t.Errorf("transition %d: LogSum = %v with the marginals %v, want -10000 and the marginal 1 of the transition",
				block, v, mu)
		}
	}
}

// TestChainAtTheLimitOfTheSpan checks LogSum against the reference for labels whose factors underflow in the scaled
// pass. Only an unlikely neighbour has a likely transition to such a label.
func TestChainAtTheLimitOfTheSpan(t *testing.T) {
	for _, span := range []float64{span, span + 1} {
		for _, low := range []float64{-380, -401, -700, -720, -1e6} {
			theta := []float64{0, low, 0, low, 0, low, -span, 0, 0, -span} // a change of label has the score 0, no change −span
			want, wantMu := referenceSum(theta, 3, 2, false)
			mu := make([]float64, len(theta))
			if got := NewOracle(2, false).LogSum(mu, theta); math.Abs(got-want) > 1e-9 {
				t.Errorf("span %v, score %v: LogSum = %v, want %v", span, low, got, want)
			}
			for r := range mu {
				if math.Abs(mu[r]-wantMu[r]) > 1e-12 {
					t.Errorf("span %v, score %v: marginal %d = %v, want %v", span, low, r, mu[r], wantMu[r])
				}
			}
		}
	}
}
