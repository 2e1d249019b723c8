package modeltest_test

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// toy is a model with tied parts for the tests of the suite. It has three positions with the tag 0 or 1. Part 2t + a is
// the tag a at position t, and part 6 + 2a + b is a transition from tag a to tag b. A labelling has two transitions.
// All oracles enumerate the labellings.
type toy struct {
	x [3]float64 // one feature per position
}

const (
	toyParts = 10
	toyDim   = 6 // one weight of the feature for each tag, then one for each transition
)

func toyLabellings() []models.Vertex {
	var all []models.Vertex
	for code := range 8 {
		a, b, c := code>>2, code>>1&1, code&1
		first, second := 6+2*a+b, 6+2*b+c
		all = append(all, models.Vertex{a, 2 + b, 4 + c, min(first, second), max(first, second)})
	}
	return all
}

func toyTask() *models.Task {
	task := &models.Task{Model: "toy", Unknowns: models.Weights{Dim: toyDim}}
	oracles := toyOracles{toyLabellings()}
	for _, x := range [][3]float64{{1, -2, 0.5}, {0, 1, 1}} {
		task.Train = append(task.Train, models.Example{
			Features: &toy{x}, Max: oracles, Exp: oracles, Slack: oracles, Second: oracles,
			Truth: oracles.all[3], Cost: []float64{0, 1, 1, 0, 1, 0, 0, 0, 0, 0},
		})
	}
	return task
}

func (m *toy) Parts() int { return toyParts }

func (m *toy) Score(theta, w []float64) {
	check(len(theta), toyParts)
	check(len(w), toyDim)
	for t, x := range m.x {
		theta[2*t], theta[2*t+1] = x*w[0], x*w[1]
	}
	copy(theta[6:], w[2:])
}

func (m *toy) AddAdjoint(w []float64, c float64, mu []float64) {
	check(len(mu), toyParts)
	check(len(w), toyDim)
	for t, x := range m.x {
		w[0] += c * x * mu[2*t]
		w[1] += c * x * mu[2*t+1]
	}
	for r, v := range mu[6:] {
		w[2+r] += c * v
	}
}

func check(got, want int) {
	if got != want {
		panic("toy: wrong length")
	}
}

type toyOracles struct{ all []models.Vertex }

func (o toyOracles) argmax(dst models.Vertex, value func(models.Vertex) float64) (models.Vertex, float64) {
	best, top := 0, math.Inf(-1)
	for i, y := range o.all {
		if v := value(y); v > top {
			best, top = i, v
		}
	}
	return append(dst[:0], o.all[best]...), top
}

func (o toyOracles) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	check(len(theta), toyParts)
	return o.argmax(dst, func(y models.Vertex) float64 { return y.Dot(theta) })
}

func (o toyOracles) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	check(len(theta), toyParts)
	check(len(cost), toyParts)
	return o.argmax(dst, func(y models.Vertex) float64 { return y.Dot(cost) * (1 + y.Dot(theta) - truth.Dot(theta)) })
}

func (o toyOracles) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	check(len(theta), toyParts)
	return o.argmax(dst, func(y models.Vertex) float64 {
		if y.Equal(not) {
			return math.Inf(-1)
		}
		return y.Dot(theta)
	})
}

func (o toyOracles) LogSum(mu, theta []float64) float64 {
	check(len(theta), toyParts)
	var p [8]float64
	top, z := math.Inf(-1), 0.0
	for i, y := range o.all {
		p[i] = y.Dot(theta)
		top = math.Max(top, p[i])
	}
	for i := range p {
		p[i] = math.Exp(p[i] - top)
		z += p[i]
	}
	if mu != nil {
		check(len(mu), toyParts)
		clear(mu)
		for i, y := range o.all {
			for _, r := range y {
				mu[r] += p[i] / z
			}
		}
	}
	return top + math.Log(z)
}
