package deptree

import (
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

var _ models.Majorant = (*arcFeatures)(nil)

// Majorise implements models.Majorant. Let φ_g(y) be the sum of the values of feature g in a tree y. Every word has one
// head, so φ_g(y) ≤ C_g, where C_g = Σ_m max_h (value of g in the arc h → m). If no value is negative,
//
//	|φ(truth) − φ(y)|² ≤ |φ(truth)|² + Σ_g (C_g − 2 φ_g(truth)) φ_g(y),
//
// which is a sum over the arcs of y. If some value is negative, the bound is 2|φ(truth)|² + 2 Σ_g C_g φ_g(y) with
// absolute values. Cost: three times the cost of Score.
func (f *arcFeatures) Majorise(theta []float64, truth models.Vertex) float64 {
	f.checkParts(theta)
	n := len(f.global)
	feature, groups := make([]int32, n), int32(0) // for each pair: the number of its feature within the sentence
	value, negative := make([]float64, n), false
	for j, g := range f.global {
		if j > 0 && g != f.global[j-1] {
			groups++
		}
		feature[j], value[j] = groups, max(f.value[j], -f.value[j])
		negative = negative || f.value[j] < 0
	}
	most, own := make([]float64, groups+1), make([]float64, groups+1) // C_g and φ_g(truth) (see Majorise), for each g
	best, arc := make([]float64, groups+1), make([]float64, groups+1)
	words := len(truth)
	for m := range words {
		parts := f.local[f.start[m*words]:f.start[(m+1)*words]] // pairs of all arcs into m
		for r := m * words; r < (m+1)*words; r++ {
			pairs := f.local[f.start[r]:f.start[r+1]]
			for _, j := range pairs {
				g := feature[j]
				arc[g] += value[j]
				best[g] = max(best[g], arc[g])
			}
			for _, j := range pairs {
				arc[feature[j]] = 0
			}
		}
		for _, j := range parts {
			g := feature[j]
			most[g] += best[g]
			best[g] = 0
		}
	}
	for _, r := range truth {
		for _, j := range f.local[f.start[r]:f.start[r+1]] {
			own[feature[j]] += f.value[j]
		}
	}
	scale, less := 1.0, 2.0
	if negative {
		scale, less = 2, 0
	}
	for r := range theta {
		theta[r] = 0
		for _, j := range f.local[f.start[r]:f.start[r+1]] {
			g := feature[j]
			theta[r] += value[j] * (scale*most[g] - less*own[g])
		}
	}
	return scale * vec.NormSq(own)
}
