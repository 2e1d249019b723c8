package saddle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

var extragradientSteps = []string{"constant", "growing", "adaptive"}

// saddleCases returns small tasks with a label loss over parts and a list of all labellings: a multiclass model, a
// chain and dependency trees.
func saddleCases(t testing.TB) []testbed.PlaneCase {
	t.Helper()
	trees := testbed.Build(t, deptree.Model{Cutoff: 3, Between: "count", Roots: "single"},
		generated.GrammarSentences{Train: 20, MaxWords: 6, Seed: 1})
	// sentences of at most 4 words, which have at most 30 projective trees
	trees.Train = slices.DeleteFunc(trees.Train, func(e models.Example) bool { return len(e.Truth) > 4 })
	if len(trees.Train) < 2 {
		t.Fatalf("%d short sentences, want at least 2", len(trees.Train))
	}
	trees.Train = trees.Train[:2]
	cases := []testbed.PlaneCase{
		{Name: "multiclass", Task: testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(12, 3, 4))},
		{Name: "chain", Task: testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 2, 3, 1, 3, 2, 4))},
		{Name: "deptree", Task: trees},
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for c := range cases {
		for i := range cases[c].Task.Train {
			cases[c].Labellings = append(cases[c].Labellings, testbed.LabellingsOf(rng, &cases[c].Task.Train[i]))
		}
	}
	return cases
}

// eachSaddle runs a subtest for each case, λ and step.
func eachSaddle(t *testing.T, lambdas []float64,
	check func(t *testing.T, c testbed.PlaneCase, p *models.Risk, step string)) {
	t.Helper()
	for _, c := range saddleCases(t) {
		for _, lambda := range lambdas {
			for _, step := range extragradientSteps {
				t.Run(fmt.Sprintf("%s/%v/%s", c.Name, lambda, step),
					func(t *testing.T) { check(t, c, c.Task.Objective(models.Hinge(), lambda).(*models.Risk), step) })
			}
		}
	}
}

func statsOf(it solvers.Iterate) map[string]float64 {
	stats := map[string]float64{}
	it.Stats(func(name string, v float64) { stats[name] = v })
	return stats
}

// TestExtragradientBound checks that the gap at every iteration is at most the bound (3) in the comment of
// Extragradient, and at most two bounds that are known before the run. It also checks the sum of step sizes S_k, which
// is k for constant steps.
func TestExtragradientBound(t *testing.T) {
	eachSaddle(t, []float64{1, 0.05, 1e-3}, func(t *testing.T, c testbed.PlaneCase, p *models.Risk, step string) {
		lambda := p.Lambda
		_, widest := c.Largest()
		var logs float64
		for _, list := range c.Labellings {
			logs += math.Log(float64(len(list))) / float64(len(c.Labellings))
		}
		worst := p.Primal(make([]float64, p.Dim))
		radius := dualspace.RadiusSq(p)
		if radius < widest*(1-1e-12) {
			t.Fatalf("RadiusSq = %v, want at least the largest |ψ|², %v", radius, widest)
		}
		balance := math.Sqrt(2*logs) * max(1, math.Sqrt(radius/(2*lambda*worst)))
		sigma, sum := radius/(lambda*balance), 0.0
		for it := range testbed.Iterates(t, solvers.Run(&Extragradient{Step: step, Scale: 1}, p, solvers.Env{Seed: 1})) {
			gap, stats := p.Primal(it.W)-it.Dual(), statsOf(it)
			if it.Epoch == 0 {
				if gap != worst || math.Abs(stats["log_labels"]-logs) > 1e-12*logs ||
					math.Abs(stats["balance"]-balance) > 1e-12*balance {
					t.Fatalf("at the start: gap = %v, log_labels = %v and balance = %v, want %v, %v and %v", gap, stats["log_labels"],
						stats["balance"], worst, logs, balance)
				}
				continue
			}
			switch step {
			case "constant":
				sum++
			case "growing":
				sum += math.Sqrt(1 + sum/balance)
			case "adaptive":
				sum = stats["sum_of_steps"]
			}
			if math.Abs(stats["sum_of_steps"]-sum) > 1e-9*sum {
				t.Fatalf("epoch %d: sum_of_steps = %v, want %v", it.Epoch, stats["sum_of_steps"], sum)
			}
			if math.Abs(stats["mu"]*sum-sigma) > 1e-9*sigma {
				t.Fatalf("epoch %d: μS = %v, want σ = %v", it.Epoch, stats["mu"]*sum, sigma)
			}
			byRadius := balance/(balance+sum)*radius/(2*lambda) + sigma*logs/sum
			byStart := (balance*worst + sigma*logs*(1+balance/sum)) / sum
			if bound := min(stats["bound"], byRadius, byStart); !(gap <= bound*(1+1e-9)+1e-11*worst) {
				t.Fatalf("epoch %d: gap = %v, want at most the bounds: %v from ᾱ, %v from R, and %v from P(0)", it.Epoch, gap,
					stats["bound"], byRadius, byStart)
			}
			if excess := stats["excess"]; !(excess >= -1e-11*worst) {
				t.Fatalf("epoch %d: excess = %v, want ≥ 0, since (2) holds", it.Epoch, excess)
			}
			if it.Epoch == 100 {
				break
			}
		}
		if step != "constant" && sum < 101 {
			t.Errorf("sum of the steps = %v, want more than 100, the sum of constant steps", sum)
		}
	})
}

// TestExtragradientKernel checks that a linear kernel gives the same primal and dual values as explicit features.
func TestExtragradientKernel(t *testing.T) {
	rows := testbed.OverlappingClasses(25, 3, 3)
	explicit := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows).Objective(models.Hinge(), 0.05).(*models.Risk)
	expansion := testbed.TaskOf(t, kernel.Model{Kernel: "linear", LossScale: 1, Cache: 16}, rows).Objective(models.Hinge(),
		0.05).(*models.Risk)
	for _, step := range extragradientSteps {
		for _, epochs := range []int{1, 2, 7, 40} {
			s := &Extragradient{Step: step, Scale: 1}
			primal, dual := testbed.After(t, explicit, s, epochs)
			p, d := testbed.After(t, expansion, s, epochs)
			if math.Abs(p-primal) > 1e-9*(1+primal) || math.Abs(d-dual) > 1e-9*(1+math.Abs(dual)) {
				t.Errorf("%s, epoch %d: primal = %v and dual = %v, want %v and %v as with features", step, epochs, p, d, primal,
					dual)
			}
		}
	}
}

// TestExtragradientEnds checks that a run ends by itself at the optimum if there are no features or no label loss. In
// both cases the start is already optimal.
func TestExtragradientEnds(t *testing.T) {
	blank := testbed.OverlappingClasses(12, 3, 4)
	clear(blank.X.Value)
	free := testbed.TaskOf(t, multiclass.Model{LossScale: 1},
		testbed.OverlappingClasses(12, 3, 4)).Objective(models.Hinge(),
		0.1).(*models.Risk)
	free.Examples = slices.Clone(free.Examples)
	for i := range free.Examples {
		free.Examples[i].Cost = nil
	}
	for name, p := range map[string]*models.Risk{
		"no features": testbed.TaskOf(t, multiclass.Model{LossScale: 1}, blank).Objective(models.Hinge(),
			0.1).(*models.Risk),
		"no label loss": free,
	} {
		at := solvers.Iterate{}
		s := &Extragradient{Step: "adaptive", Scale: 1}
		for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
			if at = it; it.Epoch > 200 {
				t.Fatalf("%s: the run has not ended by epoch %d", name, it.Epoch)
			}
		}
		if primal, dual := p.Primal(at.W), at.Dual(); !(primal-dual <= 1e-12) {
			t.Errorf("%s: primal = %v and dual = %v at the end, want a gap of 0", name, primal, dual)
		}
	}
}

// TestExtragradientScale checks that the setting Scale multiplies the radius R, that the bound (3) still holds with
// adaptive steps, and that with constant and growing steps a smaller Scale gives a smaller gap.
func TestExtragradientScale(t *testing.T) {
	p := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(40, 3, 4)).Objective(models.Hinge(),
		0.01).(*models.Risk)
	for _, step := range extragradientSteps {
		var radius, gaps []float64
		for _, scale := range []float64{1, 0.2} {
			for it := range testbed.Iterates(t, solvers.Run(&Extragradient{Step: step, Scale: scale}, p, solvers.Env{Seed: 1})) {
				gap, stats := p.Primal(it.W)-it.Dual(), statsOf(it)
				if step == "adaptive" && it.Epoch > 0 && gap > stats["bound"]*(1+1e-9) {
					t.Fatalf("scale %v, epoch %d: gap = %v, want at most the bound %v", scale, it.Epoch, gap, stats["bound"])
				}
				if it.Epoch == 100 {
					radius, gaps = append(radius, stats["radius"]), append(gaps, gap)
					break
				}
			}
		}
		if math.Abs(radius[1]-0.2*radius[0]) > 1e-12*radius[0] {
			t.Errorf("%s: radius with scale 0.2 = %v, want a fifth of %v", step, radius[1], radius[0])
		}
		if step != "adaptive" && gaps[1] > gaps[0]/2 {
			t.Errorf("%s: gap with scale 0.2 = %v, want at most half of the gap with scale 1, %v", step, gaps[1], gaps[0])
		}
	}
}

// BenchmarkExtragradient measures the time of an iteration on generated data: digits and words.
func BenchmarkExtragradient(b *testing.B) {
	const n = 1000
	words := testbed.Build(b, chain.Model{Edges: "tied"}, generated.Words{Train: n, MaxLetters: 8, Seed: 1})
	digits := testbed.Build(b, multiclass.Model{LossScale: 1}, generated.Digits{Train: n, Seed: 1})
	for name, task := range map[string]*models.Task{"words": words, "digits": digits} {
		p := task.Objective(models.Hinge(), 0.01).(*models.Risk)
		b.Run(name+"/gradient", func(b *testing.B) { // one pass of the exp-oracle; an iteration has two
			q := task.Objective(models.Loss{Temp: 0.1, Margin: 1}, 0.01).(*models.Risk)
			testbed.BenchmarkGradient(b, q)
		})
		b.Run(name, func(b *testing.B) { testbed.BenchmarkEpochs(b, p, NewExtragradient()) })
	}
}
