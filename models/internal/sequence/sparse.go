package sequence

import "github.com/gaplab/gaplab/models"

// This file has the methods of models.SparseMap, whose cost depends on the features of one labelling only.

// Adjoint implements models.SparseMap.
func (f *Features) Adjoint(dst *models.Sparse, mu []float64) {
	f.CheckParts(mu)
	s := f.pool.Get()
	defer f.pool.Put(s)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for i := 0; i < len(f.feature); {
		end := f.end(i)
		dst.AppendRow(int(f.feature[i])*f.K, f.block(s, mu, i, end))
		i = end
	}
	dst.AppendRow(f.Features*f.K, f.edges(s, mu))
}

// Dot implements models.SparseMap. It reads one weight per pair of a feature and a position.
func (f *Features) Dot(w []float64, y models.Vertex) float64 {
	f.CheckWeights(w)
	f.CheckLabelling(y)
	var sum float64
	for i, j := range f.feature {
		t := int(f.position[i])
		v := w[int(j)*f.K+y[t]-t*f.K]
		if f.value != nil {
			v *= f.value[i]
		}
		sum += v
	}
	for _, r := range y[f.Len:] {
		sum += w[f.Edge(r)]
	}
	return sum
}

// Add implements models.SparseMap. It changes one weight per pair of a feature and a position.
func (f *Features) Add(w []float64, c float64, y models.Vertex) {
	f.CheckWeights(w)
	f.CheckLabelling(y)
	for i, j := range f.feature {
		t, v := int(f.position[i]), c
		if f.value != nil {
			v *= f.value[i]
		}
		w[int(j)*f.K+y[t]-t*f.K] += v
	}
	for _, r := range y[f.Len:] {
		w[f.Edge(r)] += c
	}
}

// Edge returns the index of the weight of a transition, given its part.
func (f *Features) Edge(part int) int {
	return f.Features*f.K + (part-f.Len*f.K)%(f.K*f.K)
}

// CheckLabelling panics if y does not have 2l − 1 parts, for l labels and l − 1 transitions.
func (f *Features) CheckLabelling(y models.Vertex) {
	if len(y) != 2*f.Len-1 {
		panic("sequence: len(y) != 2l − 1, the number of parts of a labelling")
	}
}
