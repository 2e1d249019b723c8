package eg_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gaplab/gaplab/models"
)

// tagChain is a chain of two tags with real features, short enough to list its labellings. Part 2t + tag has the score
// x_t·w_tag. The last four parts are the transitions; all positions share them, so their marginals are expected counts.
type tagChain struct {
	x   [][2]float64 // two features per position
	all []models.Vertex
}

const tagDim = 4 + 4 // features by tag, transitions

var _ models.Gram = (*tagChain)(nil)

// chainProblem returns the dual for n = 5 chains of two to four positions at C = 2.
func chainProblem(loss models.Loss) *listed {
	rng := rand.New(rand.NewPCG(7, 7))
	const n, c = 5, 2.0
	p := &models.Risk{Weights: models.Weights{Dim: tagDim}, Lambda: c / n, Loss: loss}
	var chains []*tagChain
	for i := range n {
		m := newTagChain(rng, 2+i%3)
		truth := m.all[rng.IntN(len(m.all))]
		cost := make([]float64, 2*len(m.x)) // one for each wrong tag; transitions cost nothing
		for r := range cost {
			if !slices.Contains(truth, r) {
				cost[r] = 1
			}
		}
		p.Examples = append(p.Examples, models.Example{Features: m, Max: m, Exp: m, Truth: truth, Cost: cost})
		chains = append(chains, m)
	}
	return list(p, func(i int) []models.Vertex { return chains[i].all })
}

func newTagChain(rng *rand.Rand, length int) *tagChain {
	m := &tagChain{x: make([][2]float64, length)}
	for t := range m.x {
		m.x[t] = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
	}
	for code := range 1 << length {
		var y models.Vertex
		for t := range length {
			y = append(y, 2*t+code>>t&1)
			if t > 0 {
				y = append(y, 2*length+2*(code>>(t-1)&1)+code>>t&1)
			}
		}
		slices.Sort(y)
		m.all = append(m.all, y)
	}
	return m
}

func (m *tagChain) Parts() int { return 2*len(m.x) + 4 }

func (m *tagChain) Score(theta, w []float64) {
	for t, x := range m.x {
		theta[2*t], theta[2*t+1] = x[0]*w[0]+x[1]*w[1], x[0]*w[2]+x[1]*w[3]
	}
	copy(theta[2*len(m.x):], w[4:])
}

func (m *tagChain) AddAdjoint(w []float64, c float64, mu []float64) {
	for t, x := range m.x {
		for f := range 2 {
			w[f] += c * x[f] * mu[2*t]
			w[2+f] += c * x[f] * mu[2*t+1]
		}
	}
	for r, v := range mu[2*len(m.x):] {
		w[4+r] += c * v
	}
}

// NormSq returns |Aᵀv|².
func (m *tagChain) NormSq(v []float64) float64 {
	w := make([]float64, tagDim)
	m.AddAdjoint(w, 1, v)
	return inner(w, w)
}

func (m *tagChain) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	best := m.all[0]
	for _, y := range m.all {
		if y.Dot(theta) > best.Dot(theta) {
			best = y
		}
	}
	return append(dst[:0], best...), best.Dot(theta)
}

// LogSum computes the forward-backward recursion, which the list of labellings checks.
func (m *tagChain) LogSum(mu, theta []float64) float64 {
	length, trans := len(m.x), theta[2*len(m.x):]
	tag := func(t, a int) float64 { return theta[2*t+a] }
	forward, backward := make([][2]float64, length), make([][2]float64, length)
	forward[0] = [2]float64{tag(0, 0), tag(0, 1)}
	for t := 1; t < length; t++ {
		for b := range 2 {
			forward[t][b] = tag(t, b) + logAdd(forward[t-1][0]+trans[b], forward[t-1][1]+trans[2+b])
		}
	}
	for t := length - 2; t >= 0; t-- {
		for a := range 2 {
			backward[t][a] = logAdd(trans[2*a]+tag(t+1, 0)+backward[t+1][0], trans[2*a+1]+tag(t+1, 1)+backward[t+1][1])
		}
	}
	logZ := logAdd(forward[length-1][0], forward[length-1][1])
	if mu == nil {
		return logZ
	}
	out := make([]float64, m.Parts()) // mu may be theta
	for t := range length {
		for a := range 2 {
			out[2*t+a] = math.Exp(forward[t][a] + backward[t][a] - logZ)
			for b := range 2 {
				if t > 0 {
					out[2*length+2*a+b] += math.Exp(forward[t-1][a] + trans[2*a+b] + tag(t, b) + backward[t][b] - logZ)
				}
			}
		}
	}
	copy(mu, out)
	return logZ
}

func logAdd(a, b float64) float64 {
	top := math.Max(a, b)
	return top + math.Log1p(math.Exp(math.Min(a, b)-top))
}
