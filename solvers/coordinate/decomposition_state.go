package coordinate

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// decompositionState is the dual point of Decomposition with its gradient, and the rows z_i.
type decompositionState struct {
	p *models.Risk
	differences

	loss     []float64 // s_i
	unit     float64   // largest s_i
	box      float64   // 1/n, the upper bound of the variables
	a        []float64
	free     []uint8   // where a_i can go: canRise, canFall
	gradient []float64 // G
	w        []float64 // 1/λ Σ a_i z_i
	columns  *columnCache
	steps    int

	lookAhead bool // the second variable of a pair is chosen for what a step on the first alone would leave

	dense, image []float64 // scratch of length Dim: a row written out, all zero between uses, and with a kernel K times it
}

// newDecompositionState starts from a = 0.
func newDecompositionState(p *models.Risk, s *Decomposition) *decompositionState {
	n := len(p.Examples)
	d := &decompositionState{p: p, differences: newDifferences(p), loss: make([]float64, n), box: 1 / float64(n),
		a: make([]float64, n), free: make([]uint8, n),
		gradient: make([]float64, n), w: make([]float64, p.Dim), dense: make([]float64, p.Dim),
		columns: newColumnCache(n, s.Cache), lookAhead: s.Pair == "look-ahead"}
	if p.Norm != nil {
		d.image = make([]float64, p.Dim)
	}
	for i := range p.Examples {
		_, d.loss[i] = binaryCosts(&p.Examples[i])
		d.unit = max(d.unit, d.loss[i])
		d.free[i] = canRise
	}
	copy(d.gradient, d.loss)
	return d
}

// worst returns the variable that violates the conditions of optimality most and by how much, or −1 and 0 if none
// does. Of equal ones it takes the first.
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

// worstBut returns the variable other than i that violates the conditions most if G were G − c·column, or −1.
func (d *decompositionState) worstBut(i int, c float64, column []float64) int {
	j, most := -1, uint64(0)
	free, column := d.free[:len(d.gradient)], column[:len(d.gradient)]
	for t, g := range d.gradient {
		if v := violationBits(g-c*column[t], free[t]); v > most && t != i {
			j, most = t, v
		}
	}
	return j
}

// Bits of decompositionState.free, in the order of a sign bit.
const (
	canRise = 1 << iota // a_i < 1/n
	canFall             // a_i > 0
)

// violationBits is |g| if a variable that is free in these directions can move in that of g, and 0 if not, as bits:
// those of numbers >= 0 are in the order of the numbers. It has no branch, because the signs of G follow no pattern.
func violationBits(g float64, free uint8) uint64 {
	bits := math.Float64bits(g)
	allowed := uint64(free>>(bits>>63)) & 1
	return bits << 1 >> 1 & -allowed
}

// step maximises D over a_i and a second variable. It returns false if that changes neither.
func (d *decompositionState) step(i int) bool {
	columnI := d.column(i)
	qp := pairQP{slope: [2]float64{d.gradient[i]}, now: [2]float64{d.a[i]}, curve: [2]float64{columnI[i] / d.p.Lambda},
		box: d.box}
	alone, gain := qp.atBest(0, 0)
	var c float64
	if d.lookAhead {
		c = (alone - d.a[i]) / d.p.Lambda
	}
	j := d.worstBut(i, c, columnI)
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

// set gives a_i another value and updates w.
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

// follow updates G: G_t ← G_t − c K_ti − e K_tj, where λc and λe are the changes of a_i and a_j.
func (d *decompositionState) follow(c float64, columnI []float64, e float64, columnJ []float64) {
	columnI, columnJ = columnI[:len(d.gradient)], columnJ[:len(d.gradient)]
	for t := range d.gradient {
		d.gradient[t] -= c*columnI[t] + e*columnJ[t]
	}
}

// column returns K_ti for all t, borrowed until two other columns have been asked for.
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
	for t := range column {
		column[t] = d.dot(t, x)
	}
	for t := d.start[i]; t < d.start[i+1]; t++ {
		d.dense[d.index[t]] = 0
	}
	return column
}

// refresh recomputes w and G from a, to shed the rounding of many steps.
func (d *decompositionState) refresh() {
	clear(d.w)
	for i, a := range d.a {
		if a > 0 {
			d.addTo(d.w, i, a/d.p.Lambda)
		}
	}
	x := d.w
	if d.p.Norm != nil {
		d.p.Norm(d.image, d.w)
		x = d.image
	}
	for i, s := range d.loss {
		d.gradient[i] = s - d.dot(i, x)
	}
}

// dual is D(a), the norm of w taken in the problem's basis.
func (d *decompositionState) dual() float64 {
	x := d.w
	if d.p.Norm != nil {
		d.p.Norm(d.image, d.w)
		x = d.image
	}
	return dualspace.Dot(d.loss, d.a) - d.p.Lambda/2*dualspace.Dot(d.w, x)
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
		yield("bounded", bounded) // support vectors at 1/n
		yield("steps", float64(d.steps))
		yield("kernel_columns", float64(d.columns.computed)) // n kernel evaluations each
		yield("violation", violation)                        // what Tol bounds
	}}
}
