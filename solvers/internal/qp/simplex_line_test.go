package qp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestLineSearchGains checks that LineSearch increases D by at least ½ min(C, slope/curvature) slope (lemma 2 of
// Joachims, Finley and Yu (2009)), and that it ends where the slope is 0 or at the point C e_k.
func TestLineSearchGains(t *testing.T) {
	for _, s := range randomSets(4, 20, 12) {
		for _, c := range capacities {
			rng := rand.New(rand.NewPCG(1, 7))
			q := s.simplex(c)
			for range 200 {
				k := rng.IntN(q.Len())
				alpha := slices.Clone(q.Alpha())
				_, before, _ := s.primal(alpha, c)
				direction := slices.Clone(alpha)
				floats.Scale(-1/c, direction)
				direction[k]++
				slope, curvature := s.along(alpha, direction)
				q.LineSearch(k)
				_, after, rounding := s.primal(q.Alpha(), c)
				if want := 0.5 * min(c, slope/curvature) * slope; slope > 50*rounding &&
					after-before < want*(1-1e-6)-1e-12*math.Abs(before)-c*rounding {
					t.Fatalf("%s, C = %g: the line search increases D by %v, want at least %v", s.name, c, after-before, want)
				}
				if slope <= 0 && !slices.Equal(alpha, q.Alpha()) && rounding < -slope {
					t.Fatalf("%s, C = %g: the line search moves α although the slope is %v, want no move", s.name, c, slope)
				}
			}
			if sum := floats.Sum(q.Alpha()); sum > c*(1+1e-12) || floats.Min(q.Alpha()) < 0 {
				t.Errorf("%s: α is outside the simplex: Σα = %v, C = %v", s.name, sum, c)
			}
		}
	}
}

// along returns the first derivative of D at α along a direction, and minus the second derivative.
func (s *workingSet) along(alpha, direction []float64) (slope, curvature float64) {
	w, v := make([]float64, len(s.g[0])), make([]float64, len(s.g[0]))
	for k, g := range s.g {
		floats.AddScaled(w, alpha[k], g)
		floats.AddScaled(v, direction[k], g)
	}
	return floats.Dot(direction, s.d) - floats.Dot(w, v), floats.Dot(v, v)
}
