package examples

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Sequences returns sequences of the given lengths, with k labels and rows of dim features. The kind of the rows is
// "dense", "sparse", or "ones" for sparse rows in which all values are 1.
func Sequences(seed uint64, kind string, k, dim int, lengths ...int) *datasets.Sequences {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &datasets.Sequences{X: datasets.Rows{Dim: dim}, Start: []int{0}}
	for y := range k {
		s.Labels = append(s.Labels, fmt.Sprint("label", y))
	}
	if kind != "dense" {
		s.X.Start, s.X.Index = []int{0}, []int32{}
	}
	for _, l := range lengths {
		for range l {
			for j := range dim {
				v := rng.NormFloat64()
				if rng.IntN(2) == 0 {
					v = 0
				}
				switch {
				case kind == "dense":
					s.X.Value = append(s.X.Value, v)
					continue
				case v == 0:
					continue
				case kind == "ones":
					v = 1
				}
				s.X.Index, s.X.Value = append(s.X.Index, int32(j)), append(s.X.Value, v)
			}
			if kind != "dense" {
				s.X.Start = append(s.X.Start, len(s.X.Value))
			}
			s.Y = append(s.Y, rng.IntN(k))
		}
		s.Start = append(s.Start, len(s.Y))
	}
	s.X.N = len(s.Y)
	return s
}

// Symbols returns sequences of the given lengths, with k labels and one of m symbols at each position. The dense or
// sparse row of a position has a 1 for its symbol.
func Symbols(seed uint64, k, m int, sparse bool, lengths ...int) *datasets.Sequences {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &datasets.Sequences{X: datasets.Rows{Dim: m}, Start: []int{0}}
	if sparse {
		s.X.Start, s.X.Index = []int{0}, []int32{}
	}
	for y := range k {
		s.Labels = append(s.Labels, string(rune('a'+y)))
	}
	for _, l := range lengths {
		for range l {
			o := rng.IntN(m)
			if sparse {
				s.X.Index, s.X.Value = append(s.X.Index, int32(o)), append(s.X.Value, 1)
				s.X.Start = append(s.X.Start, len(s.X.Value))
			} else {
				row := make([]float64, m)
				row[o] = 1
				s.X.Value = append(s.X.Value, row...)
			}
			s.Y = append(s.Y, rng.IntN(k))
		}
		s.Start = append(s.Start, len(s.Y))
	}
	s.X.N = len(s.Y)
	return s
}

// SymbolAt returns the symbol at position t, counted from the first position of the first sequence.
func SymbolAt(s *datasets.Sequences, t int) int {
	index, value := s.X.Row(t)
	j := slices.Index(value, 1)
	if index != nil {
		return int(index[j])
	}
	return j
}

// SequenceAt returns sequence i alone, as data with sparse rows.
func SequenceAt(s *datasets.Sequences, i int) *datasets.Sequences {
	lo, hi := s.Start[i], s.Start[i+1]
	one := &datasets.Sequences{Start: []int{0, hi - lo}, Labels: s.Labels, Y: s.Y[lo:hi],
		X: datasets.Rows{N: hi - lo, Dim: s.X.Dim, Start: []int{0}, Index: []int32{}}}
	for at := lo; at < hi; at++ {
		index, value := s.X.Row(at)
		if index == nil { // a dense row
			for j := range value {
				index = append(index, int32(j))
			}
		}
		one.X.Index, one.X.Value = append(one.X.Index, index...), append(one.X.Value, value...)
		one.X.Start = append(one.X.Start, len(one.X.Index))
	}
	return one
}

// Chains returns a function that lists the labellings of an example of a chain with k labels.
func Chains(k int, untied bool) func(*models.Example) []models.Vertex {
	return func(e *models.Example) []models.Vertex { return chains((len(e.Truth)+1)/2, k, untied) }
}

// chains lists the labellings of a chain of l positions.
func chains(l, k int, untied bool) []models.Vertex {
	all := []models.Vertex{{}}
	for t := range l {
		var longer []models.Vertex
		for _, y := range all {
			for label := range k {
				longer = append(longer, append(slices.Clone(y), t*k+label))
			}
		}
		all = longer
	}
	for i, y := range all {
		for t := range l - 1 {
			edge := l*k + (y[t]-t*k)*k + y[t+1] - (t+1)*k
			if untied {
				edge += t * k * k
			}
			y = append(y, edge)
		}
		slices.Sort(y)
		all[i] = y
	}
	return all
}
