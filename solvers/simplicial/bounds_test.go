package simplicial

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// TestRSDDualTerm checks the closed form of a component of q_i (see rsdBound, and (13) in the paper of Yu, Bertsekas
// and Rousu) in rsdDualTerm. For d = c − μ ≥ 0 and any λ, it must equal the minimum over θ ≤ 0. For μ > c there must be
// no minimum.
func TestRSDDualTerm(t *testing.T) {
	const far, steps = 60.0, 200_000
	for _, d := range []float64{0, 0.01, 0.3, 1, 4} {
		for _, lambda := range []float64{-2, 0, 0.005, 0.3, 1, 7} {
			least := math.Inf(1)
			for k := range steps + 1 {
				x := -far * float64(k) / steps
				least = min(least, -d*x+lambda*math.Exp(x))
			}
			if got := rsdDualTerm(d, lambda); math.Abs(got-least) > 1e-6 {
				t.Errorf("d = %v, λ = %v: rsdDualTerm = %v, want %v, the minimum over listed points", d, lambda, got, least)
			}
		}
	}
	for _, x := range []float64{-1e2, -1e4, -1e6} {
		if v := 0.1*x + 5*math.Exp(x); v > 0.09*x {
			t.Errorf("at x = %v the function is %v: want it to decrease without bound for μ > c", x, v)
		}
	}
}

// TestRSDDirection checks that, for any θ, the method find of rsdDirection stores a point of the polyhedron D (see
// rsdPoint) that is best along θ. The test lists all labellings to compute the best value, η Σ_k h(v_k) (see
// rsdDirection, and (12) in the paper of Yu, Bertsekas and Rousu).
func TestRSDDirection(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, c := range rsdCases(t) {
		g, list, n := c.p.Distributions, margins(c.p), len(c.p.Examples)
		width := c.p.Dim()
		if g.Quadratic {
			width += n
		}
		theta, z := make([]float64, c.p.Dim()), make([]float64, width)
		for j := range theta {
			theta[j] = rng.NormFloat64() - 2
		}
		d := newRSDDirection(c.p, 3, width)
		got := d.find(theta, 0, n)
		omega := d.total(z)
		largest := make([]float64, n)
		for _, m := range list {
			largest[m.k] = max(largest[m.k], dualspace.Dot(m.a, theta)+m.b)
		}
		want := 0.0
		for _, v := range largest {
			want += g.Penalty(v)
		}
		if math.Abs(got-want) > 1e-11*want {
			t.Errorf("%s: find = %v, want the maximum over D, %v, from all labellings", c.name, got, want)
		}
		value := omega + dualspace.Dot(theta, z[:c.p.Dim()])
		for _, s := range z[c.p.Dim():] {
			value -= s * s / (2 * g.Eta)
		}
		if math.Abs(value-want) > 1e-11*want {
			t.Errorf("%s: the value at the point is %v, want the maximum over D, %v", c.name, value, want)
		}
		if p := d.penalty(theta, 0, n); p != got || d.calls != 2*n {
			t.Errorf("%s: penalty = %v after %d calls, want %v as from find", c.name, p, d.calls, got)
		}
		sum, part := make([]float64, width), make([]float64, width)
		d.find(theta, 0, n)
		for b := range d.blocks {
			d.block(b, part)
			for j, x := range part {
				sum[j] += x
			}
		}
		for j, x := range sum {
			if math.Abs(x-z[j]) > 1e-12 {
				t.Errorf("%s: component %d: the sum of the blocks' points is %v, want %v, as in the total", c.name, j, x, z[j])
			}
		}
		dense := newRSDDirection(c.p.Map(func(e *models.Example) {
			e.Features = struct{ models.FeatureMap }{e.Features} // hides the methods of models.SparseMap
		}).(*models.Generative), 3, width)
		if v := dense.find(theta, 0, n); v != got {
			t.Errorf("%s: find = %v without a sparse map, want %v as with a sparse map", c.name, v, got)
		}
		dense.total(sum)
		for j, x := range sum {
			if math.Abs(x-z[j]) > 1e-12 {
				t.Errorf("%s: component %d of the point is %v without a sparse map, want %v as with a sparse map",
					c.name, j, x, z[j])
			}
		}
	}
}

// TestRSDCertificate checks that the bound of rsdBound is the value of the dual at the best multipliers λ, which the
// test finds by search. The bound must not exceed the optimum for any dual point z.
func TestRSDCertificate(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for _, c := range rsdCases(t) {
		g, list := c.p.Distributions, margins(c.p)
		optimum, _ := barrierOptimum(t, c.p)
		width := c.p.Dim()
		if g.Quadratic {
			width += len(c.p.Examples)
		}
		for range 3 {
			z, omega := make([]float64, width), 0.0
			for _, m := range list {
				beta := g.Eta * rng.ExpFloat64() / 1000
				omega += beta * m.b
				for j, a := range m.a {
					z[j] += beta * a
				}
				if g.Quadratic {
					z[c.p.Dim()+m.k] += beta
				}
			}
			b := newRSDBound(g, c.p.Dim(), width)
			first := b.value
			b.improve(z, omega)
			if b.value < first || b.value > optimum+1e-9*math.Abs(optimum) {
				t.Errorf("%s: the bound changes from %v to %v: want no decrease, and at most the optimum %v",
					c.name, first, b.value, optimum)
			}
			if want := listedDual(g, b.best.z, b.best.omega, c.p.Dim()); math.Abs(b.value-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("%s: the bound is %v, want the dual at the best λ, %v", c.name, b.value, want)
			}
			for t0 := range 50 { // no point on the segment from the origin to z has a better value
				for j, x := range z {
					b.here[j] = x * float64(t0) / 50
				}
				inside := true
				for j := range c.p.Dim() {
					var room float64
					if g.Terms == nil {
						room = g.Prior[j]
					} else {
						room = -g.Terms.Tail(j) * rsdInside
					}
					inside = inside && b.here[j] <= room
				}
				if !inside {
					break
				}
				if v := b.at(b.here, omega*float64(t0)/50); v > b.value+1e-8 {
					t.Errorf("%s: at %d/50 of the segment, the dual %v exceeds the bound %v", c.name, t0, v, b.value)
				}
			}
		}
	}
}

// listedDual returns the value of the dual of (P) (see rsdBound) at the dual point (z, ω). It finds the best λ_i by
// golden-section search, and the minimum over each component θ_ij by bisection.
func listedDual(g *models.Distributions, z []float64, omega float64, dim int) float64 {
	value := omega
	component := func(j int, lambda float64) float64 {
		slope := func(x float64) float64 {
			if g.Terms == nil {
				return z[j] - g.Prior[j] + lambda*math.Exp(x)
			}
			_, s, _ := g.Terms.At(j, x)
			return s + z[j] + lambda*math.Exp(x)
		}
		lo, hi := -1e4, 0.0
		if slope(0) > 0 {
			for range 80 {
				if m := (lo + hi) / 2; slope(m) > 0 {
					hi = m
				} else {
					lo = m
				}
			}
		}
		if g.Terms == nil {
			return (z[j]-g.Prior[j])*hi + lambda*math.Exp(hi)
		}
		v, _, _ := g.Terms.At(j, hi)
		return v + z[j]*hi + lambda*math.Exp(hi)
	}
	for i := range g.Vectors() {
		q := func(lambda float64) float64 {
			v := -lambda
			for j := g.First[i]; j < g.First[i+1]; j++ {
				v += component(j, lambda)
			}
			return v
		}
		lo, hi := 0.0, 50.0
		for range 70 {
			a, b := lo+0.382*(hi-lo), lo+0.618*(hi-lo)
			if q(a) < q(b) {
				lo = a
			} else {
				hi = b
			}
		}
		value += q((lo + hi) / 2)
	}
	for _, s := range z[dim:] {
		value -= s * s / (2 * g.Eta)
	}
	return value
}

// TestRSDEstimate checks the number that the paper of Yu, Bertsekas and Rousu shows as a lower bound (see
// rsdBound.estimate). If no vector μ_i is outside the domain of the dual, the number must not exceed the optimum;
// otherwise it may.
func TestRSDEstimate(t *testing.T) {
	for _, c := range rsdCases(t)[:2] {
		optimum, _ := barrierOptimum(t, c.p)
		above, outside := 0, 0
		r := New()
		r.Gamma = 10
		rsdRun(t, r, c.p, 1e-9, 60, func(it solvers.Iterate, x map[string]float64) {
			if x["violated"] > 0 {
				outside++
				if x["lower_estimate"] > optimum+1e-9 {
					above++
				}
			} else if x["lower_estimate"] > optimum+1e-9 {
				t.Errorf("%s: round %d: no vector is outside the domain, but the estimate %v exceeds the optimum %v", c.name,
					it.Epoch, x["lower_estimate"], optimum)
			}
		})
		if outside == 0 {
			t.Errorf("%s: no point was outside the domain: want a harder problem", c.name)
		}
		t.Logf("%s: points were outside the domain in %d rounds, and the estimate exceeded the optimum in %d rounds",
			c.name, outside, above)
	}
}

// TestRSDAscent checks that rsdAscent, the supremum of rule (ii) of rsdCentre, agrees with the largest value over many
// random points of the ball |d| ≤ 1.
func TestRSDAscent(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 50 {
		n := 1 + rng.IntN(4)
		g, lambda := make([]float64, n), make([]float64, n)
		for i := range g {
			g[i], lambda[i] = rng.NormFloat64(), max(0, rng.NormFloat64()/2)
		}
		best, d := 0.0, make([]float64, n)
		for range 20_000 {
			norm := 0.0
			for i := range d {
				d[i] = rng.NormFloat64()
				norm += d[i] * d[i]
			}
			norm = math.Sqrt(norm)
			for i := range d {
				d[i] = max(-lambda[i], d[i]/norm)
			}
			best = max(best, dualspace.Dot(g, d))
		}
		if got := rsdAscent(g, lambda); got < best-1e-9 || got > best+0.05*(1+best) {
			t.Errorf("g = %v, λ = %v: rsdAscent = %v, want about %v, the largest value over listed points", g, lambda, got, best)
		}
	}
	if got := rsdAscent([]float64{-1, -2}, []float64{0, 0}); got != 0 {
		t.Errorf("rsdAscent = %v at λ = 0 with a negative gradient, want 0", got)
	}
}

// TestRSDSimplex checks that add removes points if the simplex has more points than its limit, and that the weighted
// mean z of the points does not change.
func TestRSDSimplex(t *testing.T) {
	s := newRSDSimplex(1, 4)
	point := func(z, alpha float64) *rsdPoint { return &rsdPoint{z: []float64{z}, omega: -z, alpha: alpha} }
	s.add(point(1, 0), point(2, 0), point(3, 0))
	s.points[1].alpha, s.points[2].alpha, s.points[0].alpha = 0.5, 0.5, 0
	s.move()
	s.add(point(4, 0)) // now there are more points than the limit: point 0 or 3 is removed, as both have weight 0
	if got := values(s); len(got) != 4 || !slices.Contains(got, 4) || !slices.Contains(got, 1) ||
		!slices.Contains(got, 2) {
		t.Errorf("the points are %v: want 1, 2, 4 and one more", got)
	}
	for _, p := range s.points {
		p.alpha = 0.25
	}
	s.move()
	z, omega := s.z[0], s.omega
	s.add(point(5, 0))
	s.move()
	if len(s.points) != 4 || s.support(0) != 3 || math.Abs(s.z[0]-z) > 1e-15 || math.Abs(s.omega-omega) > 1e-15 {
		t.Errorf("the points are %v at z = %v: want 4 points, 3 of them with positive weight, at z = %v",
			values(s), s.z[0], z)
	}
}

func values(s *rsdSimplex) []float64 {
	var out []float64
	for _, p := range s.points {
		out = append(out, p.z[0])
	}
	return out
}
