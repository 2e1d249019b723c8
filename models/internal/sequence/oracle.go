// Package sequence has what the models of label sequences share: the oracles of the linear chain, the feature map of
// positions with features, label losses and columns, and checks of the data.
package sequence

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Oracle holds the oracles of sequences of any length l with k labels. The part scores θ of a sequence are
//
//	s_t(y)     = θ[t·k + y]                  label y at position t = 0 .. l−1
//	T_t(y', y) = θ[l·k + t·k² + y'·k + y]    labels y' at t and y at t+1, t = 0 .. l−2, if untied
//	T(y', y)   = θ[l·k + y'·k + y]           the same for every t, if tied; also where l = 1
//
// so l follows from the number of parts. A labelling lists l parts s_t(y_t), then the l−1 transitions, sorted.
type Oracle struct {
	k, stride int // stride is k padded
	untied    bool
	pool      scratch.Pool[working]
}

// working is the memory of one call. A row has the length stride; its padding behind the k numbers is never NaN, and 0
// in the matrices, whose padding is never written.
type working struct {
	// of LogSum
	made       bool      // whether the next five have been computed
	sumOf      []float64 // the transition scores that they were computed from
	narrow     bool      // whether every T_t spans at most span; if not, the next two are not computed
	top        []float64 // max T_t
	factor     []float64 // E_t = exp(T_t − max T_t): k rows each
	transposed []float64 // E_tᵀ
	e          []float64 // l rows exp(s_t − max s_t), in the backward pass b_t
	alpha      []float64 // l rows
	inverse    []float64 // 1/c_t
	row, beta  []float64 // one row each
	logs       []float64 // of the forward pass in logarithms: l + 1 rows

	// of the max oracles
	maxOf    []float64 // the transition scores that the next was computed from
	maxT     []float64 // T_tᵀ: k rows each
	best     []float64 // l rows: best scores of suffixes
	differ   []float64 // l numbers: best scores of suffixes that differ from the excluded one
	label    []int     // l labels
	layer    []float64 // best scores of suffixes by cost: rows
	costRows []int     // l+1 offsets of positions in layer, in rows
}

var (
	_ models.MaxOracle    = (*Oracle)(nil)
	_ models.ExpOracle    = (*Oracle)(nil)
	_ models.SlackOracle  = (*Oracle)(nil)
	_ models.SecondOracle = (*Oracle)(nil)
)

// NewOracle returns the oracles of k labels. untied: each position has transition scores of its own.
func NewOracle(k int, untied bool) *Oracle {
	return &Oracle{k: k, stride: vec.Pad(k), untied: untied}
}

// length returns the number of positions of a sequence with this number of parts.
func (c *Oracle) length(parts int) int {
	k := c.k
	n, d := parts-k*k, k
	if c.untied {
		n, d = parts+k*k, k+k*k
	}
	if n < d || n%d != 0 {
		panic(fmt.Sprintf("sequence: %d part scores are those of no sequence with %d labels", parts, k))
	}
	return n / d
}

// block returns the number of the transition matrix from position t to t+1.
func (c *Oracle) block(t int) int {
	if c.untied {
		return t
	}
	return 0
}

// labels writes the labels of a labelling of l positions.
func (c *Oracle) labels(dst []int, l int, y models.Vertex) []int {
	if len(y) != 2*l-1 {
		panic(fmt.Sprintf("sequence: a labelling of %d positions has %d parts: want %d", l, len(y), 2*l-1))
	}
	dst = scratch.Grow(dst, l)
	for t, r := range y[:l] {
		if dst[t] = r - t*c.k; uint(dst[t]) >= uint(c.k) {
			panic(fmt.Sprintf("sequence: part %d of a labelling is %d: want a label of position %d", t, r, t))
		}
	}
	return dst
}

// Transitions appends the transitions between the labels that dst holds the parts of.
func (c *Oracle) Transitions(dst models.Vertex) models.Vertex {
	k, l := c.k, len(dst)
	for t := range l - 1 {
		from, to := dst[t]-t*k, dst[t+1]-(t+1)*k
		dst = append(dst, l*k+c.block(t)*k*k+from*k+to)
	}
	if !c.untied {
		slices.Sort(dst[l:])
	}
	return dst
}
