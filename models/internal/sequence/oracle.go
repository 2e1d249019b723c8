// Package sequence has the code that models of label sequences share: the oracles of the linear chain, the feature map
// of positions with features, label losses, metrics, and checks of the data.
package sequence

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Oracle implements the oracles of sequences of any length l with k labels. The part scores θ of a sequence are
//
//	s_t(y)     = θ[t·k + y]                  label y at position t = 0 .. l−1
//	T_t(y', y) = θ[l·k + t·k² + y'·k + y]    labels y' at t and y at t+1, t = 0 .. l−2, if untied
//
// If tied, T(y', y) = θ[l·k + y'·k + y] is the same for every t, and these parts exist even if l = 1.
//
// So the number of parts determines l. A labelling lists the l parts of the labels y_t, then its l−1 transitions in
// sorted order.
type Oracle struct {
	k, stride int // stride is the length of a padded row of k numbers
	untied    bool
	pool      scratch.Pool[working]
}

// working is the working memory of one call. Oracle defines s_t and T_t; LogSum defines α_t, b_t, c_t and E_t. A row
// has the length stride. Its padding after the k numbers is never NaN. In matrices the padding is always 0, since it is
// never written.
type working struct {
	// The next fields are for LogSum.
	made       bool      // whether the fields sumOf, narrow, top, factor and transposed are valid
	sumOf      []float64 // the transition scores from which narrow, top, factor and transposed were computed
	narrow     bool      // whether max T_t − min T_t ≤ span for every t; if not, factor and transposed are not computed
	top        []float64 // max T_t for each t, the largest transition score
	factor     []float64 // E_t = exp(T_t − max T_t) (see LogSum): k rows for each t
	transposed []float64 // the transposes of E_t
	e          []float64 // l rows: exp(s_t − max s_t), overwritten by b_t in the backward pass
	alpha      []float64 // l rows: α_t (see LogSum)
	inverse    []float64 // l numbers: 1/c_t (see LogSum)
	row, beta  []float64 // scratch memory, one row each
	logs       []float64 // l + 1 rows, for the forward pass in logarithms

	// The next fields are for Max, Second and MaxSlack.
	maxOf    []float64 // the transition scores from which maxT was computed
	maxT     []float64 // T_tᵀ, the transposed transition scores: k rows for each t
	best     []float64 // l rows: B_t (see Max), best scores of the positions from t on
	differ   []float64 // l numbers: D_t (see Second), best scores that differ from the excluded labelling
	label    []int     // l labels: the labels of the excluded labelling (Second) or of the truth (MaxSlack)
	layer    []float64 // rows: B_t(v, ·) (see MaxSlack), best scores for each position t and total cost v
	costRows []int     // l+1 offsets: row of layer at which each position begins

	mu []float64 // marginals of all parts, for Decode
}

var (
	_ models.MaxOracle    = (*Oracle)(nil)
	_ models.ExpOracle    = (*Oracle)(nil)
	_ models.SlackOracle  = (*Oracle)(nil)
	_ models.SecondOracle = (*Oracle)(nil)
)

// NewOracle returns the oracles for k labels. If untied, each position has its own transition scores.
func NewOracle(k int, untied bool) *Oracle {
	return &Oracle{k: k, stride: vec.Pad(k), untied: untied}
}

// length returns the number of positions of a sequence with this number of parts. It panics if there is none.
func (c *Oracle) length(parts int) int {
	k := c.k
	n, d := parts-k*k, k
	if c.untied {
		n, d = parts+k*k, k+k*k
	}
	if n < d || n%d != 0 {
		panic(fmt.Sprintf("sequence: no sequence with %d labels has %d part scores", k, parts))
	}
	return n / d
}

// block returns the index of the transition matrix from position t to t+1.
func (c *Oracle) block(t int) int {
	if c.untied {
		return t
	}
	return 0
}

// labels writes the labels of a labelling of l positions to dst.
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

// Transitions appends the transitions to dst, which has the parts of the labels.
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
