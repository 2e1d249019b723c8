package simplicial

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// rsdPoint is a point (μ, ω) of the polyhedron
//
//	D = {Σ_k Σ_s β_k(s) (a_k(s), b_k(s)): β ≥ 0, Σ_s β_k(s) ≤ η},
//
// in which the dual of RSD's problem varies. models.Generative defines a_k(s), b_k(s) and η. The multiplier β_k(s)
// belongs to labelling s of example k. z consists of μ. If the penalty is quadratic, β has no upper bound η, and the
// sums σ_k = Σ_s β_k(s) of all examples k follow μ in z.
type rsdPoint struct {
	z     []float64 // the vector μ, followed by the sums σ if the penalty is quadratic
	omega float64   // the linear term ω = Σ_k Σ_s β_k(s) b_k(s)
	alpha float64   // weight of the point in its simplex
}

// rsdSimplex is an inner approximation of the polyhedron D of rsdPoint, or of the subset D_t of D that belongs to a
// working set (see rsdSets). It is the convex hull of points z^j. The weights α define the present point z = Σ_j α_j
// z^j. At first the origin, with all multipliers β = 0, is the only point.
type rsdSimplex struct {
	points  []*rsdPoint
	limit   int         // largest number of points
	z       []float64   // z of the present point
	omega   float64     // ω of the present point
	largest *rsdPoint   // the point of largest weight at the last call of pick
	spare   [][]float64 // memory of removed points, for reuse
}

func newRSDSimplex(width, limit int) *rsdSimplex {
	return &rsdSimplex{points: []*rsdPoint{{z: make([]float64, width), alpha: 1}}, limit: limit, z: make([]float64, width)}
}

// vector returns a slice for z of a new point that is to be passed to add; its contents are arbitrary.
func (s *rsdSimplex) vector() []float64 {
	if n := len(s.spare); n > 0 {
		v := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return v
	}
	return make([]float64, len(s.z))
}

// add adds points with weight 0. If there are then more points than the limit, add removes the points with the smallest
// weights. If these weights are positive, the weighted mean of the removed points is added in their place. So the
// present point z does not change and stays in the hull. The paper of Yu, Bertsekas and Rousu adds z instead of the
// mean, and gives all other points weight 0. The hull of z and the remaining points is a subset of the hull here.
func (s *rsdSimplex) add(points ...*rsdPoint) {
	if excess := len(s.points) + len(points) - s.limit; excess > 0 {
		slices.SortStableFunc(s.points, func(p, q *rsdPoint) int { return cmp.Compare(q.alpha, p.alpha) })
		keep := max(0, len(s.points)-excess)
		if keep < len(s.points) && s.points[keep].alpha > 0 {
			keep = max(0, keep-1)
			points = append(points, s.mean(s.points[keep:]))
		}
		for _, p := range s.points[keep:] {
			s.spare = append(s.spare, p.z)
		}
		clear(s.points[keep:])
		s.points = s.points[:keep]
	}
	s.points = append(s.points, points...)
}

// mean returns the weighted mean of the points, as a point with the sum of their weights.
func (s *rsdSimplex) mean(points []*rsdPoint) *rsdPoint {
	m := &rsdPoint{z: s.vector()}
	clear(m.z)
	for _, p := range points {
		m.alpha += p.alpha
	}
	for _, p := range points {
		share := p.alpha / m.alpha
		floats.AddScaled(m.z, share, p.z)
		m.omega += share * p.omega
	}
	return m
}

// has reports whether the simplex already contains a point equal to p.
func (s *rsdSimplex) has(p *rsdPoint) bool {
	return slices.ContainsFunc(s.points, func(q *rsdPoint) bool { return q.omega == p.omega && slices.Equal(q.z, p.z) })
}

// move computes the present point (z, ω) from the weights of the points.
func (s *rsdSimplex) move() {
	clear(s.z)
	s.omega = 0
	for _, p := range s.points {
		if p.alpha > 0 {
			floats.AddScaled(s.z, p.alpha, p.z)
			s.omega += p.alpha * p.omega
		}
	}
}

// pick returns the point with the largest weight, and stores it in the field largest.
func (s *rsdSimplex) pick() *rsdPoint {
	s.largest = s.points[0]
	for _, p := range s.points {
		if p.alpha > s.largest.alpha {
			s.largest = p
		}
	}
	return s.largest
}

// balance sets the weight of the point in the field largest to 1 minus the sum of the other weights, or to 0 if this
// difference is negative. It reports whether the difference is positive.
func (s *rsdSimplex) balance() bool {
	rest := 1.0
	for _, p := range s.points {
		if p != s.largest {
			rest -= p.alpha
		}
	}
	s.largest.alpha = max(0, rest)
	return rest > 0
}

// rsdMajor is the weight above which a point counts in the statistic major_points.
const rsdMajor = 1e-3

// support returns the number of points with a weight larger than above.
func (s *rsdSimplex) support(above float64) int {
	n := 0
	for _, p := range s.points {
		if p.alpha > above {
			n++
		}
	}
	return n
}
