package saddle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// dense is an enumerated problem with all distributions in one vector and the relative entropy: the max-margin Markov
// network as algorithm 1 has it.
type dense struct{ p *enumerated }

func (d dense) flat(to []float64, from distributions) {
	at := 0
	for _, q := range from {
		at += copy(to[at:], q)
	}
}

func (d dense) apart(alpha []float64) distributions {
	out := make(distributions, len(d.p.labels))
	for i, y := range d.p.labels {
		out[i], alpha = alpha[:len(y)], alpha[len(y):]
	}
	return out
}

func (d dense) Size() (w, alpha int) {
	for _, y := range d.p.labels {
		alpha += len(y)
	}
	return d.p.Dim, alpha
}

func (d dense) Centre(alpha []float64) {
	d.flat(alpha, d.p.gibbs(nil, func(int, int) float64 { return 0 }))
}

func (d dense) Lipschitz() float64 { return d.p.radius() / d.p.Lambda }

func (d dense) Dual(w, gradient, alpha []float64) float64 {
	q := d.apart(alpha)
	copy(w, d.p.weights(q))
	s := d.p.scoreAt(w)
	for i, g := range d.apart(gradient) {
		for y := range g {
			g[y] = s(i, y)
		}
	}
	return d.p.dual(q)
}

func (d dense) Smoothed(alpha, w []float64, mu float64) float64 {
	d.flat(alpha, d.p.maximiser(w, mu))
	return d.p.smoothed(w, mu)
}

func (d dense) Project(to, alpha, v []float64) {
	g := d.apart(v)
	d.flat(to, d.p.gibbs(d.apart(alpha), func(i, y int) float64 { return -g[i][y] }))
}

// TestExcessiveGapTrains: on max-margin Markov networks whose labellings are all listed the method is EGR.
func TestExcessiveGapTrains(t *testing.T) {
	eachEnumerated(t, 0.1, func(t *testing.T, p *enumerated) {
		literal, last := newAlgorithm1(p, p.radius()/p.Lambda), 30
		if p.Dim > 1000 { // trees have long vectors
			last = 3
		}
		for at := range ExcessiveGap(dense{p}) {
			if math.Abs(at.Mu-literal.mu) > 1e-12*at.Mu || floats.Distance(at.W, literal.w, math.Inf(1)) > 1e-9 ||
				math.Abs(at.Dual-p.dual(literal.alpha)) > 1e-9 {
				t.Fatalf("k = %d: μ %v, D %v: want %v and %v, and w differs by %v", at.K, at.Mu, at.Dual, literal.mu,
					p.dual(literal.alpha), floats.Distance(at.W, literal.w, math.Inf(1)))
			}
			if at.K == last {
				return
			}
			literal.step()
		}
	})
}

// box is regression with the absolute error, or Huber's: λ/2 |w|² + Σ max_{|α_i| ≤ 1} [α_i (a_i·w − b_i) − c/2 α_i²],
// with Euclidean projections.
type box struct {
	a         *mat.Dense
	b         []float64
	lambda, c float64
}

func (p box) Size() (w, alpha int)   { n, dim := p.a.Dims(); return dim, n }
func (p box) Centre(alpha []float64) { clear(alpha) }
func (p box) Lipschitz() float64     { n := mat.Norm(p.a, 2); return n*n/p.lambda + p.c } // Frobenius: an upper bound
func (p box) Dual(w, gradient, alpha []float64) float64 {
	v := mat.NewVecDense(len(w), w)
	v.MulVec(p.a.T(), mat.NewVecDense(len(alpha), alpha))
	v.ScaleVec(-1/p.lambda, v)
	p.residual(gradient, w)
	floats.AddScaled(gradient, -p.c, alpha)
	return -floats.Dot(p.b, alpha) - p.c/2*floats.Dot(alpha, alpha) - p.lambda/2*floats.Dot(w, w)
}

// residual is A w − b.
func (p box) residual(to, w []float64) {
	mat.NewVecDense(len(to), to).MulVec(p.a, mat.NewVecDense(len(w), w))
	floats.Sub(to, p.b)
}

func (p box) Smoothed(alpha, w []float64, mu float64) float64 {
	p.residual(alpha, w)
	value := p.lambda / 2 * floats.Dot(w, w)
	for i, r := range alpha {
		a := max(-1, min(1, r/(p.c+mu)))
		alpha[i] = a
		value += a*r - (p.c+mu)/2*a*a
	}
	return value
}

func (p box) Project(to, alpha, v []float64) {
	for i, a := range alpha {
		to[i] = max(-1, min(1, a-v[i]))
	}
}

// primal is J(w), the limit of J_μ(w).
func (p box) primal(w []float64) float64 { return p.Smoothed(make([]float64, len(p.b)), w, 1e-300) }

// TestExcessiveGapBounds: with Euclidean projections the excessive gap and the bounds of theorems 4 and 5 hold, and the
// gap closes, for a g that is linear and for one that is not.
func TestExcessiveGapBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, c := range []float64{0, 0.5} {
		p := box{a: mat.NewDense(12, 4, nil), b: make([]float64, 12), lambda: 0.3, c: c}
		for i := range p.b {
			p.b[i] = rng.NormFloat64()
			for j := range 4 {
				p.a.Set(i, j, rng.NormFloat64())
			}
		}
		lipschitz, widest, last := p.Lipschitz(), float64(len(p.b))/2, 0.0
		for at := range ExcessiveGap(p) {
			gap := p.primal(at.W) - at.Dual
			k := float64(at.K)
			if bound := 6 * lipschitz * widest / ((k + 1) * (k + 2)); gap > bound*(1+1e-9) || gap < -1e-9 {
				t.Fatalf("c = %v, k = %v: a gap of %v: want at most %v", c, k, gap, bound)
			}
			if at.Smoothed > at.Dual+1e-9 {
				t.Fatalf("c = %v, k = %v: J_μ is %v, above D = %v", c, k, at.Smoothed, at.Dual)
			}
			if last = gap; at.K == 3000 {
				break
			}
		}
		if last > 1e-3 {
			t.Errorf("c = %v: a gap of %v after 3000 iterations", c, last)
		}
	}
}

// The median of five numbers, min_w 5e-5 w² + Σ |w − b_i|.
func ExampleExcessiveGap() {
	p := box{a: mat.NewDense(5, 1, []float64{1, 1, 1, 1, 1}), b: []float64{1, 2, 3, 10, 100}, lambda: 1e-4}
	for at := range ExcessiveGap(p) {
		if p.primal(at.W)-at.Dual < 1e-3 {
			fmt.Printf("%.2f\n", at.W[0])
			return
		}
	}
	// Output: 3.00
}
