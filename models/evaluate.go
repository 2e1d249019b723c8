package models

import (
	"math"
	"sync"
)

// Sums over examples are taken in fixed blocks, and the blocks added in order: the bits of a result do not depend
// on the number of workers. Gradients keep one partial vector per block: fewer blocks where vectors are long.
const (
	valueBlocks    = 64
	gradientBlocks = 8       // at most
	gradientFloats = 1 << 24 // in the partial vectors together, unless two have more
)

// workspace is the memory of a loop over a block of examples: scores, marginals, a labelling, and sums over the
// examples.
type workspace struct {
	theta, mu           []float64
	y                   Vertex
	features            []float64 // Σ A_iᵀ(μ_i − 1_{y_i})/n, a partial gradient; or another vector of length Dim
	loss, entropy, cost float64
}

// sums is how an objective adds up over its examples.
type sums struct {
	workers int                // goroutines; 0 is 1
	clocked func(share func()) // calls the share of a loop that a goroutine of its own has; nil: nobody clocks it
	spaces  *sync.Pool         // of workspaces, shared by copies of the objective; nil: each pass makes its own
}

// InBlocks is InBlocks on as many goroutines as Parallel says.
func (p *sums) InBlocks(n, blocks int, f func(block, lo, hi int)) {
	if p.clocked == nil {
		InBlocks(n, blocks, p.workers, f)
		return
	}
	inBlocks(n, blocks, p.workers, p.clocked, f)
}

// inPieces cuts a vector's n components into pieces and calls f for each, on several goroutines if it is long enough
// for one to be worth its start.
func (p *sums) inPieces(n int, f func(lo, hi int)) {
	if n < 1<<15 {
		f(0, n)
		return
	}
	p.InBlocks(n, valueBlocks, func(_, lo, hi int) { f(lo, hi) })
}

func newSums() sums { return sums{spaces: new(sync.Pool)} }

// space is a workspace, from an earlier pass over the same task if there was one: batch methods make one or two passes
// per iteration, and the partial gradients are long. Unlike in a scratch.Pool they are not kept for ever: the garbage
// collector frees unused ones.
func (p *sums) space() *workspace {
	if p.spaces != nil {
		if x, ok := p.spaces.Get().(*workspace); ok {
			return x
		}
	}
	return new(workspace)
}

// done gives a workspace back.
func (p *sums) done(x *workspace) {
	if p.spaces != nil {
		p.spaces.Put(x)
	}
}

// losses is Σ_i of(φ_i(A_i w)).
func (p *sums) losses(examples []Example, loss Loss, w []float64, of func(float64) float64) float64 {
	var blocks [valueBlocks]float64
	p.InBlocks(len(examples), valueBlocks, func(b, lo, hi int) {
		x := p.space()
		defer p.done(x)
		for i := lo; i < hi; i++ {
			e := &examples[i]
			x.theta = Resize(x.theta, e.Features.Parts())
			e.Features.Score(x.theta, w)
			var v float64
			v, x.y = loss.value(e, x.theta, x.y)
			if of != nil {
				v = of(v)
			}
			blocks[b] += v
		}
	})
	return total(blocks[:])
}

// blocks is the number of partial gradients: it depends on nothing but Dim.
func (p *Risk) blocks() int {
	return min(gradientBlocks, max(2, gradientFloats/max(1, p.Dim)))
}

// Primal is P(w). Cost: one Score and one oracle call (value only) per example.
func (p *Risk) Primal(w []float64) float64 {
	p.check(w)
	return p.Lambda/2*p.NormSq(w) + p.losses(p.Examples, p.Loss, w, nil)/float64(len(p.Examples))
}

// Gradient returns P(w) and writes ∇P(w) = λ w + 1/n Σ A_iᵀ(μ_i − 1_{y_i}) into g; a subgradient for the hinge.
// With a Norm it is the gradient in the space of functions, in the basis of w: |∇P|² is gᵀK g.
// Cost: one Score, one oracle call and one AddAdjoint per example; 2 to 8 times Dim floats of scratch.
func (p *Risk) Gradient(g, w []float64) float64 {
	value, _ := p.gradient(g, w, p.Loss)
	return value
}

// gradient evaluates P with another loss in place of p.Loss, and the mean entropy of the induced distributions.
func (p *Risk) gradient(g, w []float64, loss Loss) (value, entropy float64) {
	if len(g) != len(w) {
		panic("models: len(g) != len(w)")
	}
	p.inPieces(len(g), func(lo, hi int) {
		for j := lo; j < hi; j++ {
			g[j] = p.Lambda * w[j]
		}
	})
	m := p.AddExpectations(g, w, loss)
	return p.Lambda/2*p.NormSq(w) + m.Loss, m.Entropy
}

// Moments are means over the examples, under the distributions that a loss φ induces at weights w.
type Moments struct {
	Loss    float64 // φ_i(A_i w)
	Entropy float64 // H of the distribution; 0 for a loss without a temperature, whose distribution is one labelling
	Cost    float64 // κ cost_i·μ_i, the expected label loss
}

// AddExpectations adds 1/n Σ A_iᵀ(μ_i − 1_{y_i}) to g, where μ_i are the marginals that the loss induces at A_i w:
// minus the expected differences of features, and the gradient of the mean loss. Any loss that Loss.Marginals takes
// will do, p.Loss or another. Cost: one Score, one oracle call and one AddAdjoint per example; 2 to 8 times Dim floats
// of scratch.
func (p *Risk) AddExpectations(g, w []float64, loss Loss) Moments {
	return p.AddExpectationsOf(g, w, loss, nil)
}

// AddExpectationsOf is AddExpectations that also passes the marginals μ_i of each example to each, from several
// goroutines, in any order; μ_i is borrowed.
func (p *Risk) AddExpectationsOf(g, w []float64, loss Loss, each func(i int, mu []float64)) Moments {
	p.check(w)
	p.check(g)
	var partial [gradientBlocks]*workspace
	blocks := p.blocks()
	p.InBlocks(len(p.Examples), blocks, func(b, lo, hi int) {
		partial[b] = p.expectations(lo, hi, w, loss, each)
	})
	p.inPieces(len(g), func(lo, hi int) {
		for _, x := range partial[:blocks] {
			for j, v := range x.features[lo:hi] {
				g[lo+j] += v
			}
		}
	})
	var m Moments
	for _, x := range partial[:blocks] {
		m.Loss += x.loss
		m.Entropy += x.entropy
		m.Cost += x.cost
		p.done(x)
	}
	n := float64(len(p.Examples))
	return Moments{Loss: m.Loss / n, Entropy: m.Entropy / n, Cost: m.Cost / n}
}

// expectations are the sums of AddExpectationsOf over the examples lo to hi − 1.
func (p *Risk) expectations(lo, hi int, w []float64, loss Loss, each func(i int, mu []float64)) *workspace {
	n := float64(len(p.Examples))
	x := p.space()
	x.features = Resize(x.features, len(w))
	clear(x.features)
	x.loss, x.entropy, x.cost = 0, 0, 0
	for i := lo; i < hi; i++ {
		e := &p.Examples[i]
		x.theta, x.mu = Resize(x.theta, e.Features.Parts()), Resize(x.mu, e.Features.Parts())
		theta, mu := x.theta, x.mu
		e.Features.Score(theta, w)
		truth := e.Truth.Dot(theta)
		var v float64
		v, x.y = loss.Marginals(mu, e, theta, x.y)
		x.loss += v
		if loss.Temp > 0 { // theta now holds the augmented scores s, and H = log Σ exp(s·y) − μ·s
			x.entropy += (v+truth)/loss.Temp - dot(mu, theta)
		}
		if loss.Margin != 0 {
			x.cost += loss.Margin * dot(e.Cost, mu)
		}
		if each != nil {
			each(i, mu)
		}
		for _, r := range e.Truth {
			mu[r]--
		}
		e.Features.AddAdjoint(x.features, 1/n, mu)
	}
	return x
}

// Bound returns a lower bound on min P from w alone, for solvers that keep no dual: the dual value at the
// distributions that w induces. With τ > 0 that value is exactly
//
//	D = P(w) − |∇P(w)|² / 2λ,
//
// since w(α) = w − ∇P(w)/λ. For the hinge the distributions are those of the loss smoothed with a temperature τ, and
//
//	D = P_τ(w) − |∇P_τ(w)|² / 2λ − τ · mean entropy;
//
// the best over several temperatures is returned. Each of them is valid, but loose. Bound costs one Gradient per
// temperature; it is NaN where there is no exp-oracle, and for inexact directions.
func (p *Risk) Bound(w []float64) float64 {
	if p.Inexact || p.Loss.Slack || len(p.Examples) == 0 || p.Examples[0].Exp == nil ||
		p.Examples[0].ZeroOne > 0 && p.Loss.Margin != 0 {
		return math.NaN()
	}
	g := make([]float64, len(w))
	if p.Loss.Smooth() {
		value := p.Gradient(g, w)
		return value - p.NormSq(g)/(2*p.Lambda)
	}
	best := math.Inf(-1)
	for _, temp := range []float64{1, 0.3, 0.1, 0.03, 0.01} {
		loss := p.Loss
		loss.Temp = temp
		value, entropy := p.gradient(g, w, loss)
		best = math.Max(best, value-p.NormSq(g)/(2*p.Lambda)-temp*entropy)
	}
	return best
}

// Evaluate returns the metrics of the predictions argmax_y A_i w · 1_y on the validation examples, by name.
func (t *Task) Evaluate(w []float64, workers int) map[string]float64 {
	if len(t.Validation) == 0 || len(t.Metrics) == 0 {
		return nil
	}
	return t.Counts(t.Scores(w), workers).Metrics()
}

// Scores are the part scores A_i w of the validation examples, for Counts.
func (t *Task) Scores(w []float64) func(theta []float64, i int) []float64 {
	return func(theta []float64, i int) []float64 {
		t.Validation[i].Features.Score(theta, w)
		return theta
	}
}

// Counts are the numerators and denominators of each metric of a task, by validation example.
type Counts struct {
	Names    []string    // of the metrics
	Num, Den [][]float64 // Num[m][i] of metric m and example i
}

// Counts scores the best labellings of the validation examples i under part scores. The function that gives these may
// write them into theta and return it, or return a slice of its own; it is called from several goroutines. Without
// validation examples there are none.
func (t *Task) Counts(scores func(theta []float64, i int) []float64, workers int) Counts {
	var c Counts
	n := len(t.Validation)
	if n == 0 {
		return c
	}
	for _, m := range t.Metrics {
		c.Names = append(c.Names, m.Name)
		c.Num, c.Den = append(c.Num, make([]float64, n)), append(c.Den, make([]float64, n))
	}
	InBlocks(n, valueBlocks, workers, func(b, lo, hi int) {
		var x workspace
		for i := lo; i < hi; i++ {
			e := &t.Validation[i]
			x.theta = Resize(x.theta, e.Features.Parts())
			theta, certified := scores(x.theta, i), 0.0
			if oracle, ok := e.Max.(Certifier); ok {
				var best bool
				if x.y, _, best = oracle.MaxCertified(x.y, theta); best {
					certified = 1
				}
			} else {
				x.y, _ = e.Max.Max(x.y, theta)
			}
			for m, metric := range t.Metrics {
				if metric.Certified {
					c.Num[m][i], c.Den[m][i] = certified, 1
					continue
				}
				c.Num[m][i], c.Den[m][i] = metric.Of(x.y, e)
			}
		}
	})
	return c
}

// Metrics are the ratios of the sums over the examples, by name.
func (c Counts) Metrics() map[string]float64 {
	out := make(map[string]float64, len(c.Names))
	for m, name := range c.Names {
		out[name] = total(c.Num[m]) / total(c.Den[m])
	}
	return out
}

func (p *Risk) check(w []float64) {
	if len(w) != p.Dim {
		panic("models: len(w) != Dim")
	}
}

// Resize returns a slice of length n, v's memory where that suffices. Contents are undefined.
func Resize(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

func normSq(v []float64) float64 { return dot(v, v) }

// NormSq is the squared norm of the function that v represents: vᵀK v in the basis of a kernel expansion.
func (p *Risk) NormSq(v []float64) float64 {
	if p.Norm == nil {
		return normSq(v)
	}
	x := p.space()
	defer p.done(x)
	x.features = Resize(x.features, len(v))
	p.Norm(x.features, v)
	return dot(v, x.features)
}

func dot(a, b []float64) float64 {
	var s float64
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

func total(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}
