package models

import "github.com/gaplab/gaplab/models/internal/vec"

// Work is the work of one oracle call that no code avoids, as a mean over the examples. The call needs the part scores
// A_i w of its example. So it reads each weight on which a score depends, multiplies it and adds it, and it adds each
// part score once. The numbers are lower bounds: a weight that enters several scores is counted once.
type Work struct {
	Flops   float64 // additions and multiplications
	Weights float64 // bytes of the weights
	Input   float64 // bytes of the example's row; 0 if the feature map has no row (RowMap)
}

// workSample is the number of examples from which Work is estimated, at even distances.
const workSample = 200

// Work estimates the work of one oracle call. ok is false for the coefficients of a kernel expansion, where the work is
// that of the kernel function.
func (p *Risk) Work() (work Work, ok bool) {
	if p.Norm != nil {
		return work, false
	}
	sample := min(workSample, len(p.Examples))
	var scratch workScratch
	for k := range sample {
		w := scratch.work(p.Examples[k*len(p.Examples)/sample].Features, p.Dim)
		work.Flops += w.Flops / float64(sample)
		work.Weights += w.Weights / float64(sample)
		work.Input += w.Input / float64(sample)
	}
	return work, sample > 0
}

// workScratch is the memory for the work of one example.
type workScratch struct {
	ones, dense []float64
	sparse      Sparse
}

// work returns the work of one example with dim weights.
func (s *workScratch) work(f FeatureMap, dim int) Work {
	parts := f.Parts()
	if m, ok := f.(RowMap); ok {
		if row, half, ok := m.Row(); ok {
			weights := 0.0
			for _, v := range row.Value {
				if v != 0 {
					weights++
				}
			}
			if half == 0 {
				weights *= float64(parts)
			}
			return Work{Flops: 2*weights + float64(parts), Weights: 8 * weights,
				Input: float64(8*len(row.Value) + 4*len(row.Index))}
		}
	}
	weights := float64(s.touched(f, parts, dim))
	return Work{Flops: 2*weights + float64(parts), Weights: 8 * weights}
}

// touched returns the number of weights on which the scores depend: the non-zeros of Aᵀ1. This is too small if two
// entries of A cancel.
func (s *workScratch) touched(f FeatureMap, parts, dim int) int {
	for len(s.ones) < parts {
		s.ones = append(s.ones, 1)
	}
	if m, ok := f.(SparseMap); ok {
		m.Adjoint(&s.sparse, s.ones[:parts])
		return len(s.sparse.Index)
	}
	s.dense = Resize(s.dense, dim)
	clear(s.dense)
	f.AddAdjoint(s.dense, 1, s.ones[:parts])
	n := 0
	for _, v := range s.dense {
		if v != 0 {
			n++
		}
	}
	return n
}

// Multiply multiplies a matrix of size² numbers by a vector, with the fastest arithmetic of the oracles, times times.
// It returns the number of additions and multiplications. A harness uses it to measure how fast the machine computes.
func Multiply(size, times int) (flops float64) {
	size = vec.Pad(size)
	dst, x, m := make([]float64, size), make([]float64, size), make([]float64, size*size)
	for i := range m {
		m[i] = 1 / float64(i+1)
	}
	for i := range x {
		x[i] = float64(i)
	}
	for range times {
		vec.MulVec(dst, x, 1, m, size)
	}
	return 2 * float64(size) * float64(size) * float64(times)
}
