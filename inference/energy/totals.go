package energy

import (
	"fmt"

	"github.com/gaplab/gaplab/internal/scratch"
)

// Totals applies an energy to the totals of a chain: the expected counts of labels and of pairs of neighbouring labels.
// With k labels and l positions, the argument of the energy has k + k² numbers,
//
//	U(y) = Σ_t μ_t(y),   U(y', y) = Σ_t μ_{t,t+1}(y', y)   at k + y'·k + y,
//
// for every l, and for tied or untied transitions. So one energy, such as a table of measurements, works for sequences
// of all lengths.
type Totals struct {
	labels, length int
	of             Energy
	pool           scratch.Pool[totalsScratch]
}

type totalsScratch struct{ mu, s, g []float64 }

var (
	_ Smooth     = (*Totals)(nil)
	_ Leading    = (*Totals)(nil)
	_ Parametric = (*Totals)(nil)
)

// NewTotals returns an energy that applies the given energy to the totals of a sequence. The arguments labels and
// length are the numbers of labels and positions.
func NewTotals(labels, length int, of Energy) (*Totals, error) {
	switch {
	case labels < 1 || length < 1:
		return nil, fmt.Errorf("energy: totals of %d labels at %d positions: want at least 1 of each", labels, length)
	case of == nil:
		return nil, fmt.Errorf("energy: the energy of NewTotals is nil: want the energy that the totals are for")
	}
	if e, ok := of.(Leading); ok && e.Leading() > labels+labels*labels {
		return nil, fmt.Errorf("energy: the energy reads %d counts of labels and of pairs of labels, but with %d labels "+
			"there are only %d", e.Leading(), labels, labels+labels*labels)
	}
	return &Totals{labels: labels, length: length, of: of}, nil
}

// Value implements Energy.
func (e *Totals) Value(mu []float64) float64 {
	s := e.pool.Get()
	defer e.pool.Put(s)
	s.mu = e.sum(s.mu, mu)
	return e.of.Value(s.mu)
}

// AddGradient implements Energy.
func (e *Totals) AddGradient(g, mu []float64, c float64) {
	s := e.pool.Get()
	defer e.pool.Put(s)
	s.mu = e.sum(s.mu, mu)
	s.g = scratch.Grow(s.g, len(s.mu))
	clear(s.g)
	e.of.AddGradient(s.g, s.mu, c)
	k := e.labels
	for t := range e.length {
		add(g[t*k:(t+1)*k], s.g[:k])
	}
	if e.Leading() == e.length*k {
		return
	}
	for pairs := g[e.length*k : len(mu)]; len(pairs) > 0; pairs = pairs[k*k:] {
		add(pairs[:k*k], s.g[k:])
	}
}

// Convex implements Energy.
func (e *Totals) Convex() bool { return e.of.Convex() }

// Lipschitz implements Smooth. A total is the sum of at most l parts, and each part is in one total. So the norm of the
// totals is at most √l times the norm of the marginals, and the Lipschitz constant is at most l times that of the inner
// energy e.of.
func (e *Totals) Lipschitz() float64 { return float64(e.length) * lipschitz(e.of) }

// Leading implements the interface Leading. If the inner energy e.of does not depend on counts of pairs, e depends only
// on the marginals of positions.
func (e *Totals) Leading() int {
	k := e.labels
	if leading(e.of, k+k*k) <= k {
		return e.length * k
	}
	return e.length*k + max(1, e.length-1)*k*k
}

// Parameters implements Parametric. The parameters are those of the energy that is applied to the totals.
func (e *Totals) Parameters() int { return parameters(e.of) }

// AddParameterGradient implements Parametric.
func (e *Totals) AddParameterGradient(dpsi, mu, labelling []float64) {
	of, ok := e.of.(Parametric)
	if !ok {
		checkLengths(len(dpsi), 0, "derivatives by parameters")
		return
	}
	s := e.pool.Get()
	defer e.pool.Put(s)
	s.mu, s.s = e.sum(s.mu, mu), e.sum(s.s, labelling)
	of.AddParameterGradient(dpsi, s.mu, s.s)
}

// sum returns the totals of the marginals mu, in the memory of dst if dst is large enough.
func (e *Totals) sum(dst, mu []float64) []float64 {
	k, nodes := e.labels, e.length*e.labels
	checkLeast(len(mu), nodes)
	if (len(mu)-nodes)%(k*k) != 0 {
		panic(fmt.Sprintf("energy: %d marginals: want %d for labels, and a multiple of %d for pairs of labels",
			len(mu), nodes, k*k))
	}
	dst = scratch.Grow(dst, k+k*k)
	clear(dst)
	for t := range e.length {
		add(dst[:k], mu[t*k:(t+1)*k])
	}
	if e.Leading() == nodes {
		return dst
	}
	for pairs := mu[nodes:]; len(pairs) > 0; pairs = pairs[k*k:] {
		add(dst[k:], pairs[:k*k])
	}
	return dst
}

func add(dst, x []float64) {
	for i, v := range x {
		dst[i] += v
	}
}
