package coordinate

// pairQP is the dual problem over two variables, with all other variables fixed. It is the maximisation, over the
// changes d of the two variables from their present values now, of
//
//	slope·d − ½ (curve_0 d_0² + 2 cross d_0 d_1 + curve_1 d_1²),   0 ≤ now_k + d_k ≤ box.
type pairQP struct {
	slope, now, curve [2]float64
	cross, box        float64
}

// The determinant curve_0·curve_1 − cross² of a pairQP counts as 0 if it is at most pairSingular·curve_0·curve_1. This
// happens if the rows of the two variables are equal.
const pairSingular = 1e-12

// solve returns the best values of the variables, and the increase of the objective from the present values (gain). The
// maximum is at the point where the gradient is 0, if this point is unique and in the box. Otherwise the maximum is on
// an edge of the box.
func (q *pairQP) solve() (next [2]float64, gain float64) {
	if det := q.curve[0]*q.curve[1] - q.cross*q.cross; det > pairSingular*q.curve[0]*q.curve[1] {
		d0 := (q.curve[1]*q.slope[0] - q.cross*q.slope[1]) / det
		d1 := (q.curve[0]*q.slope[1] - q.cross*q.slope[0]) / det
		next = [2]float64{q.now[0] + d0, q.now[1] + d1}
		if q.inside(next[0]) && q.inside(next[1]) {
			return next, (q.slope[0]*d0 + q.slope[1]*d1) / 2
		}
	}
	next = q.now
	for k := range next {
		for _, end := range [2]float64{0, q.box} {
			d := end - q.now[k]
			other, more := q.atBest(1-k, d)
			if g := q.slope[k]*d - q.curve[k]*d*d/2 + more; g > gain {
				gain = g
				next[k], next[1-k] = end, other
			}
		}
	}
	return next, gain
}

// inside reports whether 0 ≤ a ≤ box.
func (q *pairQP) inside(a float64) bool { return a >= 0 && a <= q.box }

// atBest returns the best value of variable k after the other variable has changed by d, and the increase of the
// objective by the change of variable k.
func (q *pairQP) atBest(k int, d float64) (next, gain float64) {
	slope := q.slope[k] - q.cross*d
	switch low, high := -q.now[k], q.box-q.now[k]; {
	case slope >= q.curve[k]*high:
		return q.box, slope*high - q.curve[k]*high*high/2
	case slope <= q.curve[k]*low:
		return 0, slope*low - q.curve[k]*low*low/2
	}
	change := slope / q.curve[k]
	return q.now[k] + change, slope * change / 2
}
