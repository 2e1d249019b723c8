package saddle

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// listed implements the method of Extragradient with explicit distributions over a list of all labellings. It projects
// as Taskar, Lacoste-Julien and Jordan (2006) do: with the relative entropy to the current point, and the sum of all
// gradients.
type listed struct {
	p        *models.Risk
	loss     [][]float64
	psi      [][][]float64
	c, sigma float64
	sum      float64
	// The sums are over the steps so far, each with its step size a.
	gradient       [][]float64 // Σ a (l − ψw), by example and labelling: l is the label loss, ψ the feature difference
	features       []float64   // Σ a F(α), where F(α) are the expected features under the distributions α
	weights, alpha []float64   // Σ a w; and Σ a α, for one example after the other
}

func newListed(c testbed.PlaneCase, p *models.Risk, balance, sigma float64) *listed {
	x := &listed{p: p, c: balance, sigma: sigma, features: make([]float64, p.Dim), weights: make([]float64, p.Dim)}
	for i, list := range c.Labellings {
		e := &p.Examples[i]
		var loss []float64
		var psi [][]float64
		for _, y := range list {
			loss, psi = append(loss, e.LabelLoss(y)), append(psi, testbed.Difference(p.Dim, e, y))
			x.alpha = append(x.alpha, 0)
		}
		x.loss, x.psi, x.gradient = append(x.loss, loss), append(x.psi, psi), append(x.gradient, make([]float64, len(list)))
	}
	return x
}

// project returns the distribution whose probabilities are proportional to base·exp(score/σ).
func (x *listed) project(base, score []float64) []float64 {
	out, top, z := make([]float64, len(score)), slices.Max(score), 0.0
	for k, s := range score {
		out[k] = base[k] * math.Exp((s-top)/x.sigma)
		z += out[k]
	}
	for k := range out {
		out[k] /= z
	}
	return out
}

// mean returns F(α), the mean of the expected differences ψ_i.
func (x *listed) mean(alpha [][]float64) []float64 {
	f := make([]float64, x.p.Dim)
	for i, a := range alpha {
		for k, m := range a {
			for j, v := range x.psi[i][k] {
				f[j] += m * v / float64(len(alpha))
			}
		}
	}
	return f
}

// step makes one iteration with step size a.
func (x *listed) step(a float64) {
	lambda := x.p.Lambda
	uniform := func(n int) []float64 { return slices.Repeat([]float64{1}, n) }
	stand, predicted := make([][]float64, len(x.psi)), make([][]float64, len(x.psi))
	w, y := make([]float64, x.p.Dim), make([]float64, x.p.Dim)
	for j, f := range x.features {
		w[j] = f / (lambda * (x.c + x.sum))
	}
	for i, g := range x.gradient {
		stand[i] = x.project(uniform(len(g)), g)
		score := make([]float64, len(g))
		for k := range g {
			score[k] = a * (x.loss[i][k] - dualspace.Dot(w, x.psi[i][k]))
		}
		predicted[i] = x.project(stand[i], score)
	}
	for j, f := range x.mean(stand) {
		y[j] = (x.features[j] + a*f) / (lambda * (x.c + x.sum + a))
	}
	x.sum += a
	for j, f := range x.mean(predicted) {
		x.features[j] += a * f
		x.weights[j] += a * y[j]
	}
	at := 0
	for i, g := range x.gradient {
		for k := range g {
			g[k] += a * (x.loss[i][k] - dualspace.Dot(y, x.psi[i][k]))
			x.alpha[at] += a * predicted[i][k]
			at++
		}
	}
}

// TestExtragradientEnumerated checks that the averages w̄ and F(ᾱ) of the solver, which does not store distributions,
// agree with the averages of the method with explicit distributions.
func TestExtragradientEnumerated(t *testing.T) {
	eachSaddle(t, []float64{0.05}, func(t *testing.T, c testbed.PlaneCase, p *models.Risk, step string) {
		s := newExtragradientState(&Extragradient{Step: step, Scale: 1}, p, solvers.Env{Seed: 1})
		x := newListed(c, p, s.c, s.sigma)
		for range 20 {
			s.step()
			x.step(s.a)
			average := make([][]float64, len(x.psi))
			at, loss := 0, 0.0
			for i := range average {
				for k := range x.loss[i] {
					average[i] = append(average[i], x.alpha[at]/x.sum)
					loss += x.alpha[at] / x.sum * x.loss[i][k] / float64(len(average))
					at++
				}
			}
			if math.Abs(s.now.loss-loss) > 1e-10*(1+loss) {
				t.Fatalf("epoch %d: ⟨l, ᾱ⟩ = %v, want %v", s.epoch, s.now.loss, loss)
			}
			f := x.mean(average)
			for j := range f {
				if math.Abs(s.now.features[j]-f[j]) > 1e-10 ||
					math.Abs(s.now.w[j]-x.weights[j]/x.sum) > 1e-10*(1+math.Abs(s.now.w[j])) {
					t.Fatalf("epoch %d: component %d of F(ᾱ) = %v and of w̄ = %v, want %v and %v", s.epoch, j, s.now.features[j],
						s.now.w[j], f[j], x.weights[j]/x.sum)
				}
			}
			if dual := loss - dualspace.Dot(f, f)/(2*p.Lambda); math.Abs(s.iterate().Dual()-dual) > 1e-9*(1+math.Abs(dual)) {
				t.Fatalf("epoch %d: dual = %v, want %v", s.epoch, s.iterate().Dual(), dual)
			}
		}
	})
}
