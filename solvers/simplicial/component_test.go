package simplicial

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// TestRSDNewtonOfComponents checks that rsdRoot solves its equation from every start, even if the distance from the
// start to the root is in the millions. The root is the minimiser of (19) in the paper of Yu, Bertsekas and Rousu.
func TestRSDNewtonOfComponents(t *testing.T) {
	most := 0
	for _, mu := range []float64{-10, -3, -0.5, 0, 0.1, 0.2, 1, 10} {
		for _, lambda := range []float64{0, 1e-8, 1e-3, 0.3, 1, 40, 1e4} {
			for _, gamma := range []float64{1e-6, 1e-3, 0.1, 1, 10} {
				for _, centre := range []float64{-0.01, -2, -15} {
					for _, start := range []float64{centre, 0, 700, -300, 1e6} {
						const c = 0.1
						r := mu - c - gamma*centre
						x, exp, steps := rsdRoot(r, lambda, gamma, start)
						if f := r + lambda*exp + gamma*x; !(math.Abs(f) <= 1e-12) || start == centre && steps > 50 {
							t.Errorf("μ %v, λ %v, γ %v, θⁿ %v, from %v: residual %v after %d steps, want 0", mu, lambda, gamma, centre,
								start, f, steps)
						}
						if start == centre {
							most = max(most, steps)
						}
					}
				}
			}
		}
	}
	if most < 3 {
		t.Errorf("at most %d steps were needed: want a harder problem", most)
	}
}

// TestRSDNewtonConvergesQuadratically checks that each Newton step of rsdRoot roughly squares the error near the root.
func TestRSDNewtonConvergesQuadratically(t *testing.T) {
	const r, lambda, gamma = -2.0, 3.0, 0.1
	root, _, far := rsdRoot(r, lambda, gamma, 0)
	if _, _, near := rsdRoot(r, lambda, gamma, root+1e-4); near > 2 {
		t.Errorf("%d steps from 1e-4 to the right of the root (and %d from 0): want 2, with errors 1e-4, 1e-8, 1e-16",
			near, far)
	}
}

// TestRSDNewtonOfOtherTerms checks that rsdRootOf solves its equation for convex terms other than f_i = −c_i·θ_i.
func TestRSDNewtonOfOtherTerms(t *testing.T) {
	for j := range 2 {
		for _, mu := range []float64{-10, -1, 0, 0.2, 5} {
			for _, lambda := range []float64{0, 0.3, 40, 1e4} {
				for _, gamma := range []float64{1e-4, 0.1, 10} {
					for _, start := range []float64{-1, -40, 5} {
						x, exp, curvature := rsdRootOf(pull{}, j, mu, lambda, gamma, -2, start)
						_, slope, second := pull{}.At(j, x)
						if f := slope + mu + lambda*exp + gamma*(x+2); !(math.Abs(f) <= 1e-9) || curvature != second {
							t.Errorf("term %d, μ = %v, λ = %v, γ = %v, start %v: the derivative is %v at the root %v, want 0",
								j, mu, lambda, gamma, start, f, x)
						}
					}
				}
			}
		}
	}
}

// randomProximal returns a dual function Q_n (see rsdProximal), evaluated at the random point (z, ω, λ) that it also
// returns.
func randomProximal(rng *rand.Rand, p *models.Generative) (d *rsdProximal, z []float64, omega float64,
	lambda []float64) {
	width := p.Dim()
	if p.Distributions.Quadratic {
		width += len(p.Examples)
	}
	centre := make([]float64, p.Dim())
	for j := range centre {
		centre[j] = 3 * rng.NormFloat64()
	}
	p.Distributions.Shift(centre, centre)
	d = newRSDProximal(p.Distributions, math.Exp(-2+rng.NormFloat64()), centre, width)
	z, lambda = make([]float64, width), make([]float64, p.Distributions.Vectors())
	for j := range z {
		z[j] = 0.4 * rng.NormFloat64()
	}
	for i := range lambda {
		lambda[i] = 2 * rng.Float64()
	}
	return d, z, rng.NormFloat64(), lambda
}

// nudge returns the derivative of the dual function Q_n (see rsdProximal) with respect to the number *at, by central
// differences with step h. The number *at is an entry of z or lambda.
func nudge(d *rsdProximal, z []float64, omega float64, lambda []float64, at *float64, h float64) float64 {
	old := *at
	*at = old + h
	high := d.at(z, omega, lambda)
	*at = old - h
	low := d.at(z, omega, lambda)
	*at = old
	return (high - low) / (2 * h)
}

// TestRSDGradient checks the first derivatives of Q_n (see rsdProximal, and (21) in the paper of Yu, Bertsekas and
// Rousu) by finite differences.
func TestRSDGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range rsdCases(t) {
		d, z, omega, lambda := randomProximal(rng, c.p)
		for j := range z {
			got := nudge(d, z, omega, lambda, &z[j], 1e-5)
			d.at(z, omega, lambda)
			if want := d.slope[j]; math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("%s: the derivative in μ_%d by differences is %v, but θ̄ is %v", c.name, j, got, want)
			}
		}
		for i := range lambda {
			got := nudge(d, z, omega, lambda, &lambda[i], 1e-5)
			d.at(z, omega, lambda)
			if want := d.mass[i] - 1; math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("%s: the derivative in λ_%d by differences is %v, but Σ exp θ̄ − 1 is %v", c.name, i, got, want)
			}
		}
	}
}

// TestRSDHessian checks the second derivatives of Q_n (see rsdProximal), which have the denominator λ eˣ + γ, by finite
// differences of the minimisers θ̄. Equations (22) to (26) of the paper of Yu, Bertsekas and Rousu give these
// derivatives. The test also checks that (23), (25) and (26) as printed, with λ + γ eˣ, give other values.
func TestRSDHessian(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, c := range rsdCases(t) {
		d, z, omega, lambda := randomProximal(rng, c.p)
		printed := 0.0
		for i := range lambda {
			const h = 1e-6
			sum := 0.0
			for j := c.p.First[i]; j < c.p.First[i+1]; j++ {
				slope := func(at *float64) float64 {
					old := *at
					*at = old + h
					d.at(z, omega, lambda)
					high := d.x[j]
					*at = old - h
					d.at(z, omega, lambda)
					low := d.x[j]
					*at = old
					d.at(z, omega, lambda)
					return (high - low) / (2 * h)
				}
				inMu, inLambda := slope(&z[j]), slope(&lambda[i])
				w, e := d.weight[j], d.exp[j]
				for _, x := range []struct {
					name      string
					got, want float64
				}{{"(24)", -w, inMu}, {"(25)", -w * e, inLambda}} {
					if math.Abs(x.got-x.want) > 1e-5*(1e-3+math.Abs(x.want)) {
						t.Errorf("%s: component %d: %s gives %v, but differences give %v", c.name, j, x.name, x.got, x.want)
					}
				}
				printed = max(printed, math.Abs(-e/(lambda[i]+d.gamma*e)-inLambda)/math.Abs(inLambda))
				sum -= w * e * e
			}
			old := lambda[i]
			lambda[i] = old + h
			d.at(z, omega, lambda)
			high := d.mass[i]
			lambda[i] = old - h
			d.at(z, omega, lambda)
			low := d.mass[i]
			lambda[i] = old
			if want := (high - low) / (2 * h); math.Abs(sum-want) > 1e-5*math.Abs(want) {
				t.Errorf("%s: vector %d: (26) gives %v, but differences give %v", c.name, i, sum, want)
			}
		}
		if printed < 0.1 {
			t.Errorf("%s: the printed (23) has a relative error of %v only: want at least 0.1", c.name, printed)
		}
	}
}

// TestRSDDualThroughMu checks that the dual depends on the multipliers β only through (μ, ω) (see RSD, and (6) in the
// paper of Yu, Bertsekas and Rousu): the value computed from (μ, ω) must equal the minimum of the Lagrangian.
func TestRSDDualThroughMu(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, c := range rsdCases(t) {
		g, list := c.p.Distributions, margins(c.p)
		d, z, _, lambda := randomProximal(rng, c.p)
		clear(z)
		omega := 0.0
		beta := make([]float64, len(list))
		for m, x := range list {
			beta[m] = g.Eta * rng.Float64() / 100
			omega += beta[m] * x.b
			for j, a := range x.a {
				z[j] += beta[m] * a
			}
			if g.Quadratic {
				z[c.p.Dim()+x.k] += beta[m]
			}
		}
		got := d.at(z, omega, lambda)
		want := g.Term(d.x)
		spent := make([]float64, len(c.p.Examples))
		for m, x := range list {
			want += beta[m] * (dualspace.Dot(x.a, d.x) + x.b)
			spent[x.k] += beta[m]
		}
		for i, l := range lambda {
			want += l * (d.mass[i] - 1)
		}
		for j, x := range d.x {
			want += d.gamma / 2 * (x - d.centre[j]) * (x - d.centre[j])
		}
		if g.Quadratic {
			for _, s := range spent {
				want -= s * s / (2 * g.Eta)
			}
		}
		if math.Abs(got-want) > 1e-12*(math.Abs(want)+math.Abs(omega)+1) {
			t.Errorf("%s: the dual is %v computed from (μ, ω), but %v computed from β", c.name, got, want)
		}
	}
}

// TestRSDFit checks fit of rsdProximal. With the fitted λ_i, the mass Σ_j exp θ̄_ij of every vector i must be 1, or at
// most 1 if λ_i is 0. The value of the dual function must not decrease.
func TestRSDFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	zeros := 0
	for range 30 {
		for _, c := range rsdCases(t)[:2] {
			d, z, omega, lambda := randomProximal(rng, c.p)
			before := d.at(z, omega, lambda)
			d.fit(z, lambda)
			after := d.at(z, omega, lambda)
			if after < before-1e-12*math.Abs(before) {
				t.Errorf("%s: the dual decreases from %v to %v", c.name, before, after)
			}
			for i, l := range lambda {
				if l == 0 {
					zeros++
				}
				if m := d.mass[i]; m > 1+1e-13 || l > 0 && m < 1-1e-13 {
					t.Errorf("%s: the mass of vector %d is %v at λ = %v, want 1, or less if λ = 0", c.name, i, m, l)
				}
			}
		}
	}
	if zeros == 0 {
		t.Error("no λ became 0: want a harder problem")
	}
}
