package interior

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// linear is the feature map of an example of SVM. SVM depends only on differences of scores. So for two classes that
// share one weight vector, or that have sparse features of any other kind, the score of class 0 is defined as 0, and
// the score of class 1 as factor·x·w, where factor·x = Aᵀ(1_1 − 1_0) for the map A. Otherwise each class has its own
// weights, and the score of class c is Σ_j x_j w[j·k + c], where k is the number of classes.
type linear struct {
	x      models.Row
	factor float64 // if shared, the score of class 1 is factor·x·w
	shared bool    // whether the classes share one weight vector
	k      int     // number of classes
}

// newLinear returns the map of an example; ok is false if the features have neither of the two forms of linear. The
// list of all indices, 0 to Dim−1, replaces a nil index of a dense row.
func newLinear(e *models.Example, all []int32) (m linear, ok bool) {
	m.k = e.Features.Parts()
	if f, isRow := e.Features.(models.RowMap); isRow {
		if x, half, isForm := f.Row(); isForm {
			if x.Index == nil {
				x.Index = all
			}
			m.x, m.factor, m.shared = x, 2*half, half != 0
			return m, true
		}
	}
	f, isSparse := e.Features.(models.SparseMap)
	if !isSparse || m.k != 2 {
		return m, false
	}
	var x models.Sparse
	f.Adjoint(&x, []float64{-1, 1})
	m.x, m.factor, m.shared = models.Row(x.Clone()), 1, true
	return m, true
}

// score writes the scores at weights w, up to a constant that is equal for all classes.
func (m *linear) score(theta, w []float64) {
	if m.shared {
		theta[0], theta[1] = 0, m.factor*m.x.Dot(w)
		return
	}
	m.x.Score(theta, w)
}

// addAdjoint adds c Aᵀv to w. The entries of v sum to 0.
func (m *linear) addAdjoint(w []float64, c float64, v []float64) {
	if m.shared {
		m.x.AddTo(w, c*m.factor*v[1])
		return
	}
	m.x.AddOuter(w, c, v)
}

// addCurvature adds c Aᵀ(diag d − d dᵀ/Σd)A to the lower triangle of a matrix h of dim × dim. It may also write above
// the diagonal, in the blocks of k × k that are on the diagonal. It uses scratch of k² floats. The entries of d are
// positive, and may differ by many orders of magnitude. So the diagonal of the k × k matrix is computed as the sum of
// its other entries, without cancellation.
func (m *linear) addCurvature(h []float64, dim int, c float64, d, scratch []float64) {
	total := 0.0
	for _, v := range d {
		total += v
	}
	if m.shared {
		f := c * m.factor * m.factor * d[0] / total * d[1]
		for s, i := range m.x.Index {
			row, v := h[int(i)*dim:], f*m.x.Value[s]
			for t, j := range m.x.Index[:s+1] {
				row[j] += v * m.x.Value[t]
			}
		}
		return
	}
	k := m.k
	for a := range k {
		sum := 0.0
		for b := range k {
			if a != b {
				v := c * d[a] / total * d[b]
				scratch[a*k+b] = -v
				sum += v
			}
		}
		scratch[a*k+a] = sum
	}
	for s, i := range m.x.Index {
		for a := range k {
			row, v, mine := h[(int(i)*k+a)*dim:], m.x.Value[s], scratch[a*k:(a+1)*k]
			for t, j := range m.x.Index[:s+1] {
				f, block := v*m.x.Value[t], row[int(j)*k:]
				block = block[:len(mine)]
				for b, q := range mine {
					block[b] += f * q
				}
			}
		}
	}
}

// toBoundary returns the largest step for which all components of v + step·d are ≥ 0, where d = from + share (to −
// from). The step may be infinite.
func toBoundary(v, from, to []float64, share float64) float64 {
	step := math.Inf(1)
	for j, x := range from {
		if d := x + share*(to[j]-x); d < 0 && v[j]+step*d < 0 {
			step = -v[j] / d
		}
	}
	return step
}

// Work returns the approximate number of multiplications of an iteration of SVM, and of one computation of the scores
// of all examples. SVM must support p (see solvers.Missing).
func Work(p *models.Risk) (iteration, scores float64) {
	for i := range p.Examples {
		m, _ := newLinear(&p.Examples[i], nil)
		products := float64(len(m.x.Value))
		if !m.shared {
			products *= float64(m.k)
		}
		scores += products
		iteration += products * products / 2
	}
	dim := float64(p.Dim)
	return iteration + directions*2*scores + dim*dim*dim/6, scores
}
