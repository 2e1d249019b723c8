package simplicial

import (
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"gonum.org/v1/gonum/floats"
)

// rsdSets divides the examples into subsets t = 1, ..., m. Each round computes its direction on one subset (section 3.1
// of the paper of Yu, Bertsekas and Rousu). Let D be the polyhedron of rsdPoint, and D_t the subset of D where the
// multipliers β of all examples outside of subset t are 0. Then D = D_1 + ... + D_m. The variants are:
//
//	none        one subset, and one simplex
//	coordinate  each subset has its own simplex within D_t, and a master problem moves only this simplex and the
//	            multipliers λ
//	online      one simplex contains the points of all D_t
//	combined    the simplices are as with coordinate, and each master problem moves all of them
//
// A visit to a subset consists of at most inner consecutive rounds. In the variant online, the convex hull of the
// points of subsets is smaller than D, and the best point of the hull may be far from the best point of D.
type rsdSets struct {
	simplices []*rsdSimplex   // one for each subset, or one for all
	bounds    []int           // subset t consists of the examples bounds[t], ..., bounds[t+1]−1
	order     dualspace.Order // order of the subsets
	inner     int             // largest number of rounds in a visit to a subset
	variant   string          // none, coordinate, online or combined

	at     int  // index of the present subset
	rounds int  // number of rounds so far in the present visit
	over   bool // whether the present visit has ended
	visits int  // total number of visits to subsets
}

func newRSDSets(r *RSD, n, width int, seed uint64) rsdSets {
	sets, simplices, limit := r.Sets, r.Sets, r.SimplexLimit
	s := rsdSets{inner: r.Inner, variant: r.WorkingSets, over: true}
	order := r.Order
	switch r.WorkingSets {
	case rsdNone:
		sets, simplices, s.inner, order = 1, 1, 1, "cyclic"
	case rsdOnline:
		simplices = 1
	case rsdCombined:
		limit = max(3, limit/sets)
	}
	for t := range sets + 1 {
		s.bounds = append(s.bounds, t*n/sets)
	}
	for range simplices {
		s.simplices = append(s.simplices, newRSDSimplex(width, limit))
	}
	s.order = dualspace.NewOrder(order, sets, seed, dualspace.StreamRSD)
	return s
}

// next returns the working set of the next round: the examples lo to hi − 1.
func (s *rsdSets) next() (lo, hi int) {
	if s.over {
		s.at, s.rounds, s.over = s.order.Next(), 0, false
		s.visits++
	}
	s.rounds++
	return s.bounds[s.at], s.bounds[s.at+1]
}

// done ends a round whose first-order ascent is G. The visit to the subset ends if it has lasted inner rounds, or if G
// is at most the subset's share of the tolerance δ_m of rsdCentre.
func (s *rsdSets) done(ascent, tolerance float64) {
	s.over = s.rounds >= s.inner || ascent <= tolerance/float64(s.count())
}

// fresh reports whether the round is the first of its visit.
func (s *rsdSets) fresh() bool { return s.rounds == 1 }

// swept reports whether the present visit has ended and all subsets have been visited since swept was last true.
func (s *rsdSets) swept() bool { return s.over && s.visits%s.count() == 0 }

// count returns the number of subsets.
func (s *rsdSets) count() int { return len(s.bounds) - 1 }

// present returns the simplex to which the points of this round are added.
func (s *rsdSets) present() *rsdSimplex {
	if len(s.simplices) == 1 {
		return s.simplices[0]
	}
	return s.simplices[s.at]
}

// own returns the present point (z, ω) of the simplex to which the points of this round are added.
func (s *rsdSets) own() (z []float64, omega float64) {
	x := s.present()
	return x.z, x.omega
}

// free returns the simplices over which a master problem maximises.
func (s *rsdSets) free() []*rsdSimplex {
	if s.variant == rsdCombined {
		return s.simplices
	}
	return []*rsdSimplex{s.present()}
}

// fix sets the offset of the master problem: the sum of the present points of the simplices that it does not move.
func (s *rsdSets) fix(m *rsdMaster) {
	clear(m.offset)
	m.offsetW = 0
	if s.variant != rsdCoordinate {
		return
	}
	for _, x := range s.simplices {
		if x != s.present() {
			floats.Add(m.offset, x.z)
			m.offsetW += x.omega
		}
	}
}

// points returns three numbers of points in all simplices: all points, the points with positive weight, and the points
// with a weight above rsdMajor.
func (s *rsdSets) points() (all, support, major int) {
	for _, x := range s.simplices {
		all += len(x.points)
		support += x.support(0)
		major += x.support(rsdMajor)
	}
	return all, support, major
}
