package saddle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// enumerated is a problem with the hinge and a list of all labellings. It computes the formulas of Zhang, Saha and
// Vishwanathan (2011) as they are in the paper. The comment of EGR defines the symbols. The probabilities of each
// example sum to 1, not to 1/n as in the paper.
type enumerated struct {
	*models.Risk
	labels [][]models.Vertex
	psi    [][][]float64 // feature differences ψ_i(y), by example and labelling
	loss   [][]float64   // label loss l_i(y), by example and labelling
}

// distributions contains the probability of each labelling of each example.
type distributions [][]float64

// eachEnumerated runs a subtest for a multiclass model, chains and dependency trees.
func eachEnumerated(t *testing.T, lambda float64, check func(t *testing.T, p *enumerated)) {
	t.Helper()
	for _, c := range []struct {
		name string
		task *models.Task
	}{
		{"multiclass", testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(12, 3, 4))},
		{"chain", testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 2, 3, 1, 3, 2, 4, 2, 3))},
		{"untied", testbed.TaskOf(t, chain.Model{Edges: "untied"}, testbed.ShortSequences(2, 3, 3, 2, 1, 4))},
		{"deptree", testbed.Build(t, deptree.Model{Cutoff: 2, Between: "count", Roots: "single"},
			generated.GrammarSentences{Train: 30, MaxWords: 6, Seed: 1})},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.name == "deptree" {
				t.Skip("long vectors")
			}
			p := &enumerated{Risk: c.task.Objective(models.Hinge(), lambda).(*models.Risk)}
			if c.name == "deptree" { // use only short sentences, which have few trees
				p.Examples = slices.DeleteFunc(slices.Clone(p.Examples), func(e models.Example) bool { return len(e.Truth) > 4 })
				p.Examples = p.Examples[:min(3, len(p.Examples))]
			}
			rng := rand.New(rand.NewPCG(2, 2))
			for i := range p.Examples {
				e := &p.Examples[i]
				labels := testbed.LabellingsOf(rng, e)
				var psi [][]float64
				var loss []float64
				for _, y := range labels {
					psi = append(psi, testbed.Difference(p.Dim, e, y))
					loss = append(loss, e.LabelLoss(y))
				}
				p.labels, p.psi, p.loss = append(p.labels, labels), append(p.psi, psi), append(p.loss, loss)
			}
			check(t, p)
		})
	}
}

// logLabels returns the mean of log|Y_i| over the examples, where |Y_i| is the number of labellings.
func (p *enumerated) logLabels() float64 {
	var sum float64
	for _, y := range p.labels {
		sum += math.Log(float64(len(y)))
	}
	return sum / float64(len(p.labels))
}

// radius returns R² = max |ψ_i(y)|² over all examples and labellings.
func (p *enumerated) radius() float64 {
	widest := 0.0
	for _, list := range p.psi {
		for _, psi := range list {
			widest = max(widest, dualspace.Dot(psi, psi))
		}
	}
	return widest
}

// gibbs returns the distributions whose probabilities are proportional to base_i(y) exp(s_i(y)).
func (p *enumerated) gibbs(base distributions, s func(i, y int) float64) distributions {
	out := make(distributions, len(p.labels))
	for i := range out {
		out[i] = make([]float64, len(p.labels[i]))
		top, sum := math.Inf(-1), 0.0
		for y := range out[i] {
			out[i][y] = s(i, y)
			if base != nil {
				out[i][y] += math.Log(base[i][y])
			}
			top = max(top, out[i][y])
		}
		for y, v := range out[i] {
			out[i][y] = math.Exp(v - top)
			sum += out[i][y]
		}
		dualspace.Scale(out[i], 1/sum)
	}
	return out
}

// scoreAt returns the function that computes the loss-augmented score l_i(y) − w·ψ_i(y).
func (p *enumerated) scoreAt(w []float64) func(i, y int) float64 {
	return func(i, y int) float64 { return p.loss[i][y] - dualspace.Dot(w, p.psi[i][y]) }
}

// maximiser returns α_μ(w), the maximiser of the smoothed problem, by equation (38).
func (p *enumerated) maximiser(w []float64, mu float64) distributions {
	s := p.scoreAt(w)
	return p.gibbs(nil, func(i, y int) float64 { return s(i, y) / mu })
}

// expectation returns the mean expected feature difference F(α) and the mean expected label loss ⟨l, α⟩.
func (p *enumerated) expectation(alpha distributions) (features []float64, loss float64) {
	features = make([]float64, p.Dim)
	for i, q := range alpha {
		for y, v := range q {
			v /= float64(len(alpha))
			loss += v * p.loss[i][y]
			for j, x := range p.psi[i][y] {
				features[j] += v * x
			}
		}
	}
	return features, loss
}

// weights returns w(α) = F(α)/λ, the weights that the distributions α define.
func (p *enumerated) weights(alpha distributions) []float64 {
	w, _ := p.expectation(alpha)
	dualspace.Scale(w, 1/p.Lambda)
	return w
}

// dual returns the dual value D(α), by equation (26).
func (p *enumerated) dual(alpha distributions) float64 {
	features, loss := p.expectation(alpha)
	return loss - dualspace.Dot(features, features)/(2*p.Lambda)
}

// smoothed returns the smoothed objective J_μ(w) by its definition (8), which is the value at the maximiser α_μ(w).
func (p *enumerated) smoothed(w []float64, mu float64) float64 {
	alpha := p.maximiser(w, mu)
	return p.Lambda/2*dualspace.Dot(w, w) + p.inner(w, alpha) - mu*p.divergence(alpha)
}

// inner returns the mean expected loss-augmented score, ⟨l, α⟩ − w·F(α). Zhang, Saha and Vishwanathan (2011) write it
// as ⟨Aw, α⟩ − g(α).
func (p *enumerated) inner(w []float64, alpha distributions) float64 {
	features, loss := p.expectation(alpha)
	return loss - dualspace.Dot(w, features)
}

// divergence returns d(α) = mean KL(α_i ‖ uniform), by equation (27).
func (p *enumerated) divergence(alpha distributions) float64 {
	var sum float64
	for _, q := range alpha {
		sum += math.Log(float64(len(q)))
		for _, v := range q {
			if v > 0 {
				sum += v * math.Log(v)
			}
		}
	}
	return sum / float64(len(alpha))
}

// mixed returns the mixture (1 − τ) a + τ b of two distributions for each example.
func mixed(a, b distributions, tau float64) distributions {
	out := make(distributions, len(a))
	for i := range a {
		for y := range a[i] {
			out[i] = append(out[i], (1-tau)*a[i][y]+tau*b[i][y])
		}
	}
	return out
}

// algorithm1 implements algorithm 1 of Zhang, Saha and Vishwanathan (2011) step by step, with two inferences in each
// iteration and distributions over all labellings.
type algorithm1 struct {
	p           *enumerated
	k           int
	mu          float64
	w           []float64
	alpha, beta distributions // beta is the distribution β of theorem 9
	inferences  int
	second      distributions // α̃, the result of the second inference in the last iteration
}

func newAlgorithm1(p *enumerated, lipschitz float64) *algorithm1 {
	uniform := p.gibbs(nil, func(int, int) float64 { return 0 })
	a := &algorithm1{p: p, k: 1, mu: lipschitz, w: p.weights(uniform), beta: uniform}
	gradient := p.scoreAt(a.w) // ∇D(α_0)
	a.alpha = p.gibbs(uniform, func(i, y int) float64 { return gradient(i, y) / a.mu })
	return a
}

// step makes one iteration of algorithm 1.
func (a *algorithm1) step() {
	tau := 2 / float64(a.k+3)
	first := a.p.maximiser(a.w, a.mu)
	hat := mixed(a.alpha, first, tau)
	towards := a.p.weights(hat)
	gradient := a.p.scoreAt(towards) // ∇D(α̂)
	c := tau / ((1 - tau) * a.mu)
	a.second = a.p.gibbs(first, func(i, y int) float64 { return c * gradient(i, y) })
	a.inferences += 2
	for j := range a.w {
		a.w[j] = (1-tau)*a.w[j] + tau*towards[j]
	}
	a.beta = mixed(a.beta, hat, tau)
	a.alpha = mixed(a.alpha, a.second, tau)
	a.mu *= 1 - tau
	a.k++
}
