package energy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/models"
)

// Linear penalises linear measurements of the marginals that are below a threshold:
//
//	L(μ) = Σ_j c_j h(a_j·μ − b_j)   over the measurements j
//
// h(z) is the hinge max(0, 1 − z), or the smoothed hinge of Rennie (2005),
//
//	h(z) = 1/2 − z for z ≤ 0,   (1 − z)²/2 for 0 < z < 1,   0 for z ≥ 1,
//
// whose gradient is Lipschitz continuous. So L prefers a_j·μ − b_j ≥ 0 with a margin of 1. The c_j are the parameters.
// L omits terms with c_j ≤ 0, so L is convex. AddParameterGradient still adds the derivatives by these c_j, so that
// learning can make them positive again.
//
// Rows has indices of the parts of one example. To measure counts of labels or of pairs of labels in chains of any
// length, wrap the energy in Totals.
type Linear struct {
	Weights  []float64       // the weights c_j of the measurements, shared by the energies of all examples
	Offsets  []float64       // the thresholds b_j; nil: zeros
	Rows     []models.Sparse // the measurements a_j, each a sparse vector with a number per part
	Smoothed bool            // use the smoothed hinge
}

var (
	_ Smooth     = Linear{}
	_ Leading    = Linear{}
	_ Parametric = Linear{}
)

// Check returns an error if lists have different lengths, if parts are out of order, or if numbers are not finite.
func (e Linear) Check() error {
	if len(e.Rows) != len(e.Weights) || e.Offsets != nil && len(e.Offsets) != len(e.Weights) {
		return fmt.Errorf("energy: %d measurements, %d weights and %d offsets: want equal numbers, or no offsets",
			len(e.Rows), len(e.Weights), len(e.Offsets))
	}
	for j, row := range e.Rows {
		if len(row.Index) != len(row.Value) {
			return fmt.Errorf("energy: measurement %d has %d parts and %d values: want equal numbers", j, len(row.Index),
				len(row.Value))
		}
		for i, r := range row.Index {
			if r < 0 || i > 0 && r <= row.Index[i-1] {
				return fmt.Errorf("energy: measurement %d has part %d at index %d: want parts ≥ 0 in increasing order", j, r, i)
			}
			if math.IsNaN(row.Value[i]) || math.IsInf(row.Value[i], 0) {
				return fmt.Errorf("energy: measurement %d has the value %v for part %d: want a finite number", j, row.Value[i], r)
			}
		}
		if math.IsNaN(e.Weights[j]) || math.IsInf(e.Weights[j], 0) {
			return fmt.Errorf("energy: measurement %d has the weight %v: want a finite number", j, e.Weights[j])
		}
	}
	return nil
}

// Value implements Energy.
func (e Linear) Value(mu []float64) float64 {
	var v float64
	for j, c := range e.Weights {
		if c > 0 {
			v += c * e.hinge(e.measure(j, mu))
		}
	}
	return v
}

// AddGradient implements Energy.
func (e Linear) AddGradient(g, mu []float64, c float64) {
	for j, weight := range e.Weights {
		if weight <= 0 {
			continue
		}
		if d := c * weight * e.slope(e.measure(j, mu)); d != 0 {
			row := e.Rows[j]
			for i, r := range row.Index {
				g[r] += d * row.Value[i]
			}
		}
	}
}

// Convex implements Energy.
func (e Linear) Convex() bool { return true }

// Lipschitz implements Smooth. The constant is the largest eigenvalue of Σ_j c_j a_j a_jᵀ, which is also the largest
// eigenvalue of the Gram matrix of the vectors √c_j a_j. The time is cubic in the number of measurements.
func (e Linear) Lipschitz() float64 {
	if !e.Smoothed {
		return math.Inf(1)
	}
	var used []int
	for j, c := range e.Weights {
		if c > 0 {
			used = append(used, j)
		}
	}
	if len(used) == 0 {
		return 0
	}
	gram := mat.NewSymDense(len(used), nil)
	for x, i := range used {
		for y, j := range used[:x+1] {
			gram.SetSym(x, y, math.Sqrt(e.Weights[i]*e.Weights[j])*product(e.Rows[i], e.Rows[j]))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, false) {
		return gram.Trace() // an upper bound of the eigenvalues
	}
	values := eigen.Values(nil)
	return max(0, values[len(values)-1])
}

// Leading implements the interface Leading: the number is 1 + the largest index of a part in Rows.
func (e Linear) Leading() int {
	var n int32
	for _, row := range e.Rows {
		if len(row.Index) > 0 {
			n = max(n, row.Index[len(row.Index)-1]+1)
		}
	}
	return int(n)
}

// Parameters implements Parametric. The parameters are the weights.
func (e Linear) Parameters() int { return len(e.Weights) }

// AddParameterGradient implements Parametric. The parameters are the weights c_j, and s is the true labelling. The
// method computes dc_j ← dc_j − h'(a_j·μ − b_j)(a_j·s − a_j·μ) (see Linear).
func (e Linear) AddParameterGradient(dpsi, mu, s []float64) {
	checkLengths(len(dpsi), len(e.Weights), "derivatives by parameters")
	for j, row := range e.Rows {
		d := e.slope(e.measure(j, mu))
		for i, r := range row.Index {
			dpsi[j] -= d * row.Value[i] * (s[r] - mu[r])
		}
	}
}

// measure returns a_j·μ − b_j, the value of measurement j minus its threshold (see Linear).
func (e Linear) measure(j int, mu []float64) float64 {
	row := e.Rows[j]
	var z float64
	for i, r := range row.Index {
		z += row.Value[i] * mu[r]
	}
	if e.Offsets != nil {
		z -= e.Offsets[j]
	}
	return z
}

// hinge returns h(z), the hinge or the smoothed hinge (see Linear).
func (e Linear) hinge(z float64) float64 {
	switch {
	case z >= 1:
		return 0
	case !e.Smoothed:
		return 1 - z
	case z > 0:
		return (1 - z) * (1 - z) / 2
	}
	return 0.5 - z
}

// slope returns h'(z), the derivative of hinge, or a subgradient at the kink of hinge.
func (e Linear) slope(z float64) float64 {
	switch {
	case z >= 1:
		return 0
	case e.Smoothed && z > 0:
		return z - 1
	}
	return -1
}

// product returns a·b.
func product(a, b models.Sparse) float64 {
	var s float64
	for i, j := 0, 0; i < len(a.Index) && j < len(b.Index); {
		switch {
		case a.Index[i] < b.Index[j]:
			i++
		case a.Index[i] > b.Index[j]:
			j++
		default:
			s += a.Value[i] * b.Value[j]
			i, j = i+1, j+1
		}
	}
	return s
}
