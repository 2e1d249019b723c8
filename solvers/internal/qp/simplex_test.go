package qp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// workingSet contains the columns g_k and the losses d_k of a problem. Tests compute expected values from the columns,
// without Simplex.
type workingSet struct {
	name string
	g    [][]float64
	d    []float64
}

// simplex returns a Simplex with the problem's columns and C = c, before any solve.
func (s *workingSet) simplex(c float64) *Simplex {
	q := NewSimplex(c)
	for k := range s.g {
		s.addTo(q, k)
	}
	return q
}

// addTo adds column k of the problem to q. Columns 0 to k − 1 must have been added before.
func (s *workingSet) addTo(q *Simplex, k int) {
	inner := make([]float64, k+1)
	for l := range inner {
		inner[l] = floats.Dot(s.g[l], s.g[k])
	}
	q.Add(inner, s.d[k])
}

// randomSets returns several kinds of problems of n columns in dim dimensions: columns that are well or badly
// conditioned, nearly parallel, repeated, linearly dependent, zero, or of very different norms, and columns without
// losses.
func randomSets(seed uint64, n, dim int) []*workingSet {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	base := func(condition float64) *workingSet {
		s := &workingSet{name: fmt.Sprintf("condition %.0e", condition*condition)}
		for range n {
			g := make([]float64, dim)
			for f := range g {
				g[f] = rng.NormFloat64() * math.Pow(condition, -float64(f)/float64(dim))
			}
			s.g, s.d = append(s.g, g), append(s.d, 100*rng.Float64())
		}
		return s
	}
	changed := func(name string, change func(s *workingSet, k int)) *workingSet {
		s := base(10)
		s.name = name
		for k := range n {
			change(s, k)
		}
		return s
	}
	centre := base(1).g[0]
	return []*workingSet{
		base(1), base(1e3), base(1e6),
		changed("nearly parallel", func(s *workingSet, k int) {
			floats.Scale(1e-4, s.g[k])
			floats.Add(s.g[k], centre)
			s.d[k] = 50 + 1e-3*s.d[k]
		}),
		changed("repeated", func(s *workingSet, k int) {
			if k%3 == 2 {
				s.g[k], s.d[k] = s.g[k-1], s.d[k-1]
			}
		}),
		changed("dependent", func(s *workingSet, k int) {
			if k%3 == 2 {
				clear(s.g[k])
				floats.AddScaled(s.g[k], 0.3, s.g[k-1])
				floats.AddScaled(s.g[k], 0.7, s.g[k-2])
				s.d[k] = 0.3*s.d[k-1] + 0.7*s.d[k-2] + 1e-9*float64(k%2)
			}
		}),
		changed("zeros", func(s *workingSet, k int) {
			if k%4 == 1 {
				clear(s.g[k])
				s.d[k] *= float64(k % 8 / 4)
			}
		}),
		changed("norms", func(s *workingSet, k int) { floats.Scale(math.Pow(10, float64(k%5)-2), s.g[k]) }),
		changed("no loss", func(s *workingSet, k int) { s.d[k] = 0 }),
		changed("opposite", func(s *workingSet, k int) {
			if k%2 == 1 {
				copy(s.g[k], s.g[k-1])
				floats.Scale(-1, s.g[k])
			}
		}),
	}
}

var capacities = []float64{1e-4, 1e-2, 1, 100, 1e4, 1e8}

// primal returns P(w) = ½|w|² + C ξ at w = Σ α_k g_k, the dual D(α), and the size of rounding errors in ∇ (see Simplex)
// at α. It computes them from the columns.
func (s *workingSet) primal(alpha []float64, c float64) (p, d, rounding float64) {
	if len(s.g) == 0 {
		return 0, 0, 0
	}
	w, norms := make([]float64, len(s.g[0])), 0.0
	for k, a := range alpha {
		floats.AddScaled(w, a, s.g[k])
		norms += a * floats.Norm(s.g[k], 2)
	}
	xi := 0.0
	for k, g := range s.g {
		xi = max(xi, s.d[k]-floats.Dot(w, g))
		rounding = max(rounding, 0x1p-52*(s.d[k]+norms*floats.Norm(g, 2)))
	}
	half := floats.Dot(w, w) / 2
	return half + c*xi, floats.Dot(alpha, s.d) - half, rounding
}

// checkSolved checks that α is feasible, and that the primal at w = Σ α_k g_k exceeds the dual at α by at most C tol
// and rounding errors. By weak duality (lemma 1), this shows that α is optimal up to C tol.
func checkSolved(t *testing.T, s *workingSet, q *Simplex, c, tol float64) {
	t.Helper()
	alpha := q.Alpha()
	if len(alpha) != len(s.g) || q.Len() != len(s.g) {
		t.Fatalf("%d columns and %d entries of α: want %d of both", q.Len(), len(alpha), len(s.g))
	}
	sum := 0.0
	for k, a := range alpha {
		if !(a >= 0) {
			t.Errorf("α_%d = %v, want at least 0", k, a)
		}
		sum += a
	}
	if sum > c*(1+1e-12) {
		t.Errorf("Σα = %v exceeds C = %v", sum, c)
	}
	p, d, rounding := s.primal(alpha, c)
	if gap := (p - d) / c; !(gap <= tol+50*rounding) {
		t.Errorf("(P − D)/C = %.3g: want at most %.3g, with rounding errors of %.2g; Gap() = %.3g", gap, tol, rounding,
			q.Gap())
	}
	if got := q.Value(); math.Abs(got-d) > 1e-12*math.Abs(d)+50*rounding*c {
		t.Errorf("Value() = %v: want %v", got, d)
	}
	if got, want := q.Slack(), (p-floats.Dot(alpha, s.d)+d)/c; math.Abs(got-want) > 1e-12*want+50*rounding {
		t.Errorf("Slack() = %v: want %v", got, want)
	}
}

func TestSimplexIsOptimal(t *testing.T) {
	for _, size := range []struct{ n, dim int }{{1, 1}, {7, 3}, {40, 10}, {40, 60}, {120, 50}} {
		for _, s := range randomSets(1, size.n, size.dim) {
			for _, c := range capacities {
				for _, tol := range []float64{1, 1e-8} {
					t.Run(fmt.Sprintf("%d×%d/%s/C=%g/tol=%g", size.n, size.dim, s.name, c, tol), func(t *testing.T) {
						q := s.simplex(c)
						q.Solve(tol)
						checkSolved(t, s, q, c, tol)
					})
				}
			}
		}
	}
}
