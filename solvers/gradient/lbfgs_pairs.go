package gradient

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
)

// Vectors are divided into blocks, and the sums of the blocks are added in order, so no result depends on the number of
// workers. An operation on several vectors treats a block in short pieces, which fit in the processor's cache.
const (
	vectorBlocks = 64      // largest number of blocks
	vectorBlock  = 1 << 13 // least number of components of a block
	vectorPiece  = 1 << 10 // number of components of a piece, 8 kB of each vector
)

// pairs stores the last steps s_i = w' − w of L-BFGS and the changes y_i = ∇P(w') − ∇P(w) of the gradient, the oldest
// first, with their inner products. The inner products make it possible to run the two loops of Nocedal and Wright
// (2006, algorithm 7.4) on the coefficients of the stored vectors (Chen, Wang and Zhou 2014, "Large-scale L-BFGS using
// MapReduce", algorithm 3). A step then needs one pass over the vectors for the products and one pass for the sum. The
// original loops would need four passes for each pair.
type pairs struct {
	p      *models.Risk
	most   int         // largest number of pairs
	s, y   [][]float64 // steps s_i and changes y_i of the gradient
	sy, yy [][]float64 // inner products s_iᵀy_j and y_iᵀy_j
	sg, yg []float64   // s_iᵀg and y_iᵀg, for the present gradient g
	blocks int
	part   []float64 // working memory of the method sums: the sums of each block
}

func newPairs(p *models.Risk, most int) *pairs {
	return &pairs{p: p, most: most, blocks: min(vectorBlocks, max(1, p.Dim/vectorBlock))}
}

// direction writes d = −H g, where H approximates the inverse of the Hessian. It returns the slope dᵀg, and the first
// step length that the line search should try.
func (m *pairs) direction(d, g []float64) (slope, step float64) {
	if len(m.s) == 0 {
		floats.ScaleTo(d, -1, g)
		square := m.dot(g, g)
		return -square, 1 / math.Sqrt(square)
	}
	gamma, alpha, weight := m.coefficients()
	slope = m.sums(1, func(sum []float64, lo, hi int) {
		d, g := d[lo:hi], g[lo:hi]
		floats.ScaleTo(d, -gamma, g)
		for i := range m.s {
			floats.AddScaled(d, gamma*alpha[i], m.y[i][lo:hi])
			floats.AddScaled(d, -weight[i], m.s[i][lo:hi])
		}
		sum[0] += floats.Dot(d, g)
	})[0]
	return slope, 1
}

// coefficients returns the coefficients in H g = γ(g − Σ α_i y_i) + Σ weight_i s_i, where H approximates the inverse of
// the Hessian, (s_i, y_i) are the pairs, and γ = sᵀy/yᵀy of the newest pair. The first loop goes from the newest pair
// to the oldest and computes α_i = s_iᵀ(g − Σ_{j>i} α_j y_j)/s_iᵀy_i. The second loop goes from the oldest pair to the
// newest and computes weight_i = α_i − β_i with β_i = y_iᵀ(γ(g − Σ_j α_j y_j) + Σ_{j<i} weight_j s_j)/s_iᵀy_i.
func (m *pairs) coefficients() (gamma float64, alpha, weight []float64) {
	k := len(m.s)
	gamma = m.sy[k-1][k-1] / m.yy[k-1][k-1]
	alpha, weight = make([]float64, k), make([]float64, k)
	for i := k - 1; i >= 0; i-- {
		alpha[i] = (m.sg[i] - floats.Dot(alpha[i+1:], m.sy[i][i+1:])) / m.sy[i][i]
	}
	for i := range k {
		beta := gamma * (m.yg[i] - floats.Dot(alpha, m.yy[i]))
		for j := range i {
			beta += weight[j] * m.sy[j][i]
		}
		weight[i] = alpha[i] - beta/m.sy[i][i]
	}
	return gamma, alpha, weight
}

// add stores the pair of the step between two points. If there are already `most` pairs, it replaces the oldest pair.
func (m *pairs) add(from, to *point) {
	m.makeRoom()
	k := len(m.s)
	s, y := m.s[k-1], m.y[k-1]
	products := m.sums(5*k, func(sum []float64, lo, hi int) {
		s, y, g := s[lo:hi], y[lo:hi], to.g[lo:hi]
		floats.SubTo(s, to.w[lo:hi], from.w[lo:hi])
		floats.SubTo(y, g, from.g[lo:hi])
		for i := range k {
			si, yi := m.s[i][lo:hi], m.y[i][lo:hi]
			sum[5*i] += floats.Dot(s, yi)
			sum[5*i+1] += floats.Dot(y, yi)
			sum[5*i+2] += floats.Dot(si, y)
			sum[5*i+3] += floats.Dot(si, g)
			sum[5*i+4] += floats.Dot(yi, g)
		}
	})
	for i := range k {
		x := products[5*i:]
		m.sy[k-1][i], m.yy[k-1][i], m.yy[i][k-1], m.sy[i][k-1] = x[0], x[1], x[1], x[2]
		m.sg[i], m.yg[i] = x[3], x[4]
	}
}

// makeRoom makes memory for a new pair at the end of the lists. If there are already `most` pairs, it moves the oldest
// pair to the end, so that its memory is reused. makeRoom changes the rows and columns of the inner products in the
// same way.
func (m *pairs) makeRoom() {
	if k := len(m.s); k < m.most {
		m.s, m.y = append(m.s, make([]float64, m.p.Dim)), append(m.y, make([]float64, m.p.Dim))
		m.sg, m.yg = append(m.sg, 0), append(m.yg, 0)
		m.sy, m.yy = append(m.sy, make([]float64, k)), append(m.yy, make([]float64, k))
		for i := range m.sy {
			m.sy[i], m.yy[i] = append(m.sy[i], 0), append(m.yy[i], 0)
		}
		return
	}
	for _, rows := range [][][]float64{m.s, m.y, m.sy, m.yy} {
		oldest := rows[0]
		copy(rows, rows[1:])
		rows[len(rows)-1] = oldest
	}
	for i := range m.sy {
		copy(m.sy[i], m.sy[i][1:])
		copy(m.yy[i], m.yy[i][1:])
	}
}

// move writes to = from + step·d, and reports whether to differs from from.
func (m *pairs) move(to, from []float64, step float64, d []float64) bool {
	return m.sums(1, func(sum []float64, lo, hi int) {
		floats.AddScaledTo(to[lo:hi], from[lo:hi], step, d[lo:hi])
		if !floats.Equal(to[lo:hi], from[lo:hi]) {
			sum[0] = 1
		}
	})[0] > 0
}

// dot returns the inner product aᵀb.
func (m *pairs) dot(a, b []float64) float64 {
	return m.sums(1, func(sum []float64, lo, hi int) { sum[0] += floats.Dot(a[lo:hi], b[lo:hi]) })[0]
}

// sums computes k sums over all components. f adds the contributions of the components lo to hi − 1 to its argument
// sum. The result is valid until the next call.
func (m *pairs) sums(k int, f func(sum []float64, lo, hi int)) []float64 {
	m.part = models.Resize(m.part, m.blocks*k)
	clear(m.part)
	m.p.InBlocks(m.p.Dim, m.blocks, func(b, lo, hi int) {
		for ; lo < hi; lo += vectorPiece {
			f(m.part[b*k:(b+1)*k], lo, min(lo+vectorPiece, hi))
		}
	})
	for b := 1; b < m.blocks; b++ {
		floats.Add(m.part[:k], m.part[b*k:(b+1)*k])
	}
	return m.part[:k]
}
