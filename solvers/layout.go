package solvers

import "github.com/gaplab/gaplab/models"

// layout places one number for each part of each example, such as marginals, in one vector: those of example i from
// start[i] to start[i+1].
type layout struct {
	start  []int // n+1 offsets
	widest int   // most parts of an example
}

func newLayout(p *models.Risk) layout {
	l := layout{start: make([]int, len(p.Examples)+1)}
	for i := range p.Examples {
		parts := p.Examples[i].Features.Parts()
		l.start[i+1] = l.start[i] + parts
		l.widest = max(l.widest, parts)
	}
	return l
}

// zeros is a vector for all examples.
func (l *layout) zeros() []float64 { return make([]float64, l.start[len(l.start)-1]) }

// of is what a vector has of example i.
func (l *layout) of(v []float64, i int) []float64 { return v[l.start[i]:l.start[i+1]] }

// scratch makes vectors as long as the widest example has parts, one after another in memory.
func (l *layout) scratch(vectors ...*[]float64) {
	all := make([]float64, len(vectors)*l.widest)
	for k, v := range vectors {
		*v = all[k*l.widest : (k+1)*l.widest : (k+1)*l.widest]
	}
}

// weights writes w(μ) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i), the w of a dual point with the marginals mu, into w. It
// overwrites scratch, which is as long as the widest example has parts.
func (l *layout) weights(w []float64, lambda float64, p *models.Risk, mu, scratch []float64) {
	clear(w)
	c := 1 / (lambda * float64(len(p.Examples)))
	for i := range p.Examples {
		e, mu := &p.Examples[i], l.of(mu, i)
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
