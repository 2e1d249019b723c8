package coordinate

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// decompositionState is the dual point of Decomposition with its gradient G, and the rows z_i. The comment of
// Decomposition defines the symbols.
type decompositionState struct {
	p *models.Risk
	differences

	loss     []float64 // s_i, the label loss of the wrong labelling of example i
	unit     float64   // largest s_i; violations are reported in this unit
	box      float64   // 1/n, the upper bound of the variables
	a        []float64
	free     []uint8   // for each variable a_i: whether it can increase (bit canRise) and decrease (bit canFall)
	gradient []float64 // G, the gradient of the dual in a
	w        []float64 // the weights, 1/λ Σ a_i z_i
	columns  *columnCache
	steps    int

	diagonal []float64 // the diagonal K_ii of the kernel matrix if Pair is second-order, otherwise nil

	dense, image []float64 // working memory: a dense row, 0 between uses; with a kernel, Gram matrix times row
}

// newDecompositionState returns the state at a = 0.
func newDecompositionState(p *models.Risk, s *Decomposition) *decompositionState {
	n := len(p.Examples)
	d := &decompositionState{p: p, differences: newDifferences(p), loss: make([]float64, n), box: 1 / float64(n),
		a: make([]float64, n), free: make([]uint8, n),
		gradient: make([]float64, n), w: make([]float64, p.Dim), dense: make([]float64, p.Dim),
		columns: newColumnCache(n, s.Cache)}
	if p.Norm != nil {
		d.image = make([]float64, p.Dim)
	}
	for i := range p.Examples {
		_, d.loss[i] = binaryCosts(&p.Examples[i])
		d.unit = max(d.unit, d.loss[i])
		d.free[i] = canRise
	}
	copy(d.gradient, d.loss)
	if s.Pair == "second-order" {
		d.diagonal = make([]float64, n)
		var z dualspace.Adjoint
		for i := range p.Examples {
			d.diagonal[i] = z.NormSq(p.Examples[i].Features, []float64{1, -1})
		}
	}
	return d
}

// worst returns the variable with the largest violation of the conditions of optimality, and the violation. It returns
// −1 and 0 if there is no violation. If several variables have the largest violation, it returns the first of them.
func (d *decompositionState) worst() (i int, by float64) {
	i, most := -1, uint64(0)
	free := d.free[:len(d.gradient)]
	for t, g := range d.gradient {
		if v := violationBits(g, free[t]); v > most {
			i, most = t, v
		}
	}
	return i, math.Float64frombits(most)
}

// worstBut returns the variable other than i with the largest violation, or −1 if no other variable violates the
// conditions.
func (d *decompositionState) worstBut(i int) int {
	j, most := -1, uint64(0)
	free := d.free[:len(d.gradient)]
	for t, g := range d.gradient {
		if v := violationBits(g, free[t]); v > most && t != i {
			j, most = t, v
		}
	}
	return j
}

// secondOrder returns the variable t that gives the largest increase (gain) of D together with a_i, or −1 if no
// variable gives a gain (Fan, Chen and Lin 2005, Working set selection using second order information for training
// support vector machines, section 3). The argument alone is the best value of a_i with all other variables fixed, and
// column is column i of K. Suppose that a_i has changed by λc to alone. Then the slope of a_t is r = G_t − c K_it. If
// alone is inside the box of a_i, a change δ of a_t moves the best a_i by −δ K_it / K_ii. If alone is at an end of the
// box, the best a_i does not move. The gain is r δ − q δ²/(2λ), which is at most λ r²/(2q). The first q below holds if
// alone is inside the box, the second if it is at an end of the box:
//
//	q = K_tt − K_it²/K_ii  or  q = K_tt
//
// As in Fan, Chen and Lin (2005), the rule ignores the bounds 0 ≤ a_t ≤ 1/n.
func (d *decompositionState) secondOrder(i int, alone float64, column []float64) int {
	c := (alone - d.a[i]) / d.p.Lambda
	follows := 0.0
	if alone > 0 && alone < d.box && d.diagonal[i] > 0 {
		follows = 1 / d.diagonal[i]
	}
	j, most := -1, 0.0
	column, free, diagonal := column[:len(d.gradient)], d.free[:len(d.gradient)], d.diagonal[:len(d.gradient)]
	for t, g := range d.gradient {
		k := column[t]
		r := math.Float64frombits(violationBits(g-c*k, free[t]))
		if r == 0 || t == i {
			continue
		}
		q := max(diagonal[t]-k*k*follows, pairSingular*diagonal[t])
		if gain := r * r / q; gain > most {
			j, most = t, gain
		}
	}
	return j
}

// Bits of decompositionState.free. Bit 0 is set if a variable can increase, bit 1 if it can decrease. So the sign bit
// of a gradient (0 if positive, 1 if negative) is the index of the bit for a move in the direction of the gradient.
const (
	canRise = 1 << iota // the variable can increase: a_i < 1/n
	canFall             // the variable can decrease: a_i > 0
)

// violationBits returns the bit pattern of the float |g| if the variable can move in the direction of g, and 0
// otherwise. Bit patterns of floats >= 0 have the same order as the floats. The function has no branch, because a
// processor could not predict the signs of the gradient.
func violationBits(g float64, free uint8) uint64 {
	bits := math.Float64bits(g)
	allowed := uint64(free>>(bits>>63)) & 1
	return bits << 1 >> 1 & -allowed
}

// step maximises the dual D over a_i and a second variable. It returns false if neither variable changes.
func (d *decompositionState) step(i int) bool {
	columnI := d.column(i)
	qp := pairQP{slope: [2]float64{d.gradient[i]}, now: [2]float64{d.a[i]}, curve: [2]float64{columnI[i] / d.p.Lambda},
		box: d.box}
	alone, gain := qp.atBest(0, 0)
	var j int
	if d.diagonal != nil {
		j = d.secondOrder(i, alone, columnI)
	} else {
		j = d.worstBut(i)
	}
	if j < 0 {
		if !(gain > 0) || alone == d.a[i] {
			return false
		}
		d.set(i, alone)
		d.follow((alone-qp.now[0])/d.p.Lambda, columnI, 0, columnI)
		return true
	}
	columnJ := d.column(j)
	qp.slope[1], qp.now[1], qp.curve[1], qp.cross = d.gradient[j], d.a[j], columnJ[j]/d.p.Lambda, columnI[j]/d.p.Lambda
	next, gain := qp.solve()
	if !(gain > 0) || next == qp.now {
		return false
	}
	d.set(i, next[0])
	d.set(j, next[1])
	d.follow((next[0]-qp.now[0])/d.p.Lambda, columnI, (next[1]-qp.now[1])/d.p.Lambda, columnJ)
	return true
}

// set sets the dual variable a_i to next. It updates the weights w, and whether a_i can increase and decrease.
func (d *decompositionState) set(i int, next float64) {
	c := (next - d.a[i]) / d.p.Lambda
	d.a[i], d.free[i] = next, 0
	if next < d.box {
		d.free[i] |= canRise
	}
	if next > 0 {
		d.free[i] |= canFall
	}
	d.addTo(d.w, i, c)
}

// follow updates the gradient G after a step that has changed the dual variables a_i by λc and a_j by λe: G_t ← G_t − c
// K_ti − e K_tj for all t.
func (d *decompositionState) follow(c float64, columnI []float64, e float64, columnJ []float64) {
	columnI, columnJ = columnI[:len(d.gradient)], columnJ[:len(d.gradient)]
	for t := range d.gradient {
		d.gradient[t] -= c*columnI[t] + e*columnJ[t]
	}
}

// column returns column i of the kernel matrix K: K_ti for all examples t. The slice stays valid until two other
// columns have been requested.
func (d *decompositionState) column(i int) []float64 {
	column, known := d.columns.get(i)
	if known {
		return column
	}
	d.addTo(d.dense, i, 1)
	x := d.dense
	if d.p.Norm != nil {
		d.p.Norm(d.image, d.dense)
		x = d.image
	}
	d.dots(column, x)
	for t := d.start[i]; t < d.start[i+1]; t++ {
		d.dense[d.index[t]] = 0
	}
	return column
}

// refresh recomputes the weights w and the gradient G from the dual variables a, to remove the rounding errors of many
// steps. With a kernel, G cannot be computed from w directly, so refresh adds up the columns of the support vectors.
func (d *decompositionState) refresh() {
	clear(d.w)
	for i, a := range d.a {
		if a > 0 {
			d.addTo(d.w, i, a/d.p.Lambda)
		}
	}
	if d.p.Norm == nil {
		d.dots(d.gradient, d.w)
		for i, s := range d.loss {
			d.gradient[i] = s - d.gradient[i]
		}
		return
	}
	copy(d.gradient, d.loss)
	for i, a := range d.a {
		if a > 0 {
			floats.AddScaled(d.gradient, -a/d.p.Lambda, d.column(i))
		}
	}
}

// dual returns the dual value D(a) (see Decomposition). With a kernel, |w|² = 1/λ Σ a_i w·z_i is computed from G_i =
// s_i − w·z_i.
func (d *decompositionState) dual() float64 {
	if d.p.Norm != nil {
		return (dualspace.Dot(d.loss, d.a) + dualspace.Dot(d.gradient, d.a)) / 2
	}
	return dualspace.Dot(d.loss, d.a) - d.p.Lambda/2*dualspace.Dot(d.w, d.w)
}

func (d *decompositionState) iterate() solvers.Iterate {
	return solvers.Iterate{W: d.w, Epoch: d.steps / len(d.a), Dual: d.dual, Stats: func(yield func(string, float64)) {
		var support, bounded float64
		for _, a := range d.a {
			if a > 0 {
				support++
			}
			if a == d.box {
				bounded++
			}
		}
		_, violation := d.worst()
		if d.unit > 0 {
			violation /= d.unit
		}
		yield("support_vectors", support)
		yield("bounded", bounded) // number of variables at the upper bound 1/n
		yield("steps", float64(d.steps))
		yield("kernel_columns", float64(d.columns.computed)) // number of computed columns of the kernel matrix
		yield("violation", violation)                        // largest violation, in units of the largest label loss
	}}
}
