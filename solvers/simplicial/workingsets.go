package simplicial

import (
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"gonum.org/v1/gonum/floats"
)

// rsdSets cuts the examples into subsets K_t, on which rounds find directions (section 3.1):
//
//	none        one subset, and one simplex
//	coordinate  D = D_1 + ... + D_m: each subset has a simplex of its own within D_t, and a master problem moves that
//	            one and λ alone
//	online      D_t is a part of D, the multipliers of all other examples being 0: one simplex takes the points of all
//	            subsets
//	combined    the simplices of coordinate, of which a master problem moves all
//
// A visit of a subset is at most `inner` rounds. With one simplex for all, the convex hull of points of subsets is
// less than D, and its best point may be far from the best of D.
type rsdSets struct {
	simplices []*rsdSimplex
	bounds    []int // subset t are the examples bounds[t] .. bounds[t+1]−1
	order     dualspace.Order
	inner     int
	variant   string

	at     int // the present subset
	rounds int // on it
	over   bool
	visits int // of subsets, in total
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

// next returns the working set of a round.
func (s *rsdSets) next() (lo, hi int) {
	if s.over {
		s.at, s.rounds, s.over = s.order.Next(), 0, false
		s.visits++
	}
	s.rounds++
	return s.bounds[s.at], s.bounds[s.at+1]
}

// done ends a round that found an ascent G: the subset's turn is over when that was its last, or when G is below its
// share of δ_m.
func (s *rsdSets) done(ascent, tolerance float64) {
	s.over = s.rounds >= s.inner || ascent <= tolerance/float64(s.count())
}

// fresh reports whether the round is the first on its subset.
func (s *rsdSets) fresh() bool { return s.rounds == 1 }

// swept reports whether the present subset's turn is over and each subset has had one since the last sweep.
func (s *rsdSets) swept() bool { return s.over && s.visits%s.count() == 0 }

// count returns the number of subsets.
func (s *rsdSets) count() int { return len(s.bounds) - 1 }

// present returns the simplex that takes the round's points.
func (s *rsdSets) present() *rsdSimplex {
	if len(s.simplices) == 1 {
		return s.simplices[0]
	}
	return s.simplices[s.at]
}

// own returns the present point of the simplex that present returns.
func (s *rsdSets) own() (z []float64, omega float64) {
	x := s.present()
	return x.z, x.omega
}

// free returns the simplices that a master problem moves.
func (s *rsdSets) free() []*rsdSimplex {
	if s.variant == rsdCombined {
		return s.simplices
	}
	return []*rsdSimplex{s.present()}
}

// fix gives the master problem the sum of the points of the simplices that stay.
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

// points returns the number of points in all simplices, of those with a weight, and of those with a large weight.
func (s *rsdSets) points() (all, support, major int) {
	for _, x := range s.simplices {
		all += len(x.points)
		support += x.support(0)
		major += x.support(rsdMajor)
	}
	return all, support, major
}
