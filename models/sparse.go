package models

import "slices"

// SparseOf returns v as a sparse vector.
func SparseOf(v []float64) Sparse {
	n := 0
	for _, x := range v {
		if x != 0 {
			n++
		}
	}
	s := Sparse{Index: make([]int32, 0, n), Value: make([]float64, 0, n)}
	for j, x := range v {
		if x != 0 {
			s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, x)
		}
	}
	return s
}

// Clone returns a copy.
func (s Sparse) Clone() Sparse { return Sparse{slices.Clone(s.Index), slices.Clone(s.Value)} }

// Dot returns s·v.
func (s Sparse) Dot(v []float64) float64 {
	var sum float64
	for t, j := range s.Index {
		sum += s.Value[t] * v[j]
	}
	return sum
}

// AddTo adds c·s to v.
func (s Sparse) AddTo(v []float64, c float64) {
	for t, j := range s.Index {
		v[j] += c * s.Value[t]
	}
}

// NormSq returns |s|².
func (s Sparse) NormSq() float64 { return normSq(s.Value) }

// AppendRow appends the non-zeros of row to s. Component i of row gets the index at+i. All indices of s must be smaller
// than at.
func (s *Sparse) AppendRow(at int, row []float64) {
	for i, v := range row {
		if v != 0 {
			s.Index, s.Value = append(s.Index, int32(at+i)), append(s.Value, v)
		}
	}
}

// Sparse is a sparse vector. Index is strictly increasing. Value has the same length as Index.
type Sparse struct {
	Index []int32
	Value []float64
}
