// Package dualspace contains the common code of methods on the dual: the layout of the marginals of all examples, the
// order of visits, the schedule of yields, norms of adjoints, and the bound on the features that determines step sizes.
package dualspace

import "github.com/gaplab/gaplab/models"

// Layout places one number for each part of each example, such as its marginal, in one vector. The numbers of example i
// have the indices Start[i] to Start[i+1] − 1.
type Layout struct {
	Start   []int // n+1 offsets, for n examples
	Largest int   // largest number of parts of an example
}

// NewLayout returns the layout in which the parts of the risk's examples follow one another, example by example.
func NewLayout(p *models.Risk) Layout {
	l := Layout{Start: make([]int, len(p.Examples)+1)}
	for i := range p.Examples {
		parts := p.Examples[i].Features.Parts()
		l.Start[i+1] = l.Start[i] + parts
		l.Largest = max(l.Largest, parts)
	}
	return l
}

// Zeros returns a vector with one zero for each part of each example.
func (l *Layout) Zeros() []float64 { return make([]float64, l.Start[len(l.Start)-1]) }

// Of returns the subslice of the vector v that belongs to example i.
func (l *Layout) Of(v []float64, i int) []float64 { return v[l.Start[i]:l.Start[i+1]] }

// Scratch allocates working memory: vectors whose length is the number of parts of the largest example, one after the
// other in memory.
func (l *Layout) Scratch(vectors ...*[]float64) {
	all := make([]float64, len(vectors)*l.Largest)
	for k, v := range vectors {
		*v = all[k*l.Largest : (k+1)*l.Largest : (k+1)*l.Largest]
	}
}

// Weights writes w(μ) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i), the w of a dual point with the marginals mu, into w. It
// overwrites scratch, whose length must be at least the number of parts of the largest example.
func (l *Layout) Weights(w []float64, lambda float64, p *models.Risk, mu, scratch []float64) {
	clear(w)
	c := 1 / (lambda * float64(len(p.Examples)))
	for i := range p.Examples {
		e, mu := &p.Examples[i], l.Of(mu, i)
		v := scratch[:len(mu)]
		for r, m := range mu {
			v[r] = -m
		}
		for _, r := range e.Truth {
			v[r]++
		}
		e.Features.AddAdjoint(w, c, v)
	}
}
