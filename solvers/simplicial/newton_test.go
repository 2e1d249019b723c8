package simplicial

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestRSDNewtonStep compares the Newton step of the master problem with the solution of the full system of equations in
// the comment of rsdNewton, for random points and weights. Some weights and multipliers are fixed.
func TestRSDNewtonStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	var newton rsdNewton // one for all cases, so that memory of earlier steps must not matter
	for round := range 12 {
		c := rsdCases(t)[round%8]
		d, z, omega, lambda := randomProximal(rng, c.p)
		d.at(z, omega, lambda)
		n, m := len(lambda), 1+rng.IntN(5)
		gradient, fixed := make([]float64, n), make([]bool, n)
		for i := range n {
			gradient[i], fixed[i] = rng.NormFloat64(), rng.IntN(3) == 0
		}
		point := func() *rsdPoint {
			p := &rsdPoint{z: make([]float64, len(z)), alpha: 0.1}
			for j := range p.z {
				p.z[j] = rng.NormFloat64()
			}
			return p
		}
		largest := []*rsdPoint{point(), point()}
		vars := make([]rsdVariable, m)
		for k := range vars {
			vars[k] = rsdVariable{point: point(), largest: largest[k%2], gradient: rng.NormFloat64(), fixed: m > 1 && k == 1}
		}
		// The unknowns are all weights and all multipliers. The steps of the fixed ones are 0.
		h, g := mat.NewDense(m+n, m+n, nil), mat.NewVecDense(m+n, nil)
		diff := func(k, j int) float64 { return vars[k].point.z[j] - vars[k].largest.z[j] }
		for k := range vars {
			g.SetVec(k, vars[k].gradient)
			for l := range vars {
				v := 0.0
				for j, w := range d.weight {
					v += diff(k, j) * w * diff(l, j)
				}
				h.Set(k, l, v)
			}
		}
		for i := range n {
			g.SetVec(m+i, gradient[i])
			for j := c.p.First[i]; j < c.p.First[i+1]; j++ {
				h.Set(m+i, m+i, h.At(m+i, m+i)+d.exp[j]*d.weight[j]*d.exp[j])
				for k := range vars {
					h.Set(k, m+i, h.At(k, m+i)+diff(k, j)*d.weight[j]*d.exp[j])
					h.Set(m+i, k, h.At(k, m+i))
				}
			}
		}
		for r := range m + n {
			if r < m && !vars[r].fixed || r >= m && !fixed[r-m] {
				continue
			}
			for s := range m + n {
				h.Set(r, s, 0)
				h.Set(s, r, 0)
			}
			h.Set(r, r, 1)
			g.SetVec(r, 0)
		}
		var want mat.VecDense
		if err := want.SolveVec(h, g); err != nil {
			t.Fatal(err)
		}
		for k := range vars { // weights far from 0 are never removed from the system
			vars[k].point.alpha = 1
		}
		stepL := make([]float64, n)
		newton.solve(d, vars, gradient, fixed, stepL)
		size := mat.Norm(&want, math.Inf(1))
		for k, v := range vars {
			if !v.fixed && math.Abs(v.step-want.AtVec(k)) > 1e-6*size {
				t.Errorf("%s: the step of weight %d is %v, want %v", c.name, k, v.step, want.AtVec(k))
			}
		}
		for i := range n {
			if !fixed[i] && math.Abs(stepL[i]-want.AtVec(m+i)) > 1e-6*size {
				t.Errorf("%s: the step of λ_%d is %v, want %v", c.name, i, stepL[i], want.AtVec(m+i))
			}
		}
	}
}

// TestRSDFitOfAll checks fit of rsdProximal on all problems, and that a second fit at another z starts from the λ of
// the first one, some of which are 0. No other λ may give a larger value.
func TestRSDFitOfAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	for _, c := range rsdCases(t) {
		d, z, omega, lambda := randomProximal(rng, c.p)
		for range 6 {
			for j := range z {
				z[j] = 0.8 * rng.NormFloat64()
			}
			d.at(z, omega, lambda)
			d.fit(z, lambda)
			value := d.total(z, omega, lambda)
			if v := d.at(z, omega, lambda); math.Abs(v-value) > 1e-10*(1+math.Abs(v)) {
				t.Errorf("%s: the value after fit is %v, want %v", c.name, value, v)
			}
			for i, l := range lambda {
				if m := d.mass[i]; m > 1+1e-12 || l > 0 && m < 1-1e-12 {
					t.Errorf("%s: mass %d is %v at λ = %v", c.name, i, m, l)
				}
				for j := c.p.First[i]; j < c.p.First[i+1]; j++ {
					if e := math.Exp(d.x[j]); math.Abs(e-d.exp[j]) > 1e-13*e {
						t.Errorf("%s: component %d has the exponential %v, want %v", c.name, j, d.exp[j], e)
					}
				}
			}
		}
	}
}

// TestRSDFitOfTinyMultipliers checks fit of rsdProximal with a small γ if the best λ_i is positive and less than
// rsdLeastLambda. λ_i = 0, which fit tries, is then too small: the mass would exceed 1.
func TestRSDFitOfTinyMultipliers(t *testing.T) {
	g := bayesProblem(t).Distributions
	for _, start := range []float64{0, 1e-12, 1e-6, 1} {
		for _, excess := range []float64{1e-6, 1e-5, 1e-4} { // mass − 1 at λ = 0, where θ̄ is the centre
			centre := make([]float64, len(g.Prior))
			for i := range g.Vectors() {
				for j := g.First[i]; j < g.First[i+1]; j++ {
					centre[j] = math.Log((1 + excess) / float64(g.First[i+1]-g.First[i]))
				}
			}
			d := newRSDProximal(g, 1e-6, centre, len(centre))
			z, lambda := slices.Clone(g.Prior), slices.Repeat([]float64{start}, g.Vectors())
			d.at(z, 0, lambda)
			d.fit(z, lambda)
			for i, l := range lambda {
				if !(l > 0 && l < rsdLeastLambda) || math.Abs(d.mass[i]-1) > 1e-13 {
					t.Errorf("from λ = %v, mass %v at λ = 0: λ_%d = %v with the mass 1 + %v; want the mass 1 at a λ "+
						"between 0 and %v", start, 1+excess, i, l, d.mass[i]-1, rsdLeastLambda)
				}
			}
		}
	}
}
