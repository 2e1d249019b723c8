package solvers

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
)

// planeCase is a small task whose labellings are listed, the truth among them.
type planeCase struct {
	name       string
	task       *models.Task
	labellings [][]models.Vertex // of each example
}

// planeCases are classes, a chain and a grammar.
func planeCases(t testing.TB) []planeCase {
	t.Helper()
	cases := []planeCase{
		{name: "multiclass", task: taskOf(t, multiclass.Model{LossScale: 3}, overlappingClasses(12, 3, 4))},
		{name: "chain", task: taskOf(t, chain.Model{Edges: "tied"}, shortSequences(3, 2, 3, 1, 3, 2, 4, 2, 3))},
		{name: "cfg", task: taskOf(t, cfg.Model{LossScale: 2, Forests: 1}, ambiguousTrees())},
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for c := range cases {
		for i := range cases[c].task.Train {
			cases[c].labellings = append(cases[c].labellings, labellingsOf(rng, &cases[c].task.Train[i]))
		}
	}
	for i, want := range []int{8, 2, 8, 4, 16, 4, 8} {
		if n := len(cases[1].labellings[i]); n != want {
			t.Fatalf("%d labellings of sequence %d were found: want %d", n, i, want)
		}
	}
	return cases
}

// eachPlane runs a subtest for each case.
func eachPlane(t *testing.T, loss models.Loss, lambda float64,
	check func(t *testing.T, c planeCase, p *models.Risk)) {
	t.Helper()
	for _, c := range planeCases(t) {
		t.Run(c.name, func(t *testing.T) { check(t, c, c.task.Risk(loss, lambda)) })
	}
}

func taskOf(t testing.TB, model models.Builder, data datasets.Data) *models.Task {
	t.Helper()
	task, err := model.Build(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// labellingsOf collects the best labellings of random scores until there are no new ones.
func labellingsOf(rng *rand.Rand, e *models.Example) []models.Vertex {
	all := []models.Vertex{e.Truth}
	theta := make([]float64, e.Features.Parts())
	for idle := 0; idle < 400; idle++ {
		for r := range theta {
			theta[r] = rng.NormFloat64()
		}
		if y, _ := e.Max.Max(nil, theta); !slices.ContainsFunc(all, y.Equal) {
			all, idle = append(all, y), 0
		}
	}
	return all
}

// difference is ψ_i(ȳ) = A_iᵀ(1_{y_i} − 1_ȳ).
func difference(dim int, e *models.Example, y models.Vertex) []float64 {
	mu, psi := make([]float64, e.Features.Parts()), make([]float64, dim)
	for _, r := range e.Truth {
		mu[r]++
	}
	for _, r := range y {
		mu[r]--
	}
	e.Features.AddAdjoint(psi, 1, mu)
	return psi
}

// largest are Δ and R², the largest label loss and the largest |ψ|² of all labellings.
func (c planeCase) largest() (loss, radius float64) {
	for i, list := range c.labellings {
		e := &c.task.Train[i]
		for _, y := range list {
			psi := difference(c.task.Dim, e, y)
			loss, radius = max(loss, e.LabelLoss(y)), max(radius, dot(psi, psi))
		}
	}
	return loss, radius
}

// mostViolated is the largest violation d − w·g of all constraints of the 1-slack problem on the first n examples,
// one for each way to label them all.
func (c planeCase) mostViolated(loss models.Loss, w []float64, n int) float64 {
	violations := make([][]float64, n)
	for i := range violations {
		e := &c.task.Train[i]
		for _, y := range c.labellings[i] {
			d := e.LabelLoss(y)
			v := d - dot(w, difference(c.task.Dim, e, y))
			if loss.Slack {
				v = d * (1 - dot(w, difference(c.task.Dim, e, y)))
			}
			violations[i] = append(violations[i], v)
		}
	}
	most := math.Inf(-1)
	var joint func(i int, sum float64)
	joint = func(i int, sum float64) {
		if i == n {
			most = max(most, sum/float64(n))
			return
		}
		for _, v := range violations[i] {
			joint(i+1, sum+v)
		}
	}
	joint(0, 0)
	return most
}

// end is the last iterate of a run.
type end struct {
	w            []float64
	epoch        int
	primal, dual float64
	stats        map[string]float64
}

// endOf follows a run until it ends by itself.
func endOf(t *testing.T, s Solver, p *models.Risk) end {
	t.Helper()
	return endOfRun(t, Run(s, p, Env{Seed: 1}), p)
}

// endOfRun follows a run on p, such as a session's.
func endOfRun(t *testing.T, run iter.Seq2[Iterate, error], p *models.Risk) (out end) {
	t.Helper()
	for it, err := range run {
		if err != nil {
			t.Fatal(err)
		}
		if out = endAt(it); out.epoch > 5000 {
			t.Fatalf("no end by epoch %d", out.epoch)
		}
	}
	out.primal = p.Primal(out.w)
	return out
}

func endAt(it Iterate) end {
	out := end{w: slices.Clone(it.W), epoch: it.Epoch, dual: it.Dual(), stats: map[string]float64{}}
	it.Stats(func(name string, v float64) { out.stats[name] = v })
	return out
}

// exactOneSlack solves each QP almost exactly, as the theorems suppose.
func exactOneSlack(eps float64) *OneSlack {
	return &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Tolerance: 1e-10, Step: "qp", Workers: 1}
}

// planeSolvers are the two methods under many settings, all to the same ε.
func planeSolvers(eps float64) map[string]Solver {
	return map[string]Solver{
		"one-slack": &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Step: "qp", Drop: 50, Workers: 1},
		"one-slack, cache": &OneSlack{Epsilon: eps, Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50,
			Workers: 1},
		"one-slack, small cache": &OneSlack{Epsilon: eps, Cache: 1, CacheRule: "svmstruct", Step: "qp", Drop: 50,
			Workers: 1},
		"one-slack, paper's rule":  &OneSlack{Epsilon: eps, Cache: 10, CacheRule: "paper", Step: "qp", Drop: 50, Workers: 1},
		"n-slack, coordinate":      &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50},
		"n-slack, decomposition":   &NSlack{Epsilon: eps, Precision: "halving", QP: "decomposition", Batch: 100, Drop: 50},
		"n-slack, fixed precision": &NSlack{Epsilon: eps, Precision: "fixed", QP: "coordinate", Batch: 3},
	}
}

// bestOf brackets the optimum to 1.5e-9.
func bestOf(t *testing.T, p *models.Risk) end {
	t.Helper()
	return endOf(t, &OneSlack{Epsilon: 1e-9, Cache: 10, CacheRule: "svmstruct", Step: "qp", Workers: 1}, p)
}
