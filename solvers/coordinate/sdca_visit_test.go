package coordinate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// visitsOf returns a new session of the solver on p.
func visitsOf(t testing.TB, s *SDCA, p *models.Risk) *sdcaSession {
	t.Helper()
	session, err := s.Start(p, solvers.Env{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return session.(*sdcaSession)
}

// sdcaProblems returns small problems of each model, with losses that SDCA supports.
func sdcaProblems(t testing.TB, n int, c float64) map[string]*models.Risk {
	t.Helper()
	lambda := c / float64(n)
	out := map[string]*models.Risk{}
	for _, s := range testbed.Structures(t, n) {
		out[s.Name] = s.Task.Objective(models.LogLoss(), lambda).(*models.Risk)
	}
	words := generated.Words{Train: n, MaxLetters: 4, Seed: 2}
	out["chain, softmax margin"] = testbed.Build(t, chain.Model{Edges: "tied"},
		words).Objective(models.Loss{Temp: 1, Margin: 2},
		lambda).(*models.Risk)
	out["untied"] = testbed.Build(t, chain.Model{Edges: "untied"}, words).Objective(models.LogLoss(),
		lambda).(*models.Risk)
	rows := testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(n, 4, 4))
	out["multiclass"] = rows.Objective(models.LogLoss(), lambda).(*models.Risk)
	out["multiclass, smoothed hinge"] = rows.Objective(models.Loss{Temp: 0.1, Margin: 1}, lambda).(*models.Risk)
	return out
}

// bound returns the dual D~ and w (see SDCA), computed only from the marginals and the bounds h_i on the entropies.
func (st *sdcaState) bound() (dual float64, w []float64) {
	n, loss := float64(len(st.p.Examples)), st.p.Loss
	w = make([]float64, st.p.Dim)
	for i := range st.p.Examples {
		e, v := &st.p.Examples[i], slices.Clone(st.marginals(i))
		dual += (loss.Temp*st.entropy[i] + loss.Margin*dualspace.Dot(e.Cost, v)) / n
		for _, r := range e.Truth {
			v[r]--
		}
		e.Features.AddAdjoint(w, -1/(st.lambda*n), v)
	}
	return dual - st.lambda/2*dualspace.Dot(w, w), w
}

// TestSDCAChangeOfTheDual checks that the mean of the gaps G_i of all examples is P(w) − D~ (see SDCA for the symbols).
// It also checks the change of D~ by a visit: the change agrees with the formula, it is at least σ G_i/n as the linear
// rate requires, and no other step length gives a larger change.
func TestSDCAChangeOfTheDual(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	for name, p := range sdcaProblems(t, 8, 1) {
		for _, begin := range []string{"truth", "uniform"} {
			o := visitsOf(t, &SDCA{Order: "cyclic", Begin: begin}, p)
			n, tau := float64(len(p.Examples)), p.Loss.Temp
			sigma := min(1, tau*o.lambda*n/(2*dualspace.RadiusSq(p))) / 2
			before, _ := o.bound()
			for range 12 {
				start, gaps := p.Primal(o.w)-before, 0.0
				still := *o.sdcaState // shares its slices with o; the loop undoes what each visit changes in them
				for i := range p.Examples {
					w, mu, h, cost := slices.Clone(o.w), slices.Clone(o.marginals(i)), o.entropy[i], slices.Clone(o.cost)
					_, gap := still.visit(i)
					gaps += gap / n
					copy(o.w, w)
					copy(o.marginals(i), mu)
					o.entropy[i] = h
					copy(o.cost, cost)
				}
				if math.Abs(gaps-start) > 1e-10*(1+math.Abs(before)) {
					t.Fatalf("%s, %s: mean gap of the examples = %v, want P − D~ = %v", name, begin, gaps, start)
				}
				for i := range p.Examples {
					mu, h := slices.Clone(o.marginals(i)), o.entropy[i]
					step, gap := o.visit(i)
					after, _ := o.bound()
					got, tol := n*(after-before), 1e-10*n*(1+math.Abs(after))
					if gap < -tol || got < sigma*gap-tol || got < -tol {
						t.Fatalf("%s, %s, example %d: n ΔD~ = %v with G_i = %v, want at least %v times G_i", name, begin, i, got, gap,
							sigma)
					}
					v := make([]float64, len(mu))
					for r, m := range mu {
						v[r] = o.to[r] - m
					}
					q, parts := o.adjoint.NormSq(p.Examples[i].Features, v)/(o.lambda*n), o.examples[i].parts
					there := p.Examples[i].Exp.LogSum(nil, o.score[:len(mu)]) - dualspace.Dot(o.score[:len(mu)], o.to)
					gain := func(g float64) float64 {
						change := g*gap - g*g*q/2
						if parts == sdcaLabellings {
							mix := slices.Clone(mu)
							for r := range mix {
								mix[r] += g * v[r]
							}
							return change + tau*(entropyOf(mix)-(1-g)*h-g*there)
						}
						return change + g*(1-g)/2*tau*parts.curvature(mu, o.to)
					}
					if want := gain(step); math.Abs(got-want) > tol {
						t.Fatalf("%s, %s, example %d: n ΔD~ = %v for γ = %v, want %v", name, begin, i, got, step, want)
					}
					for g := range 101 {
						if other := gain(float64(g) / 100); other > got+1e-4*math.Abs(got)+tol {
							t.Fatalf("%s, %s, example %d: n ΔD~ = %v for γ = %v, want the maximum: γ = %v gives %v", name, begin, i, got,
								step, float64(g)/100, other)
						}
					}
					before = after
				}
			}
			dual, w := o.bound()
			if d := testbed.Distance(o.w, w); d > 1e-11*math.Sqrt(dualspace.Dot(w, w)) ||
				math.Abs(dual-o.dual()) > 1e-11*(1+math.Abs(dual)) {
				t.Errorf("%s, %s: the distance of w from w(α) = %v, want 0; dual = %v, want %v", name, begin, d, o.dual(), dual)
			}
		}
	}
}

// gibbsMixture represents a distribution α_i by the probability of each labelling of the example.
type gibbsMixture struct {
	y     []models.Vertex
	alpha []float64
}

func entropyOf(p []float64) float64 { return sdcaEntropy(p, make([]float64, len(p))) }

func (m gibbsMixture) entropy() float64 { return entropyOf(m.alpha) }

// gibbs returns the Gibbs distribution with the part scores s.
func (m gibbsMixture) gibbs(s []float64) []float64 {
	p, top, sum := make([]float64, len(m.y)), math.Inf(-1), 0.0
	for k, y := range m.y {
		p[k] = y.Dot(s)
		top = max(top, p[k])
	}
	for k := range p {
		p[k] = math.Exp(p[k] - top)
		sum += p[k]
	}
	dualspace.Scale(p, 1/sum)
	return p
}

// TestSDCAEntropyIsBounded compares the marginals and entropy bounds h_i of a run with the distributions α_i, which the
// test computes labelling by labelling. The run must have the marginals of α_i, and h_i ≤ H(α_i), with equality if each
// labelling is one part. Also D~ ≤ D(α) ≤ min P must hold (see SDCA).
func TestSDCAEntropyIsBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	sequences := testbed.ShortSequences(3, 3, 3, 1, 4, 2, 2)
	loose := 0
	for _, c := range []struct {
		name  string
		task  *models.Task
		parts []sdcaParts
	}{
		{"tied", testbed.TaskOf(t, chain.Model{Edges: "tied"}, sequences),
			[]sdcaParts{sdcaCounts, sdcaIndicators, sdcaCounts, sdcaIndicators, sdcaIndicators}},
		{"untied", testbed.TaskOf(t, chain.Model{Edges: "untied"}, sequences),
			[]sdcaParts{sdcaIndicators, sdcaLabellings, sdcaIndicators, sdcaIndicators, sdcaIndicators}},
		{"cfg", testbed.TaskOf(t, cfg.Model{LossScale: 1, Forests: 1}, testbed.AmbiguousTrees()),
			slices.Repeat([]sdcaParts{sdcaCounts}, 6)},
		{"multiclass", testbed.TaskOf(t, multiclass.Model{}, testbed.OverlappingClasses(6, 3, 3)),
			slices.Repeat([]sdcaParts{sdcaLabellings}, 6)},
	} {
		p := c.task.Objective(models.LogLoss(), 0.05).(*models.Risk)
		least, _ := testbed.After(t, p, &gradient.LBFGS{Memory: 10}, 200)
		for _, begin := range []string{"truth", "uniform"} {
			o := visitsOf(t, &SDCA{Order: "random", Begin: begin}, p)
			for i, e := range o.examples {
				if e.parts != c.parts[i] {
					t.Fatalf("%s: sdcaPartsOf example %d = %v, want %v", c.name, i, e.parts, c.parts[i])
				}
			}
			mixtures := make([]gibbsMixture, len(p.Examples))
			for i := range mixtures {
				y := testbed.LabellingsOf(rng, &p.Examples[i]) // the first labelling is the true one
				mixtures[i] = gibbsMixture{y: y, alpha: make([]float64, len(y))}
				mixtures[i].alpha[0] = 1
				if begin == "uniform" {
					mixtures[i].alpha = mixtures[i].gibbs(make([]float64, len(o.marginals(i))))
				}
			}
			for range 60 * len(p.Examples) {
				i := o.visits.Next()
				step, _ := o.visit(i)
				m := &mixtures[i]
				for k, a := range m.gibbs(o.score[:len(o.marginals(i))]) {
					m.alpha[k] += step * (a - m.alpha[k])
				}
				mu := make([]float64, len(o.marginals(i)))
				for k, y := range m.y {
					for _, r := range y {
						mu[r] += m.alpha[k]
					}
				}
				if d := testbed.Distance(mu, o.marginals(i)); d > 1e-9 {
					t.Fatalf("%s: the distance of the marginals of example %d from those of the mixture = %v, want 0", c.name, i, d)
				}
				slack := m.entropy() - o.entropy[i]
				if slack < -1e-9 || o.examples[i].parts == sdcaLabellings && slack > 1e-9 {
					t.Fatalf("%s: example %d: h exceeds the entropy %v by %v: want ≤ 0, or 0 if each labelling is one part", c.name, i,
						m.entropy(), -slack)
				}
				if slack > 1e-3 {
					loose++
				}
				dual := -o.lambda / 2 * dualspace.Dot(o.w, o.w)
				for _, m := range mixtures {
					dual += m.entropy() / float64(len(mixtures))
				}
				if bound := o.dual(); bound > dual+1e-9 || dual > least+1e-9 {
					t.Fatalf("%s: D~ = %v, D = %v and min P = %v: want D~ ≤ D ≤ min P", c.name, bound, dual, least)
				}
			}
		}
	}
	if loose == 0 {
		t.Error("h equals the entropy in all visits: want a problem with h < H")
	}
}

// TestSDCACurvature checks that the c that curvature returns is valid: the entropy of a mixture of two distributions
// with weight γ exceeds the weighted mean of their entropies by at least γ(1 − γ) c/2, even if some probabilities are
// nearly 0. It also checks that c is at least the value from Pinsker's inequality.
func TestSDCACurvature(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	indicator := [][]int{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {4}} // the parts of five labellings
	for range 2000 {
		p, q := make([]float64, 5), make([]float64, 5)
		for k := range p {
			p[k], q[k] = math.Exp(8*rng.NormFloat64()), math.Exp(8*rng.NormFloat64())
			if rng.IntN(10) == 0 {
				p[k] = 0
			}
		}
		p[0] += 1e-300
		for _, v := range [][]float64{p, q} {
			sum := 0.0
			for _, x := range v {
				sum += x
			}
			dualspace.Scale(v, 1/sum)
		}
		mu, to := make([]float64, 5), make([]float64, 5)
		for k, parts := range indicator {
			for _, r := range parts {
				mu[r] += p[k]
				to[r] += q[k]
			}
		}
		one, few := sdcaLabellings.curvature(p, q), sdcaIndicators.curvature(mu, to)
		for r := range mu {
			if d := mu[r] - to[r]; few < 4*d*d*(1-1e-9) {
				t.Fatalf("p = %v, q = %v: curvature = %v, want at least %v", p, q, few, 4*d*d)
			}
		}
		for _, g := range []float64{1e-6, 0.01, 0.3, 0.5, 0.9, 1 - 1e-6} {
			mix := make([]float64, 5)
			for k := range mix {
				mix[k] = (1-g)*p[k] + g*q[k]
			}
			rise := entropyOf(mix) - (1-g)*entropyOf(p) - g*entropyOf(q)
			if rise < g*(1-g)/2*max(one, few)-1e-12 {
				t.Fatalf("p = %v, q = %v, γ = %v: entropy of the mixture minus the mean = %v, want at least %v and %v", p, q, g,
					rise, g*(1-g)/2*one, g*(1-g)/2*few)
			}
		}
	}
	if c := sdcaCounts.curvature([]float64{0, 2}, []float64{1, 1}); c != 0 {
		t.Errorf("curvature of expected counts = %v, want 0", c)
	}
}

// TestSDCAVisitAllocatesNothing checks that visits allocate no memory after the first visit of each example, for
// feature maps with and without the methods of models.Gram.
func TestSDCAVisitAllocatesNothing(t *testing.T) {
	list := sdcaProblems(t, 20, 1)
	for _, name := range []string{"chain", "deptree", "cfg"} {
		list[name+" with norms"] = testbed.WithFeatures(list[name], testbed.NewNormOnly)
		list[name+" without norms"] = testbed.WithFeatures(list[name], testbed.NewSparseOnly)
	}
	for name, p := range list {
		o := visitsOf(t, &SDCA{Order: "permutation", Begin: "truth"}, p)
		visit := func() {
			o.visit(o.visits.Next())
		}
		for range p.Examples {
			visit()
		}
		if n := testing.AllocsPerRun(2*len(p.Examples), visit); n != 0 {
			t.Errorf("%s: %v allocations per visit, want 0", name, n)
		}
	}
}

// BenchmarkSDCA measures the time of one visit, for each model on generated data.
func BenchmarkSDCA(b *testing.B) {
	list := append(testbed.Structures(b, 200),
		testbed.Structured{Name: "digits",
			Task: testbed.Build(b, multiclass.Model{}, generated.Digits{Train: 2000, Seed: 1})},
		testbed.Structured{Name: "terrain", // data larger than the processor's caches
			Task: testbed.Build(b, multiclass.Model{}, generated.Terrain{Train: 100000, Scale: "unit", Seed: 1})})
	for _, s := range list {
		p := s.Task.Objective(models.LogLoss(), 1/float64(len(s.Task.Train))).(*models.Risk)
		b.Run(s.Name, func(b *testing.B) {
			o := visitsOf(b, &SDCA{Order: "random", Begin: "truth"}, p)
			for range 3 * len(p.Examples) {
				o.batches.Next(&o.visits, o.visits.Done+1, o)
			}
			b.ReportAllocs()
			for b.Loop() {
				o.batches.Next(&o.visits, o.visits.Done+1, o)
			}
		})
	}
}
