package saddle

import (
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/cuttingplane"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// Theorems and equations have the numbers of Zhang, Saha and Vishwanathan (2011). The comment of EGR defines the
// symbols.

// TestEGRIsAlgorithm1 checks that the solver EGR has the same iterates as algorithm 1 of Zhang, Saha and Vishwanathan
// (2011). The solver stores expectations and makes one inference in each iteration. Algorithm 1 stores distributions
// over all labellings and makes two inferences. The test also checks that w_k is w(β) for a distribution β (theorem 9).
func TestEGRIsAlgorithm1(t *testing.T) {
	eachEnumerated(t, 0.1, func(t *testing.T, p *enumerated) {
		var calls atomic.Int64
		counted := testbed.OnCall(p.Risk, func() { calls.Add(1) })
		solver := newEGRState(&EGR{Lipschitz: "theory", Scale: 1, Marginals: "float64"}, counted, solvers.Env{Seed: 1})
		literal := newAlgorithm1(p, solver.lipschitz)
		start := calls.Load()
		for k := 1; k <= 50; k++ {
			at := &solver.now
			if math.Abs(at.mu-literal.mu) > 1e-12*literal.mu ||
				math.Abs(at.mu-6*solver.lipschitz/float64((k+1)*(k+2))) > 1e-12*at.mu {
				t.Fatalf("k = %d: μ = %v, want %v as in algorithm 1, and %v as in closed form", k, at.mu, literal.mu,
					6*solver.lipschitz/float64((k+1)*(k+2)))
			}
			features, loss := p.expectation(literal.alpha)
			beta := p.weights(literal.beta)
			for j := range at.w {
				if math.Abs(at.w[j]-literal.w[j]) > 1e-8 || math.Abs(solver.alpha.features[j]-features[j]) > 1e-8 {
					t.Fatalf("k = %d: component %d of w = %v and of F = %v, want %v and %v", k, j, at.w[j], solver.alpha.features[j],
						literal.w[j], features[j])
				}
				if math.Abs(at.w[j]-beta[j]) > 1e-9 {
					t.Fatalf("k = %d: component %d of w = %v, want %v as of w(β)", k, j, at.w[j], beta[j])
				}
			}
			if math.Abs(solver.alpha.loss-loss) > 1e-8 || math.Abs(solver.dual-p.dual(literal.alpha)) > 1e-8 {
				t.Fatalf("k = %d: ⟨l, α⟩ = %v and D = %v, want %v and %v", k, solver.alpha.loss, solver.dual, loss,
					p.dual(literal.alpha))
			}
			if d := p.divergence(literal.alpha); solver.alpha.divergence < d-1e-9 {
				t.Fatalf("k = %d: the bound on d(α) = %v, want at least d(α) = %v", k, solver.alpha.divergence, d)
			}
			for i, marginals := range p.marginals(literal.alpha) {
				for r, m := range marginals {
					if own := solver.drift.alpha[solver.drift.Start[i]+r]; math.Abs(own-m) > 1e-8 {
						t.Fatalf("k = %d: marginal %d of example %d = %v, want %v", k, r, i, own, m)
					}
				}
			}
			literal.step()
			solver.step()
			again := p.maximiser(literal.w, literal.mu)
			for i := range again {
				for y, v := range again[i] {
					if math.Abs(v-literal.second[i][y]) > 1e-10 {
						t.Fatalf("k = %d: a probability of α̃ = %v, want %v as of α_μ(w) at the next w and μ", k, literal.second[i][y],
							v)
					}
				}
			}
		}
		if got := calls.Load() - start; got != int64(50*len(p.Examples)) || literal.inferences != 100 {
			t.Errorf("%d calls of the exp-oracle in 50 iterations on %d examples, want one for each example and iteration; "+
				"%d passes of algorithm 1, want 100", got, len(p.Examples), literal.inferences)
		}
	})
}

// marginals returns the marginals Σ_y α_i(y) 1_y of each example i.
func (p *enumerated) marginals(alpha distributions) [][]float64 {
	out := make([][]float64, len(alpha))
	for i, q := range alpha {
		out[i] = make([]float64, p.Examples[i].Features.Parts())
		for y, v := range q {
			for _, r := range p.labels[i][y] {
				out[i][r] += v
			}
		}
	}
	return out
}

// TestEGRSmoothing checks the smoothed objective J_μ that EGR computes with the exp-oracle. J_μ must agree with its
// definition (lemma 8, (29) and (31)), must be between J − μ mean log|Y_i| and J, and must have the gradient λw −
// F(α_μ(w)). As μ decreases, the distribution α_μ(w) must concentrate on the labelling with the largest loss-augmented
// score.
func TestEGRSmoothing(t *testing.T) {
	eachEnumerated(t, 0.1, func(t *testing.T, p *enumerated) {
		rng := rand.New(rand.NewPCG(9, 9))
		s := newEGRState(&EGR{Lipschitz: "theory", Scale: 1, Marginals: "none"}, p.Risk, solvers.Env{Seed: 1})
		at := &s.next
		for _, mu := range []float64{1e-3, 1e-2, 0.1, 1, 10, 100, 1e3} {
			for j := range at.w {
				at.w[j] = rng.NormFloat64()
			}
			at.mu = mu
			s.infer(at)
			want, hinge := p.smoothed(at.w, mu), p.Primal(at.w)
			if math.Abs(at.smoothed-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("μ = %v: J_μ = %v, want %v", mu, at.smoothed, want)
			}
			if slack := 1e-9 * (1 + hinge + mu); at.smoothed > hinge+slack || at.smoothed < hinge-mu*p.logLabels()-slack {
				t.Errorf("μ = %v: J_μ = %v, want from J − μ mean log|Y| to J, with J = %v and mean log|Y| = %v", mu, at.smoothed,
					hinge, p.logLabels())
			}
			if best := p.ascend(at.w, mu); math.Abs(p.Lambda/2*dualspace.Dot(at.w, at.w)+best-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("μ = %v: J_μ by mirror ascent over α = %v, want %v as in closed form", mu,
					p.Lambda/2*dualspace.Dot(at.w, at.w)+best, want)
			}
			likelihood := p.Lambda / 2 * dualspace.Dot(at.w, at.w) // (31)
			for _, q := range p.maximiser(at.w, mu) {
				// q[0] is the probability of the true labelling
				likelihood -= mu / float64(len(p.labels)) * (math.Log(q[0]) + math.Log(float64(len(q))))
			}
			if q := p.maximiser(at.w, mu); smallest(q) > 1e-300 &&
				math.Abs(likelihood-want) > 1e-10*(1+math.Abs(want))*max(1, mu) {
				t.Errorf("μ = %v: J_μ as the objective of a conditional random field = %v, want %v", mu, likelihood, want)
			}
			v := make([]float64, p.Dim) // a random direction
			for j := range v {
				v[j] = rng.NormFloat64()
			}
			h := 1e-3 * min(1, mu)
			slope := 0.0
			for j := range v {
				slope += v[j] * (p.Lambda*at.w[j] - at.gibbs.features[j])
			}
			between := func(h float64) float64 { return p.smoothed(plus(at.w, v, h), mu) - p.smoothed(plus(at.w, v, -h), mu) }
			numeric := (8*between(h) - between(2*h)) / (12 * h)
			if math.Abs(slope-numeric) > 1e-6*(1+math.Abs(slope)) {
				t.Errorf("μ = %v: directional derivative of J_μ = %v, want %v as by finite differences", mu, slope, numeric)
			}
		}
		for j := range at.w {
			at.w[j] = rng.NormFloat64()
		}
		before := 0.0
		for _, mu := range []float64{1, 0.1, 1e-2, 1e-3, 1e-5} {
			least := 1.0
			for _, q := range p.maximiser(at.w, mu) {
				most := 0.0
				for _, v := range q {
					most = max(most, v)
				}
				least = min(least, most)
			}
			if least < before-1e-12 {
				t.Errorf("μ = %v: the largest probability decreases from %v to %v, want no decrease", mu, before, least)
			}
			before = least
		}
		if before < 1-1e-6 {
			t.Errorf("μ = 1e-5: the best labelling of some example has probability %v, want nearly 1", before)
		}
	})
}

// smallest returns the smallest probability that the distributions give to a true labelling.
func smallest(alpha distributions) float64 {
	least := 1.0
	for _, q := range alpha {
		least = min(least, q[0])
	}
	return least
}

// plus returns the vector w + h·v.
func plus(w, v []float64, h float64) []float64 {
	out := make([]float64, len(w))
	for j := range w {
		out[j] = w[j] + h*v[j]
	}
	return out
}

// ascend returns the maximum over α of the function inner minus μ d(α), which is the smoothed hinge. It uses mirror
// ascent from the uniform distribution, and not the closed form of the maximiser.
func (p *enumerated) ascend(w []float64, mu float64) float64 {
	alpha := p.gibbs(nil, func(int, int) float64 { return 0 })
	s := p.scoreAt(w)
	for range 60 {
		alpha = p.gibbs(alpha, func(i, y int) float64 {
			gradient := s(i, y) - mu*math.Log(max(alpha[i][y], 1e-300))
			return 0.5 / mu * gradient
		})
	}
	return p.inner(w, alpha) - mu*p.divergence(alpha)
}

// TestEGRBounds checks the bounds of theorem 4, corollary 7 and (28) on the gap and on the suboptimality of the dual.
// It computes R² and KL(α*‖α_0) by enumeration.
func TestEGRBounds(t *testing.T) {
	for _, lambda := range []float64{1, 0.1} {
		eachEnumerated(t, lambda, func(t *testing.T, p *enumerated) {
			best := referenceOf(t, p.Risk)
			radius, logs := p.radius(), p.logLabels()
			if own := dualspace.RadiusSq(p.Risk); own < radius-1e-9 {
				t.Fatalf("RadiusSq = %v, want at least the largest |ψ|², %v", own, radius)
			}
			literal := newAlgorithm1(p, radius/lambda)
			type point struct{ gap, dual float64 }
			var points []point
			steps := 400
			if len(p.Examples) == 3 { // the dependency trees, whose vectors are long
				steps = 60
			}
			for range steps {
				d := p.dual(literal.alpha)
				points = append(points, point{p.Primal(literal.w) - d, d})
				if s := p.smoothed(literal.w, literal.mu); s > d+1e-10*(1+math.Abs(d)) {
					t.Fatalf("k = %d: J_μ = %v, want at most D = %v", literal.k, s, d)
				}
				literal.step()
			}
			// the proof of corollary 7 holds for any α in place of α*, so the last α needs no tolerance for what it lacks
			kl, last := p.divergence(literal.alpha), p.dual(literal.alpha)
			if kl > logs+1e-9 {
				t.Errorf("KL(α*‖α_0) = %v, want at most mean log|Y| = %v", kl, logs)
			}
			if last > best.Primal+1e-9 {
				t.Errorf("last dual value = %v, want at most the optimum, %v", last, best.Primal)
			}
			for i, at := range points {
				k := float64(i + 1)
				if bound := 6 * radius * logs / (lambda * (k + 1) * (k + 2)); at.gap > bound*(1+1e-9)+1e-12 {
					t.Fatalf("k = %v: gap = %v, want at most %v", k, at.gap, bound)
				}
				if bound := 6 * radius * kl / (lambda * (k + 1) * (k + 2)); last-at.dual > bound*(1+1e-9)+1e-12 {
					t.Fatalf("k = %v: suboptimality of the dual = %v, want at most %v", k, last-at.dual, bound)
				}
			}
			for _, eps := range []float64{1, 0.1, 0.01, 1e-3} {
				for i, at := range points {
					if k := float64(i + 1); k > 2+math.Sqrt(6*radius*logs/(lambda*eps)) && at.gap > eps {
						t.Fatalf("(28): gap after %v iterations = %v, want at most %v", k, at.gap, eps)
					}
					if k := float64(i + 1); k >= math.Sqrt(6*radius*kl/(lambda*eps)) && last-at.dual > eps {
						t.Fatalf("(28): dual gap after %v iterations = %v, want at most %v", k, last-at.dual, eps)
					}
				}
			}
		})
	}
}

// TestEGRTube checks that J_μ(w_k) ≤ D(α_k) ≤ J(w_k) ≤ J_μ(w_k) + μ_k mean log|Y_i| (see EGR), up to rounding, for each
// structure and several settings.
func TestEGRTube(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	for name, e := range map[string]*EGR{
		"theory":   {Lipschitz: "theory", Scale: 1, Marginals: "none"},
		"scaled":   {Lipschitz: "theory", Scale: 1e-4, Marginals: "none"},
		"adaptive": {Lipschitz: "adaptive", Scale: 1, Marginals: "none"},
	} {
		for _, c := range []float64{1, 100} {
			testbed.EachStructure(t, 20, c, func(t *testing.T, p *models.Risk) {
				if solvers.Missing(e, p) != nil {
					t.Skip("not a hinge over parts")
				}
				first, last := math.NaN(), math.Inf(1)
				for it := range testbed.Iterates(t, solvers.Run(e, p, solvers.Env{Seed: 1})) {
					primal, dual := p.Primal(it.W), it.Dual()
					smoothed, bound := testbed.Stat(it, "smoothed"), testbed.Stat(it, "bound")
					slack := 1e-9 * (1 + math.Abs(primal))
					if smoothed > dual+slack || dual > primal+slack || primal > smoothed+bound+slack {
						t.Fatalf("%s, iteration %d: J_μ = %v, D = %v, J = %v, J_μ + μ log|Y| = %v: want increasing values", name,
							it.Epoch, smoothed, dual, primal, smoothed+bound)
					}
					if last = primal - dual; it.Epoch == 0 {
						first = last
					}
					if it.Epoch == 100 {
						break
					}
				}
				if !(last < 0.9*first) { // the bound falls by a factor of 15,000, but at the start it is far above the gap
					t.Errorf("%s: gap after 100 iterations = %v, want less than 0.9 times the gap at the start, %v", name, last, first)
				}
			})
		}
	}
}

// TestEGRRestarts checks that a run with a much too small Lipschitz constant L starts again with larger L, until the
// excessive-gap condition holds.
func TestEGRRestarts(t *testing.T) {
	eachEnumerated(t, 0.01, func(t *testing.T, p *enumerated) {
		for it := range testbed.Iterates(t, solvers.Run(&EGR{Lipschitz: "theory", Scale: 1e-6, Marginals: "none"}, p.Risk,
			solvers.Env{Seed: 1})) {
			if it.Epoch == 500 {
				if testbed.Stat(it, "rejected") < 1 || testbed.Stat(it, "lipschitz") < 2e-6*p.radius()/p.Lambda {
					t.Errorf("rejected = %v and lipschitz = %v, want at least one rejection of L, which began at 1e-6 R²/λ",
						testbed.Stat(it, "rejected"), testbed.Stat(it, "lipschitz"))
				}
				break
			}
		}
	})
}

// TestEGRSmallTemperatures checks the bounds on the smoothed objective J_μ, and the feasibility of the marginals, with
// very large scores of about 1e6/μ.
func TestEGRSmallTemperatures(t *testing.T) {
	eachEnumerated(t, 1e-3, func(t *testing.T, p *enumerated) {
		s := newEGRState(&EGR{Lipschitz: "theory", Scale: 1, Marginals: "float64"}, p.Risk, solvers.Env{Seed: 1})
		rng := rand.New(rand.NewPCG(9, 9))
		at := &s.next
		for j := range at.w {
			at.w[j] = 1e6 * rng.NormFloat64()
		}
		for _, mu := range []float64{1, 1e-6, 1e-12} {
			at.mu = mu
			s.infer(at)
			hinge := p.Primal(at.w)
			if !(math.Abs(at.smoothed-hinge) <= mu*p.logLabels()+1e-9*hinge) {
				t.Errorf("μ = %v: J_μ = %v, want within μ mean log|Y| of J = %v", mu, at.smoothed, hinge)
			}
			for i := range p.Examples {
				gibbs := s.drift.gibbs[s.drift.Start[i]:s.drift.Start[i+1]]
				if e := &p.Examples[i]; e.Polytope != nil && !(e.Polytope.Infeasibility(gibbs) < 1e-12) {
					t.Errorf("μ = %v: infeasibility of the marginals of example %d = %v, want 0", mu, i,
						e.Polytope.Infeasibility(gibbs))
				}
			}
		}
	})
}

// TestEGRAlphaDoesNotFactorise checks that α_k, which is a mixture, has less entropy than the distribution that
// factorises along the chain and has the same marginals (section 5).
func TestEGRAlphaDoesNotFactorise(t *testing.T) {
	eachEnumerated(t, 3, func(t *testing.T, p *enumerated) {
		if t.Name() != "TestEGRAlphaDoesNotFactorise/untied" {
			t.Skip("the test needs marginals of pairs of neighbours")
		}
		literal := newAlgorithm1(p, p.radius()/p.Lambda)
		for range 30 {
			literal.step()
		}
		for i, mu := range p.marginals(literal.alpha) {
			var own float64
			for _, v := range literal.alpha[i] {
				own -= v * math.Log(v)
			}
			if l := len(p.Examples[i].Truth)/2 + 1; l > 2 && !(models.ChainEntropy(mu, 3) > own+1e-6) {
				t.Errorf("example %d: entropy of the chain = %v, want more than of α, %v", i, models.ChainEntropy(mu, 3), own)
			}
		}
	})
}

// referenceOf returns the end of a run of cutting planes, whose primal and dual differ by at most 1.5e-9.
func referenceOf(t *testing.T, p *models.Risk) testbed.End {
	t.Helper()
	return testbed.EndOf(t, &cuttingplane.OneSlack{Epsilon: 1e-9, Cache: 10, CacheRule: "svmstruct", Step: "qp"}, p)
}
