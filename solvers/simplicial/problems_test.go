package simplicial

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
)

// hmm is a hidden Markov model whose parameters are the initial distribution, the transitions and the emissions, in
// this order.
type hmm struct{ states, symbols int }

func (m hmm) start() []int {
	out := []int{0, m.states}
	for range m.states {
		out = append(out, out[len(out)-1]+m.states)
	}
	for range m.states {
		out = append(out, out[len(out)-1]+m.symbols)
	}
	return out
}

// hmmMap are the scores of a chain with tied transitions: log emissions, at the first position plus the log initial
// probabilities, then the log transitions.
type hmmMap struct {
	hmm
	symbols []int
}

func (f hmmMap) Parts() int { return len(f.symbols)*f.states + f.states*f.states }

func (f hmmMap) Score(theta, w []float64) {
	k, emissions := f.states, f.states+f.states*f.states
	for t, o := range f.symbols {
		for y := range k {
			theta[t*k+y] = w[emissions+y*f.hmm.symbols+o]
			if t == 0 {
				theta[y] += w[y]
			}
		}
	}
	copy(theta[len(f.symbols)*k:], w[k:k+k*k])
}

func (f hmmMap) AddAdjoint(w []float64, c float64, mu []float64) {
	k, emissions := f.states, f.states+f.states*f.states
	for t, o := range f.symbols {
		for y := range k {
			w[emissions+y*f.hmm.symbols+o] += c * mu[t*k+y]
			if t == 0 {
				w[y] += c * mu[y]
			}
		}
	}
	for j, v := range mu[len(f.symbols)*k:] {
		w[k+j] += c * v
	}
}

// ringTask returns sequences of a ring of states: a deterministic step, with probability p a random one; the own
// symbol, with probability q a random one, in the states that have one. The label loss is the distance along the ring.
func ringTask(tb testing.TB, m hmm, n, length int, p, q float64, seed uint64) *models.Task {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	data := &datasets.Sequences{Start: []int{0}, Labels: make([]string, m.states)}
	observed := make([][]int, n)
	for i := range n {
		state := rng.IntN(m.states)
		for range length {
			symbol := rng.IntN(m.symbols)
			if state < m.symbols && rng.Float64() > q {
				symbol = state
			}
			observed[i] = append(observed[i], symbol)
			data.Y = append(data.Y, state)
			if rng.Float64() < p {
				state = rng.IntN(m.states)
			} else {
				state = (state + 1) % m.states
			}
		}
		data.Start = append(data.Start, len(data.Y))
	}
	data.X = datasets.Rows{N: len(data.Y), Dim: 1, Value: make([]float64, len(data.Y))}
	task, err := chain.Model{Edges: "tied"}.Build(data, nil)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range task.Train {
		e := &task.Train[i]
		e.Features = hmmMap{m, observed[i]}
		for t, y := range data.Y[data.Start[i]:data.Start[i+1]] {
			for s := range m.states {
				d := math.Abs(float64(s - y))
				e.Cost[t*m.states+s] = min(d, float64(m.states)-d)
			}
		}
	}
	task.Unknowns = generativeOf(m.start(), 0.1)
	return task
}

// generativeOf returns the task as a generative model with uniform priors.
func generativeOf(start []int, eta float64) *models.Distributions {
	dim := start[len(start)-1]
	g := &models.Distributions{First: start, Eta: eta, Prior: make([]float64, dim)}
	for i := range g.Vectors() {
		for j := start[i]; j < start[i+1]; j++ {
			g.Prior[j] = 1 / float64(start[i+1]-start[i])
		}
	}
	return g
}

// ringProblem returns a small problem of ringTask.
func ringProblem(tb testing.TB) *models.Generative {
	return ringTask(tb, hmm{3, 2}, 6, 4, 0.3, 0.3, 7).Objective(models.Hinge(), 0).(*models.Generative)
}

// bayesMap are the scores of the classes of a naive Bayes model: log P(class), then for each class and each feature
// the log probabilities of its values.
type bayesMap struct {
	classes, values int
	features        []int
}

func (f bayesMap) Parts() int { return f.classes }

func (f bayesMap) at(class, feature int) int {
	return f.classes + (class*len(f.features)+feature)*f.values + f.features[feature]
}

func (f bayesMap) Score(theta, w []float64) {
	for c := range theta {
		theta[c] = w[c]
		for j := range f.features {
			theta[c] += w[f.at(c, j)]
		}
	}
}

func (f bayesMap) AddAdjoint(w []float64, c float64, mu []float64) {
	for class, v := range mu {
		w[class] += c * v
		for j := range f.features {
			w[f.at(class, j)] += c * v
		}
	}
}

// classOracle lists the classes.
type classOracle struct{}

func (classOracle) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	best := 0
	for c, v := range theta {
		if v > theta[best] {
			best = c
		}
	}
	return append(dst[:0], best), theta[best]
}

func (classOracle) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	best, value := truth[0], 0.0
	for c, v := range theta {
		if x := cost[c] * (1 + v - theta[truth[0]]); x > value {
			best, value = c, x
		}
	}
	return append(dst[:0], best), value
}

// bayesProblem returns a problem of three classes with informative features and label losses that differ.
func bayesProblem(tb testing.TB) *models.Generative {
	tb.Helper()
	const classes, features, values = 3, 3, 2
	rng := rand.New(rand.NewPCG(3, 3))
	start := []int{0, classes}
	for range classes * features {
		start = append(start, start[len(start)-1]+values)
	}
	task := &models.Task{Unknowns: generativeOf(start, 0.3)}
	for range 20 {
		truth, f := rng.IntN(classes), bayesMap{classes, values, make([]int, features)}
		for j := range f.features {
			if f.features[j] = rng.IntN(values); rng.IntN(3) > 0 {
				f.features[j] = (truth >> j) & 1
			}
		}
		cost := []float64{1, 2, 1}
		cost[truth] = 0
		task.Train = append(task.Train,
			models.Example{Features: f, Max: classOracle{}, Slack: classOracle{}, Truth: models.Vertex{truth}, Cost: cost})
	}
	return task.Objective(models.Hinge(), 0).(*models.Generative)
}

// pull are terms other than −c x: a weak quadratic that pulls towards 1/e, with eˣ, whose slope has a limit, in every
// other component.
type pull struct{}

func (pull) At(j int, x float64) (value, slope, curvature float64) {
	if j%2 == 0 {
		return 0.1 * (x + 1) * (x + 1), 0.2 * (x + 1), 0.2
	}
	return math.Exp(x) - 0.3*x, math.Exp(x) - 0.3, math.Exp(x)
}

func (pull) Tail(j int) float64 {
	if j%2 == 0 {
		return math.Inf(-1)
	}
	return -0.3
}

// rsdCase is a problem of which all labellings can be listed.
type rsdCase struct {
	name string
	p    *models.Generative
}

func rsdCases(tb testing.TB) []rsdCase {
	with := func(p *models.Generative, change func(p *models.Generative, g *models.Distributions)) *models.Generative {
		change(p, p.Distributions)
		return p
	}
	return []rsdCase{
		{"hmm", ringProblem(tb)},
		{"bayes", bayesProblem(tb)},
		{"hmm, loss-rescaled slack",
			with(ringProblem(tb), func(p *models.Generative, _ *models.Distributions) { p.Loss = models.Slack() })},
		{"bayes, loss-rescaled slack",
			with(bayesProblem(tb), func(p *models.Generative, _ *models.Distributions) { p.Loss = models.Slack() })},
		{"hmm, quadratic penalty",
			with(ringProblem(tb), func(_ *models.Generative, g *models.Distributions) { g.Quadratic = true })},
		{"bayes, quadratic penalty",
			with(bayesProblem(tb), func(_ *models.Generative, g *models.Distributions) { g.Quadratic = true })},
		{"hmm, other terms", with(ringProblem(tb),
			func(_ *models.Generative, g *models.Distributions) { g.Terms, g.Prior = pull{}, nil })},
		{"bayes, large eta", with(bayesProblem(tb), func(_ *models.Generative, g *models.Distributions) { g.Eta = 5 })},
	}
}

// labellings returns all labellings of an example.
func labellings(e *models.Example) []models.Vertex {
	var out []models.Vertex
	switch f := e.Features.(type) {
	case bayesMap:
		for c := range f.classes {
			out = append(out, models.Vertex{c})
		}
	case hmmMap:
		k, l := f.states, len(f.symbols)
		for code := range int(math.Pow(float64(k), float64(l))) {
			y := make(models.Vertex, 0, 2*l-1)
			for t := range l {
				y = append(y, t*k+code%k)
				code /= k
			}
			for t := range l - 1 {
				y = append(y, l*k+(y[t]-t*k)*k+y[t+1]-(t+1)*k)
			}
			slices.Sort(y[l:])
			out = append(out, y)
		}
	}
	return out
}

// margin is a constraint a·θ + b ≤ ε_k.
type margin struct {
	k int
	a []float64
	b float64
}

// margins lists all constraints.
func margins(p *models.Generative) []margin {
	var out []margin
	for k := range p.Examples {
		e := &p.Examples[k]
		for _, y := range labellings(e) {
			m := margin{k, make([]float64, p.Dim()), e.LabelLoss(y)}
			mu := make([]float64, e.Features.Parts())
			for _, r := range y {
				mu[r]++
			}
			for _, r := range e.Truth {
				mu[r]--
			}
			c := 1.0
			if p.Loss.Slack {
				c = m.b
			}
			e.Features.AddAdjoint(m.a, c, mu)
			out = append(out, m)
		}
	}
	return out
}
