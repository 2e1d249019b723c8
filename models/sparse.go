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
func (s Sparse) Dot(v []float64) float64 { return s.dotFrom(0, 0, v) }

// Dots writes s[k]·v to dst[k] for each k, with the same bits as Dot. It computes four products at once, so that an
// addition does not wait for the previous one.
func Dots(dst []float64, s []Sparse, v []float64) {
	k := 0
	for ; k+3 < len(s); k += 4 {
		a, b, c, d := s[k], s[k+1], s[k+2], s[k+3]
		n := min(len(a.Index), len(b.Index), len(c.Index), len(d.Index))
		ai, bi, ci, di := a.Index[:n], b.Index[:n], c.Index[:n], d.Index[:n]
		av, bv, cv, dv := a.Value[:n], b.Value[:n], c.Value[:n], d.Value[:n]
		var x, y, z, u float64
		for t, j := range ai {
			x += av[t] * v[j]
			y += bv[t] * v[bi[t]]
			z += cv[t] * v[ci[t]]
			u += dv[t] * v[di[t]]
		}
		dst[k], dst[k+1] = a.dotFrom(n, x, v), b.dotFrom(n, y, v)
		dst[k+2], dst[k+3] = c.dotFrom(n, z, v), d.dotFrom(n, u, v)
	}
	for ; k < len(s); k++ {
		dst[k] = s[k].Dot(v)
	}
}

// dotFrom returns s·v. The argument sum is the sum of the products of the first n elements of s, so dotFrom adds only
// the other products.
func (s Sparse) dotFrom(n int, sum float64, v []float64) float64 {
	value := s.Value[n:len(s.Index)]
	for t, j := range s.Index[n:] {
		sum += value[t] * v[j]
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
