package examples

import "github.com/gaplab/gaplab/models"

// Identity is a feature map with one weight for each part: A w = w.
type Identity int

var (
	_ models.SparseMap = Identity(0)
	_ models.Gram      = Identity(0)
)

// Parts implements models.FeatureMap.
func (f Identity) Parts() int { return int(f) }

// Score implements models.FeatureMap.
func (f Identity) Score(theta, w []float64) {
	f.check(theta, w)
	copy(theta, w)
}

// AddAdjoint implements models.FeatureMap.
func (f Identity) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	for r, m := range mu {
		w[r] += c * m
	}
}

// NormSq implements models.Gram.
func (f Identity) NormSq(v []float64) float64 {
	f.check(v, v)
	var s float64
	for _, x := range v {
		s += x * x
	}
	return s
}

// Adjoint implements models.SparseMap.
func (f Identity) Adjoint(dst *models.Sparse, mu []float64) {
	f.check(mu, mu)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	dst.AppendRow(0, mu)
}

// Dot implements models.SparseMap.
func (f Identity) Dot(w []float64, y models.Vertex) float64 {
	f.check(w, w)
	return y.Dot(w)
}

// Add implements models.SparseMap.
func (f Identity) Add(w []float64, c float64, y models.Vertex) {
	f.check(w, w)
	for _, r := range y {
		w[r] += c
	}
}

func (f Identity) check(theta, w []float64) {
	if len(theta) != int(f) || len(w) != int(f) {
		panic("examples: len(theta) or len(w) is not the number of parts")
	}
}

// OfParts returns a task that has two examples, and one weight for each part. Both examples have the oracles of e, and
// their truths are different labellings from the list all. The argument costs is the number of parts that have a cost,
// beginning with part 0. The cost is 0 for parts of the truth, and 1 for other parts.
func OfParts(e models.Example, parts, costs int, all []models.Vertex) *models.Task {
	task := &models.Task{Model: "parts", Unknowns: models.Weights{Dim: parts}}
	for i := range 2 {
		e.Features, e.Truth, e.Cost = Identity(parts), all[i*len(all)/2], make([]float64, costs)
		for r := range e.Cost {
			e.Cost[r] = 1
		}
		for _, r := range e.Truth {
			if r < costs {
				e.Cost[r] = 0
			}
		}
		task.Train = append(task.Train, e)
	}
	return task
}
