package simplicial

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestRSDAscentExactly compares rsdAscent with a search over τ that considers each interval in which the same
// components are at their bounds.
func TestRSDAscentExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 3))
	for range 200 {
		n := 1 + rng.IntN(6)
		g, lambda := make([]float64, n), make([]float64, n)
		breaks := []float64{0}
		for i := range n {
			g[i], lambda[i] = rng.NormFloat64()*math.Exp(3*rng.NormFloat64()), 0.7*rng.Float64()*float64(rng.IntN(2))
			if g[i] < 0 {
				breaks = append(breaks, -lambda[i]/g[i])
			}
		}
		slices.Sort(breaks)
		want := 0.0
		for k, lo := range breaks {
			hi := math.Inf(1)
			if k+1 < len(breaks) {
				hi = breaks[k+1]
			}
			var bounded, value, free float64 // of the components at their bounds: |d|² and g·d; of the others: |g|²
			for i, x := range g {
				if x < 0 && -lambda[i]/x <= lo {
					bounded, value = bounded+lambda[i]*lambda[i], value-x*lambda[i]
				} else {
					free += x * x
				}
			}
			if bounded > 1 {
				break
			}
			tau := hi
			if free > 0 {
				tau = min(hi, math.Sqrt((1-bounded)/free))
			} else {
				tau = 0
			}
			if tau >= lo || free == 0 {
				want = max(want, value+tau*free)
			}
		}
		if got := rsdAscent(g, lambda); math.Abs(got-want) > 1e-7*(1+want) {
			t.Errorf("g = %v, λ = %v: rsdAscent = %v, want %v", g, lambda, got, want)
		}
	}
}

// TestRSDFall checks the search for the point where a decreasing function becomes negative, for functions whose slope
// changes much, that jump, or that are infinite at an end.
func TestRSDFall(t *testing.T) {
	for _, c := range []struct {
		name     string
		f        func(t float64) float64
		hi, want float64
	}{
		{"line", func(t float64) float64 { return 1 - 3*t }, 1, 1.0 / 3},
		{"root at the end", func(t float64) float64 { return 0.5 - t }, 0.5, 0.5},
		{"positive", func(t float64) float64 { return 2 - t }, 0.7, 0.7},
		{"0 at the start", func(t float64) float64 { return -t }, 1, 0},
		{"negative at the start", func(t float64) float64 { return -1 - t }, 1, 0},
		{"steep at the end", func(t float64) float64 { return 1 + math.Log1p(-t) }, 1, 1 - 1/math.E},
		{"steep at the start", func(t float64) float64 { return -math.Log(t) - 3 }, 1, math.Exp(-3)},
		{"flat", func(t float64) float64 { return 1e-3 - math.Pow(t, 9) }, 1, math.Pow(1e-3, 1.0/9)},
		{"jump", func(t float64) float64 { return math.Copysign(1, 0.3-t) }, 1, 0.3},
		{"short", func(t float64) float64 { return 1 - 3e5*t }, 1e-5, 1.0 / 3e5},
	} {
		if got := rsdFall(c.f, c.hi); math.Abs(got-c.want) > 3e-7*c.hi || got > c.want+1e-15 {
			t.Errorf("%s: rsdFall = %v, want %v or a little less", c.name, got, c.want)
		}
	}
}

// TestRSDBoundFromTheBest checks that each call of improve searches both segments, first from the origin and then from
// the best point so far. Points of random labellings lead to dual points inside and outside of the domain.
func TestRSDBoundFromTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 4))
	raised := 0
	for _, c := range rsdCases(t) {
		list, width := margins(c.p), c.p.Dim()
		if c.p.Quadratic {
			width += len(c.p.Examples)
		}
		b, one := newRSDBound(c.p.Distributions, c.p.Dim(), width), newRSDBound(c.p.Distributions, c.p.Dim(), width)
		fresh := newRSDBound(c.p.Distributions, c.p.Dim(), width)
		for range 5 {
			z, omega := make([]float64, width), 0.0
			for range 5 {
				m, beta := list[rng.IntN(len(list))], c.p.Eta*rng.Float64()/5
				omega += beta * m.b
				floats.AddScaled(z[:c.p.Dim()], beta, m.a)
				if c.p.Quadratic {
					z[c.p.Dim()+m.k] += beta
				}
			}
			old := b.best.omega
			one.value, one.best = b.value, rsdPoint{z: slices.Clone(b.best.z), omega: b.best.omega}
			one.towards(one.origin, 0, z, omega)
			from, fromOmega := slices.Clone(one.best.z), one.best.omega
			b.improve(z, omega)
			if v := fresh.at(b.best.z, b.best.omega); math.Abs(v-b.value) > 1e-9*(1+math.Abs(v)) {
				t.Errorf("%s: the bound is %v, but its point gives %v", c.name, b.value, v)
			}
			for _, start := range []rsdPoint{{z: make([]float64, width)}, {z: from, omega: fromOmega}} {
				at := make([]float64, width)
				for k := range 17 {
					share := float64(k) / 16
					inside := true
					for j := range at {
						at[j] = (1-share)*start.z[j] + share*z[j]
						if j < c.p.Dim() {
							var room float64
							if c.p.Terms == nil {
								room = c.p.Prior[j]
							} else {
								room = -c.p.Terms.Tail(j)
							}
							inside = inside && at[j] < room
						}
					}
					if !inside {
						break
					}
					if v := fresh.at(at, (1-share)*start.omega+share*omega); v > b.value+1e-6*(1+math.Abs(v)) {
						t.Errorf("%s: the bound is %v, but %v at the share %v of a segment", c.name, b.value, v, share)
					}
				}
			}
			if b.best.omega != fromOmega && fromOmega == old && old != 0 {
				raised++
			}
		}
	}
	if raised < 3 {
		t.Errorf("only %d points raised a bound that was not at the origin: want a harder problem", raised)
	}
}

// TestRSDEstimateExactly compares the estimate of rsdBound with minima over listed θ_ij ≤ 0, in which a dual point
// outside of the domain is replaced by the nearest point inside.
func TestRSDEstimateExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 5))
	for _, k := range []int{1, 4, 6} {
		c := rsdCases(t)[k]
		for range 4 {
			d, z, omega, lambda := randomProximal(rng, c.p)
			want, outside := omega, 0
			for i, l := range lambda {
				want -= l
				clipped := false
				for j := c.p.First[i]; j < c.p.First[i+1]; j++ {
					var room float64
					if c.p.Terms == nil {
						room = c.p.Prior[j]
					} else {
						room = -c.p.Terms.Tail(j)
					}
					mu := z[j]
					if mu > room {
						mu, clipped = room, true
					}
					least := math.Inf(1)
					for step := range 1001 {
						x := -float64(step) / 1000 * 40 * float64(step) / 1000 // denser near 0
						v := mu*x + l*math.Exp(x)
						if c.p.Terms == nil {
							v -= c.p.Prior[j] * x
						} else {
							f, _, _ := c.p.Terms.At(j, x)
							v += f
						}
						least = min(least, v)
					}
					want += least
				}
				if clipped {
					outside++
				}
			}
			for _, s := range z[c.p.Dim():] {
				want -= s * s / (2 * c.p.Eta)
			}
			b := newRSDBound(d.g, c.p.Dim(), len(z))
			got, violated := b.estimate(z, omega, lambda)
			if violated != outside || math.Abs(got-want) > 2e-3*(1+math.Abs(want)) {
				t.Errorf("%s: the estimate is %v with %d vectors outside, want %v and %d", c.name, got, violated, want, outside)
			}
		}
	}
}
