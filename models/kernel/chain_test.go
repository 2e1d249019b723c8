package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

func chainKernel(name, edges string, cache int) *kernel.Chain {
	return &kernel.Chain{Kernel: name, Gamma: 0.5, Degree: 2, Coef: 1.5, Edges: edges, Cache: cache}
}

// eachChainKernel calls f for all kernels and values of the setting edges, with and without a stored kernel matrix.
func eachChainKernel(t *testing.T, f func(t *testing.T, m *kernel.Chain)) {
	for _, name := range []string{"linear", "rbf", "polynomial"} {
		for _, edges := range []string{"tied", "untied"} {
			for _, cache := range []int{0, 1} {
				t.Run(fmt.Sprintf("%s/%s/cache %d", name, edges, cache),
					func(t *testing.T) { f(t, chainKernel(name, edges, cache)) })
			}
		}
	}
}

func TestChainKernelConformance(t *testing.T) {
	eachChainKernel(t, func(t *testing.T, m *kernel.Chain) {
		for _, d := range []*datasets.Sequences{examples.Sequences(1, "dense", 3, 2, 1, 4, 3),
			examples.Sequences(3, "sparse", 4, 5, 4, 1, 2)} {
			modeltest.Check(t, examples.Build(t, m, d, nil), examples.Chains(len(d.Labels), m.Edges == "untied"),
				modeltest.CountCosts())
		}
	})
}

// explicitChain returns the task of chain.Model for the same sequences, on the features whose inner product is the
// kernel.
func explicitChain(t *testing.T, m *kernel.Chain, train, held *datasets.Sequences) *models.Task {
	features := func(s *datasets.Sequences) *datasets.Sequences {
		k := &kernel.Model{Kernel: m.Kernel, Gamma: m.Gamma, Coef: m.Coef}
		return &datasets.Sequences{X: explicit(&datasets.Labelled{X: s.X}, k).X, Start: s.Start, Y: s.Y, Labels: s.Labels}
	}
	return examples.Build(t, chain.Model{Edges: m.Edges}, features(train), features(held))
}

// linearWeights converts coefficients β to weights of the explicit features: Xᵀβ, where the rows of X are the
// features of the positions, and a copy of the transitions. It computes Xᵀβ by AddAdjoint of the chain's feature
// maps, which get the coefficients of the positions instead of marginals.
func linearWeights(w []float64, plain *models.Task, k int) []float64 {
	out := make([]float64, plain.Dim())
	transitions := w[len(w)-k*k:]
	for i := range plain.Train {
		e := &plain.Train[i]
		l := (len(e.Truth) + 1) / 2
		mu := make([]float64, e.Features.Parts())
		copy(mu, w[:l*k])
		e.Features.AddAdjoint(out, 1, mu)
		w = w[l*k:]
	}
	copy(out[len(out)-k*k:], transitions)
	return out
}

// TestChainKernelAgainstExplicitFeatures checks that Chain is equivalent to chain.Model on the explicit features of the
// kernel, with w = Xᵀβ: scores, norms, primal, bound, gradient and errors are equal.
func TestChainKernelAgainstExplicitFeatures(t *testing.T) {
	const k, lambda = 3, 0.2
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-10*(1+math.Abs(b)) }
	eachChainKernel(t, func(t *testing.T, m *kernel.Chain) {
		if m.Kernel == "rbf" { // has no finite number of explicit features
			return
		}
		train, held := examples.Sequences(5, "sparse", k, 4, 4, 1, 6, 3, 5), examples.Sequences(6, "dense", k, 4, 3, 1, 7)
		task, plain := examples.Build(t, m, train, held), explicitChain(t, m, train, held)
		beta := make([]float64, task.Dim()) // coefficients Σ A_iᵀ μ_i for random marginals μ_i
		w := make([]float64, plain.Dim())
		rng := rand.New(rand.NewPCG(7, 1))
		for i := range task.Train {
			a, b := task.Train[i].Features, plain.Train[i].Features
			mu := examples.Normals(rng, a.Parts(), 1)
			a.AddAdjoint(beta, 0.5, mu)
			b.AddAdjoint(w, 0.5, mu)
			if x, y := a.(models.Gram).NormSq(mu), b.(models.Gram).NormSq(mu); !near(x, y) {
				t.Errorf("sequence %d: |Aᵀv|² = %v, want %v as in the chain", i, x, y)
			}
		}
		for j, v := range linearWeights(beta, plain, k) {
			if !near(v, w[j]) {
				t.Fatalf("w[%d] from the coefficients = %v, want %v as in the chain", j, v, w[j])
			}
		}
		for part, examples := range map[string][2][]models.Example{"training": {task.Train, plain.Train},
			"validation": {task.Validation, plain.Validation}} {
			for i := range examples[0] {
				a, b := examples[0][i].Features, examples[1][i].Features
				theta, want := make([]float64, a.Parts()), make([]float64, b.Parts())
				a.Score(theta, beta)
				b.Score(want, w)
				for r := range want {
					if !near(theta[r], want[r]) {
						t.Fatalf("%s sequence %d: score of part %d = %v, want %v as in the chain", part, i, r, theta[r], want[r])
					}
				}
				if x, y := a.(models.SparseMap).Dot(beta, examples[0][i].Truth),
					b.(models.SparseMap).Dot(w, examples[1][i].Truth); !near(x, y) {
					t.Errorf("%s sequence %d: score of the truth = %v, want %v as in the chain", part, i, x, y)
				}
			}
		}
		for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), models.Slack()} {
			p, q := examples.RiskOf(t, task, loss, lambda), examples.RiskOf(t, plain, loss, lambda)
			if a, b := p.Primal(beta), q.Primal(w); !near(a, b) {
				t.Errorf("%+v: primal = %v, want %v as in the chain", loss, a, b)
			}
			if loss.Slack {
				continue
			}
			if a, b := p.Bound(beta), q.Bound(w); !near(a, b) {
				t.Errorf("%+v: bound = %v, want %v as in the chain", loss, a, b)
			}
			g, h := make([]float64, p.Dim), make([]float64, q.Dim)
			p.Gradient(g, beta)
			q.Gradient(h, w)
			for j, v := range linearWeights(g, plain, k) {
				if !near(v, h[j]) {
					t.Errorf("%+v: gradient = %v at weight %d, want %v as in the chain", loss, v, j, h[j])
					break
				}
			}
		}
		got, want := task.Evaluate(beta, 1), plain.Evaluate(w, 1)
		for name, v := range want {
			if got[name] != v {
				t.Errorf("%s = %v, want %v as in the chain", name, got[name], v)
			}
		}
	})
}

// TestChainKernelAtOnce checks that goroutines that use different sequences at once get the results of one goroutine.
// The sequences are so long that the goroutines do use the basis, which the sequences share, at the same time.
func TestChainKernelAtOnce(t *testing.T) {
	d := examples.Sequences(11, "dense", 3, 2, 200, 190, 180, 170)
	task := examples.Build(t, chainKernel("rbf", "tied", 0), d, nil)
	w := examples.Weights(1, task.Dim())
	for j := range w {
		if j%24 != 0 {
			w[j] = 0 // scores are then as fast as norms
		}
	}
	v := examples.Normals(rand.New(rand.NewPCG(11, 2)), task.Dim(), 1)
	for name, f := range map[string]func(models.Example) float64{
		"NormSq":   func(e models.Example) float64 { return e.Features.(models.Gram).NormSq(v[:e.Features.Parts()]) },
		"RadiusSq": func(e models.Example) float64 { return e.Features.(models.Bounded).RadiusSq(e.Truth) },
		"Dot":      func(e models.Example) float64 { return e.Features.(models.SparseMap).Dot(w, e.Truth) },
		"Score": func(e models.Example) (sum float64) {
			theta := make([]float64, e.Features.Parts())
			e.Features.Score(theta, w)
			for r, v := range theta {
				sum += float64(r) * v
			}
			return sum
		},
	} {
		var want []float64
		for _, e := range task.Train {
			want = append(want, f(e))
		}
		var g errgroup.Group
		for i, e := range task.Train {
			g.Go(func() (err error) {
				defer func() {
					if v := recover(); v != nil {
						err = fmt.Errorf("panic: %v", v)
					}
				}()
				for range 40 {
					if got := f(e); got != want[i] {
						return fmt.Errorf("sequence %d: %v, want %v as with one goroutine", i, got, want[i])
					}
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChainKernelCoefficientsAreMarginals checks theorem 9 of the paper that Chain cites: the coefficients of Σ
// A_iᵀ(μ_i − 1_{y_i})/n are the label marginals of the positions minus the truth, divided by n.
func TestChainKernelCoefficientsAreMarginals(t *testing.T) {
	const k = 3
	d := examples.Sequences(8, "dense", k, 2, 3, 1, 4)
	task := examples.Build(t, chainKernel("rbf", "tied", 1), d, nil)
	p := examples.RiskOf(t, task, models.Hinge(), 1)
	loss, w, g := models.Loss{Temp: 0.7, Margin: 1}, examples.Weights(1, p.Dim), make([]float64, p.Dim)
	p.AddExpectations(g, w, loss)
	at := 0
	for i := range task.Train {
		e := &task.Train[i]
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, w)
		mu := make([]float64, len(theta))
		loss.Marginals(mu, e, theta, nil)
		for t0 := range (len(e.Truth) + 1) / 2 {
			for c := range k {
				want := mu[t0*k+c]
				if d.Y[at] == c {
					want--
				}
				if got := 3 * g[at*k+c]; math.Abs(got-want) > 1e-14 {
					t.Fatalf("position %d, label %d: n times the coefficient = %v, want %v", at, c, got, want)
				}
			}
			at++
		}
	}
}

// TestChainKernelRadius checks that RadiusSq is at most 20 times the largest |φ(truth) − φ(y)|² of all labellings
// y, where φ(y) are the features of y. RadiusSq must equal this largest value for the rbf kernel, which has no
// negative values, and a sequence whose truth lacks a label.
func TestChainKernelRadius(t *testing.T) {
	const k = 3
	eachChainKernel(t, func(t *testing.T, m *kernel.Chain) {
		d := examples.Sequences(1, "dense", k, 2, 1, 4, 3, 5)
		d.Y[1], d.Y[2], d.Y[3], d.Y[4] = 0, 2, 2, 0 // the second sequence, without label 1
		task := examples.Build(t, m, d, nil)
		for i := range task.Train {
			e := &task.Train[i]
			bound, widest := e.Features.(models.Bounded).RadiusSq(e.Truth), 0.0
			for _, y := range examples.Chains(k, m.Edges == "untied")(e) {
				v := make([]float64, e.Features.Parts())
				for _, r := range e.Truth {
					v[r]++
				}
				for _, r := range y {
					v[r]--
				}
				widest = max(widest, e.Features.(models.Gram).NormSq(v))
			}
			if bound > 20*widest {
				t.Errorf("sequence %d: bound = %v, want at most 20 times the largest %v", i, bound, widest)
			}
			if i == 1 && m.Kernel == "rbf" && math.Abs(bound-widest) > 1e-12*widest {
				t.Errorf("bound = %v, want the largest %v", bound, widest)
			}
		}
	})
}

// TestChainKernelRadiusOfChain checks that with the linear kernel and non-negative features, RadiusSq equals the
// RadiusSq of chain.Model.
func TestChainKernelRadiusOfChain(t *testing.T) {
	d := examples.Sequences(2, "ones", 3, 5, 1, 4, 7, 2)
	task, plain := examples.Build(t, chainKernel("linear", "tied", 1), d, nil), examples.Build(t, chain.Model{}, d, nil)
	for i := range task.Train {
		truth := task.Train[i].Truth
		got, want := task.Train[i].Features.(models.Bounded).RadiusSq(truth),
			plain.Train[i].Features.(models.Bounded).RadiusSq(truth)
		if math.Abs(got-want) > 1e-12*want {
			t.Errorf("sequence %d: bound = %v, want %v as in the chain", i, got, want)
		}
	}
}

// TestChainKernelEvaluations checks that the kernel matrix of N positions costs N(N+1)/2 evaluations of the kernel,
// once. Without a stored matrix, the score of a position costs one evaluation for each position that has a non-zero
// coefficient.
func TestChainKernelEvaluations(t *testing.T) {
	const k = 2
	for _, n := range []int{8, 16, 32, 64} {
		d := examples.Sequences(9, "sparse", k, 3, slices.Repeat([]int{3, 5}, n/2)...)
		positions := int64(4 * n)
		kept := examples.Build(t, chainKernel("rbf", "tied", 1), d, nil)
		w := examples.Weights(1, kept.Dim())
		p := examples.RiskOf(t, kept, models.Hinge(), 1)
		p.Primal(w)
		p.Gradient(make([]float64, p.Dim), w)
		want := positions * (positions + 1) / 2
		if got := evaluations(kept); got != want || kept.Facts["kernel_evaluations"] != float64(want) ||
			kept.Facts["positions"] != float64(positions) {
			t.Errorf("n = %d: evaluations for the matrix = %d, facts = %v, want %d for %d positions", n, got, kept.Facts, want,
				positions)
		}
		live := examples.Build(t, chainKernel("rbf", "tied", 0), d, nil)
		if got := evaluations(live); got != 0 || len(live.Facts) != 1 {
			t.Errorf("n = %d: evaluations before the first score = %d, facts = %v, want 0, and only the positions", n, got,
				live.Facts)
		}
		for i := range live.Train {
			e := &live.Train[i]
			e.Features.Score(make([]float64, e.Features.Parts()), w)
		}
		if got := evaluations(live); got != positions*positions {
			t.Errorf("n = %d: evaluations for all scores = %d, want N² = %d", n, got, positions*positions)
		}
		sparse, before := make([]float64, live.Dim()), evaluations(live)
		sparse[2*k], sparse[5*k+1] = 1, -1
		live.Train[1].Features.Score(make([]float64, live.Train[1].Features.Parts()), sparse)
		if got := evaluations(live) - before; got != 5*2 {
			t.Errorf("n = %d: evaluations for 5 positions with two non-zero coefficients = %d, want 10", n, got)
		}
	}
}
