package eg_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers/eg"
)

// listed is the dual of a problem whose labellings can all be listed. It uses the symbols and definitions of the paper
// (eg, sections 2 and 5), and shares no code with the solver. There is one variable α_iy for each example i and
// labelling y, with cost e_iy; Q = −n·dual is to be minimised; C = λn; w(α) is C times the weights of the solver. The
// log loss has τ = 1 and κ = 0, the hinge τ = 0 and κ = 1. A_i is the feature map.
//
//	Q(α) = Σ_iy [τ α_iy log α_iy − κ e_iy α_iy] + |w(α)|²/2C,   w(α) = Σ_iy α_iy ψ_iy,   ψ_iy = A_iᵀ(1_{y_i} − 1_y)
type listed struct {
	*models.Risk
	labels [][]models.Vertex
	psi    [][][]float64
	cost   [][]float64 // e_iy: cost of labelling y in example i
	c      float64
	a      float64 // |A|∞: the largest |ψ_iy·ψ_jz|/C over all pairs (i, y) and (j, z)
	seen   *witness
}

// point holds the dual variables α: for each example, one distribution over its labellings.
type point [][]float64

// witness stores what the exp-oracles see: the scores and the marginals of the last call for each example, and the
// examples of all calls in order. At a constant rate every call is an update of EG, so these are also the scores and
// the marginals inside the solver.
type witness struct {
	scores, mu [][]float64
	calls      []int
}

// seenExp is the exp-oracle of example i, whose calls a witness stores.
type seenExp struct {
	models.ExpOracle
	w *witness
	i int
}

func (o seenExp) LogSum(mu, theta []float64) float64 {
	scores := slices.Clone(theta)
	v := o.ExpOracle.LogSum(mu, theta)
	o.w.scores[o.i], o.w.mu[o.i] = scores, slices.Clone(mu)
	o.w.calls = append(o.w.calls, o.i)
	return v
}

func list(p *models.Risk, labellings func(i int) []models.Vertex) *listed {
	n := len(p.Examples)
	l := &listed{Risk: p, c: p.Lambda * float64(n),
		seen: &witness{scores: make([][]float64, n), mu: make([][]float64, n)}}
	p.Examples = slices.Clone(p.Examples)
	for i := range p.Examples {
		e := &p.Examples[i]
		e.Exp = seenExp{e.Exp, l.seen, i}
		all := labellings(i)
		psi, cost := make([][]float64, len(all)), make([]float64, len(all))
		for k, y := range all {
			v := make([]float64, e.Features.Parts())
			for _, r := range e.Truth {
				v[r]++
			}
			for _, r := range y {
				v[r]--
				if r < len(e.Cost) {
					cost[k] += e.Cost[r]
				}
			}
			psi[k] = make([]float64, p.Dim)
			e.Features.AddAdjoint(psi[k], 1, v)
		}
		l.labels, l.psi, l.cost = append(l.labels, all), append(l.psi, psi), append(l.cost, cost)
	}
	every := slices.Concat(l.psi...)
	for r, x := range every {
		for _, y := range every[r:] {
			l.a = math.Max(l.a, math.Abs(inner(x, y))/l.c)
		}
	}
	return l
}

// gibbs returns the dual variables with α_iy ∝ exp(score of labelling y), given the part scores of each example.
func (l *listed) gibbs(scores [][]float64) point {
	a := make(point, len(scores))
	for i, s := range scores {
		a[i] = make([]float64, len(l.labels[i]))
		for k, y := range l.labels[i] {
			a[i][k] = y.Dot(s)
		}
		softmax(a[i])
	}
	return a
}

func (l *listed) uniform() point {
	a := make(point, len(l.labels))
	for i, all := range l.labels {
		a[i] = slices.Repeat([]float64{1 / float64(len(all))}, len(all))
	}
	return a
}

// random returns a random point in the interior of the simplices; for a large scale it is near a vertex.
func (l *listed) random(rng *rand.Rand, scale float64) point {
	a := l.uniform()
	for _, d := range a {
		for k := range d {
			d[k] = scale * rng.NormFloat64()
		}
		softmax(d)
	}
	return a
}

func (l *listed) w(a point) []float64 {
	w := make([]float64, l.Dim)
	for i, d := range a {
		for k, p := range d {
			for j, x := range l.psi[i][k] {
				w[j] += p * x
			}
		}
	}
	return w
}

func (l *listed) q(a point) float64 {
	w := l.w(a)
	q := inner(w, w) / (2 * l.c)
	for i, d := range a {
		for k, p := range d {
			if p > 0 {
				q += l.Loss.Temp * p * math.Log(p)
			}
			q -= l.Loss.Margin * l.cost[i][k] * p
		}
	}
	return q
}

// gradient returns ∂Q/∂α_i, the derivative of Q (see listed) for example i, at the point a; w is w(a).
func (l *listed) gradient(a point, w []float64, i int) []float64 {
	g := make([]float64, len(a[i]))
	for k, p := range a[i] {
		g[k] = l.Loss.Temp*(1+math.Log(p)) - l.Loss.Margin*l.cost[i][k] + inner(w, l.psi[i][k])/l.c
	}
	return g
}

// step returns the update of figures 1 and 2 of the paper for the distribution d of one example: α_iy ∝ α_iy exp(−η
// ∂Q/∂α_iy), with the learning rate η = eta.
func step(d, gradient []float64, eta float64) []float64 {
	out := make([]float64, len(d))
	for k, p := range d {
		out[k] = math.Log(p) - eta*gradient[k]
	}
	softmax(out)
	return out
}

// bregman returns the Bregman divergence of Q (see listed): B_Q[p‖q] = Q(p) − Q(q) − ∇Q(q)·(p − q).
func (l *listed) bregman(p, q point) float64 {
	w, b := l.w(q), l.q(p)-l.q(q)
	for i := range p {
		for k, g := range l.gradient(q, w, i) {
			b -= g * (p[i][k] - q[i][k])
		}
	}
	return b
}

// divergence returns the Kullback-Leibler divergence D[p‖q] = Σ_iy p_iy log(p_iy / q_iy).
func divergence(p, q point) float64 {
	var d float64
	for i := range p {
		for k, x := range p[i] {
			if x > 0 {
				d += x * math.Log(x/q[i][k])
			}
		}
	}
	return d
}

// eg returns the online or batch solver. Its learning rate is factor times the largest rate that the theorems allow.
func (l *listed) eg(order string, factor float64) *eg.Solver {
	a := l.a
	if order == "batch" {
		a *= float64(len(l.Examples))
	}
	return &eg.Solver{Order: order, Rate: "constant", Eta: factor / (l.Loss.Temp + a)}
}

func softmax(v []float64) {
	top, z := slices.Max(v), 0.0
	for k, x := range v {
		v[k] = math.Exp(x - top)
		z += v[k]
	}
	for k := range v {
		v[k] /= z
	}
}

func inner(a, b []float64) float64 {
	var s float64
	for j, x := range a {
		s += x * b[j]
	}
	return s
}

// listedProblems returns chains and points of four classes, each with the log loss and the hinge.
func listedProblems(t *testing.T) map[string]*listed {
	t.Helper()
	out := map[string]*listed{}
	for name, loss := range map[string]models.Loss{"log": models.LogLoss(), "hinge": models.Hinge()} {
		out["chains, "+name] = chainProblem(t, loss)
		out["classes, "+name] = classProblem(t, loss)
	}
	return out
}

// chainProblem returns the dual for five chains of two to four positions with two tags, at C = 2. All positions share
// the transition scores, so the marginals of transitions are expected counts.
func chainProblem(t *testing.T, loss models.Loss) *listed {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	const n, c = 5, 2.0
	d := &datasets.Sequences{X: datasets.Rows{Dim: 2}, Start: []int{0}, Labels: []string{"a", "b"}}
	for i := range n {
		for range 2 + i%3 {
			d.X.N++
			d.X.Value = append(d.X.Value, rng.NormFloat64(), rng.NormFloat64())
			d.Y = append(d.Y, rng.IntN(2))
		}
		d.Start = append(d.Start, d.X.N)
	}
	task, err := chain.New().Build(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := task.Objective(loss, c/n).(*models.Risk)
	return list(p, func(i int) []models.Vertex { return examples.Chains(2, false)(&p.Examples[i]) })
}

// classProblem returns the dual for multinomial classification of six points at C = 20.
func classProblem(t *testing.T, loss models.Loss) *listed {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	const n, dim, c = 6, 5, 20.0
	d := &datasets.Labelled{X: datasets.Rows{N: n, Dim: dim}, Classes: []string{"a", "b", "c", "d"}}
	for i := range n {
		for range dim {
			d.X.Value = append(d.X.Value, rng.NormFloat64())
		}
		d.Y = append(d.Y, i%len(d.Classes))
	}
	task, err := multiclass.Model{}.Build(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list(task.Objective(loss, c/n).(*models.Risk),
		func(int) []models.Vertex { return []models.Vertex{{0}, {1}, {2}, {3}} })
}
