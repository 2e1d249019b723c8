package models

import (
	"github.com/gaplab/gaplab/internal/prefetch"
	"github.com/gaplab/gaplab/models/internal/blockrow"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Row is a row x of features, borrowed from the data: its non-zeros or, where Index is nil, all of it. Indices are
// those of the weights that it meets, and must be in their range: the methods do not check it.
type Row struct {
	Index []int32
	Value []float64 // as long as Index
}

// RowMap is an optional interface of a FeatureMap that is one row x. A solver that visits examples at random keeps the
// rows at hand, where it would find them over several pointers.
type RowMap interface {
	FeatureMap
	Isotropic
	// Row returns x, and how it makes scores. Half is 0 where each of k parts has weights of its own,
	//
	//	(A w)_c = Σ_j x_j w[j·k + c],
	//
	// and else two parts share them: (A w)_1 = −(A w)_0 = Half x·w. Not ok: it is neither.
	Row() (x Row, half float64, ok bool)
}

// Dot is x·w.
func (x Row) Dot(w []float64) float64 { return vec.DotRow(x.Index, x.Value, w) }

// AddTo adds c x to w.
func (x Row) AddTo(w []float64, c float64) {
	if x.Index == nil {
		for j, v := range x.Value {
			w[j] += c * v
		}
		return
	}
	value := x.Value[:len(x.Index)]
	for t, j := range x.Index {
		w[j] += c * value[t]
	}
}

// Score writes theta[c] = Σ_j x_j w[j·k + c] for c < k = len(theta). Index must not be nil.
func (x Row) Score(theta, w []float64) { blockrow.Score(theta, x.Index, x.Value, w) }

// AddOuter adds a x_j mu[c] to w[j·k + c] for all j and c < k = len(mu). Index must not be nil.
func (x Row) AddOuter(w []float64, a float64, mu []float64) {
	blockrow.AddOuter(w, a, x.Index, x.Value, mu)
}

// Fetch asks the processor for x, which a loop will read soon (see package prefetch).
func (x Row) Fetch() {
	prefetch.Slice(x.Index)
	prefetch.Slice(x.Value)
}
