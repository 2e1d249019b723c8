package simplicial

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	rsdRidge       = 1e-10  // initial ridge (see factorise), as a share of the largest diagonal element
	rsdRidgeGrowth = 100    // factor by which the ridge grows if the matrix has no Cholesky factor
	rsdFlat        = 1e-200 // the ridge is at least rsdRidge times this, so a step is finite even if the matrix is 0
)

// rsdNewton computes Newton steps of the master problem (see rsdMaster) in the free weights α and the free multipliers
// λ. Free means that the variable is not moved to 0. Each row of B is a point of free weight minus the point of largest
// weight in its simplex. W is the diagonal matrix of rsdProximal.weight, whose first entries are 1/(λ_i eˣ + γ + f″)
// (see rsdProximal). e is exp θ̄, and g and h are the gradients in α and λ. The step (a, l) solves
//
//	B W Bᵀ a + U l = g,   Uᵀ a + V l = h,   U_i = B_i W_i e_i,   V_ii = e_iᵀ W_i e_i.
//
// V is diagonal, so l is eliminated. The remaining matrix B W Bᵀ − U V⁻¹ Uᵀ is R Rᵀ. Each row of R is a row of B √W
// without its components along √W_i e_i, for each i with free λ_i. R Rᵀ is computed as this product and not as a
// difference of matrices, so it stays positive semidefinite in spite of rounding.
//
// The points become almost linearly dependent towards the end of a run. A step may then move weights that are 0 to
// negative values. Projecting these variables to 0 would make the step of all other variables wrong. So these variables
// are removed from the system, and the system is solved again.
type rsdNewton struct {
	rows   []float64 // the matrix R, row by row
	matrix []float64 // R Rᵀ, lower triangle
	right  []float64 // right-hand sides of the system with the matrix R Rᵀ
	factor []float64 // Cholesky factor of the rows and columns of R Rᵀ in kept
	step   []float64 // the step a in the weights of the kept variables
	root   []float64 // √W
	unit   []float64 // √W_i e_i divided by its norm, 0 where λ_i is fixed
	norm   []float64 // √V_ii, the norms of the vectors √W_i e_i
	moved  []float64 // Bᵀa, the change of z
	free   []int     // indices of the free variables
	kept   []int     // indices in free of the variables that are still in the system
}

// solve writes the steps of the free weights into vars, and the steps of the free multipliers λ_i into stepL. If a step
// would make a weight near 0 negative, solve marks this weight as fixed.
func (n *rsdNewton) solve(d *rsdProximal, vars []rsdVariable, gradient []float64, fixed []bool, stepL []float64) {
	width := len(d.weight)
	n.moved = models.Resize(n.moved, width)
	n.roots(d, fixed)
	n.free, n.kept = n.free[:0], n.kept[:0]
	for j := range vars {
		if !vars[j].fixed {
			n.kept = append(n.kept, len(n.free))
			n.free = append(n.free, j)
		}
	}
	if m := len(n.free); m > 0 {
		n.rows, n.right, n.step = models.Resize(n.rows, m*width), models.Resize(n.right, m), models.Resize(n.step, m)
		for k, j := range n.free {
			n.right[k] = n.row(n.rows[k*width:(k+1)*width], d.g.First, &vars[j], gradient)
		}
		n.matrix = models.Resize(n.matrix, m*m)
		blas64.Syrk(blas.NoTrans, 1, blas64.General{Rows: m, Cols: width, Stride: width, Data: n.rows}, 0,
			blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: n.matrix})
		for n.factorise(m); n.drop(vars, m); n.factorise(m) {
		}
	}
	clear(n.moved)
	for k, j := range n.kept {
		v := &vars[n.free[j]]
		v.step = n.step[k]
		floats.AddScaled(n.moved, v.step, v.point.z)
		floats.AddScaled(n.moved, -v.step, v.largest.z)
	}
	for i, g := range gradient {
		if fixed[i] {
			continue
		}
		stepL[i] = 0
		if v := n.norm[i] * n.norm[i]; v > 0 {
			var along float64
			for j := d.g.First[i]; j < d.g.First[i+1]; j++ {
				along += d.weight[j] * d.exp[j] * n.moved[j]
			}
			stepL[i] = (g - along) / v
		}
	}
}

// roots computes √W and, for each i with free λ_i, the unit vector along √W_i e_i (see rsdNewton).
func (n *rsdNewton) roots(d *rsdProximal, fixed []bool) {
	n.root, n.unit, n.norm = models.Resize(n.root, len(d.weight)), models.Resize(n.unit, len(d.exp)),
		models.Resize(n.norm, len(fixed))
	for j, w := range d.weight {
		n.root[j] = math.Sqrt(w)
	}
	for i := range fixed {
		var square float64
		lo, hi := d.g.First[i], d.g.First[i+1]
		for j := lo; j < hi; j++ {
			n.unit[j] = n.root[j] * d.exp[j]
			square += n.unit[j] * n.unit[j]
		}
		n.norm[i] = math.Sqrt(square)
		if fixed[i] || !(square > 0) {
			clear(n.unit[lo:hi])
			continue
		}
		for j := lo; j < hi; j++ {
			n.unit[j] /= n.norm[i]
		}
	}
}

// drop removes from the system the variables that are near 0 and that their step would make negative. It marks them as
// fixed, which means that they are moved to 0. drop reports whether it removed any variable.
func (n *rsdNewton) drop(vars []rsdVariable, m int) bool {
	at := 0
	for k, j := range n.kept {
		v := &vars[n.free[j]]
		if v.point.alpha > rsdActive || v.point.alpha+n.step[k] >= 0 {
			n.kept[at] = j
			at++
			continue
		}
		v.fixed = true
		for l := range m { // the weight changes by −alpha, which is known: move this term to the right-hand sides
			n.right[l] += n.matrix[max(j, l)*m+min(j, l)] * v.point.alpha
		}
	}
	some := at < len(n.kept)
	n.kept = n.kept[:at]
	return some
}

// row writes the row of R for the variable v into dst, and returns the right-hand side of the equation of v (see
// rsdNewton).
func (n *rsdNewton) row(dst []float64, start []int, v *rsdVariable, gradient []float64) float64 {
	right := v.gradient
	largest, root := v.largest.z[:len(dst)], n.root[:len(dst)]
	for j, x := range v.point.z[:len(dst)] {
		dst[j] = root[j] * (x - largest[j])
	}
	for i, g := range gradient {
		row := dst[start[i]:start[i+1]]
		unit := n.unit[start[i]:start[i+1]]
		unit = unit[:len(row)]
		var along float64
		for j, r := range row {
			along += r * unit[j]
		}
		if along == 0 { // always true if λ_i is fixed, because unit is then 0
			continue
		}
		for j, u := range unit {
			row[j] -= along * u
		}
		right -= along * g / n.norm[i]
	}
	return right
}

// factorise solves the equations of the kept variables in R Rᵀ a = right (see rsdNewton). It adds a ridge, which is a
// multiple of the unit matrix, because the points may be linearly dependent. The ridge grows until the sum has a
// Cholesky factor.
func (n *rsdNewton) factorise(m int) {
	kept := len(n.kept)
	if kept == 0 {
		return
	}
	n.factor = models.Resize(n.factor, kept*kept)
	largest := rsdFlat
	for _, j := range n.kept {
		largest = max(largest, n.matrix[j*m+j])
	}
	for ridge := rsdRidge * largest; ; ridge *= rsdRidgeGrowth {
		for k, j := range n.kept {
			row := n.factor[k*kept:]
			for l, i := range n.kept[:k+1] {
				row[l] = n.matrix[j*m+i]
			}
			row[k] += ridge
			n.step[k] = n.right[j]
		}
		if t, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: kept, Stride: kept, Data: n.factor}); ok {
			lapack64.Potrs(t, blas64.General{Rows: kept, Cols: 1, Stride: 1, Data: n.step})
			return
		}
		if !(ridge < largest*1e6) { // the matrix contains NaN
			dualspace.Scale(n.step[:kept], 1/largest)
			return
		}
	}
}
