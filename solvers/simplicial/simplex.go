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
// of which z is μ; where the penalty is quadratic there is no η, and the sums Σ_s β_k(s) of all examples follow in z.
type rsdPoint struct {
	z     []float64
	omega float64
	alpha float64 // its weight
}

// rsdSimplex is an inner approximation of D, or of the part of it that a working set spans: the convex hull of
// points, of which α picks one, z = Σ_j α_j z^j. It begins with the origin, β = 0.
type rsdSimplex struct {
	points  []*rsdPoint
	limit   int
	z       []float64
	omega   float64
	largest *rsdPoint   // by weight, when it was last picked
	spare   [][]float64 // memory of points that are gone
}

func newRSDSimplex(width, limit int) *rsdSimplex {
	return &rsdSimplex{points: []*rsdPoint{{z: make([]float64, width), alpha: 1}}, limit: limit, z: make([]float64, width)}
}

// vector returns memory for a point, which add takes.
func (s *rsdSimplex) vector() []float64 {
	if n := len(s.spare); n > 0 {
		v := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return v
	}
	return make([]float64, len(s.z))
}

// add takes points in, with weight 0. If there are more than the limit then, those with the smallest weights go, and
// where they have weights their mean comes in. With that, z stays where it is, and in the hull; the paper lets z
// itself come in, whose hull with the points that stay is a part of this one, and leaves all of them without weight.
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

// mean returns one point for several, with the weight of all.
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

// has reports whether a point is there.
func (s *rsdSimplex) has(p *rsdPoint) bool {
	return slices.ContainsFunc(s.points, func(q *rsdPoint) bool { return q.omega == p.omega && slices.Equal(q.z, p.z) })
}

// move sets z and ω to those of the weights.
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

// pick returns the point with the largest weight.
func (s *rsdSimplex) pick() *rsdPoint {
	s.largest = s.points[0]
	for _, p := range s.points {
		if p.alpha > s.largest.alpha {
			s.largest = p
		}
	}
	return s.largest
}

// balance gives the point that was picked what the others leave of 1, and reports whether that is positive.
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

// rsdMajor is what weights of major_points are above.
const rsdMajor = 1e-3

// support returns the number of points with a weight above a limit.
func (s *rsdSimplex) support(above float64) int {
	n := 0
	for _, p := range s.points {
		if p.alpha > above {
			n++
		}
	}
	return n
}
