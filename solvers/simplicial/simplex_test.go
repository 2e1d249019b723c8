package simplicial

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestRSDSimplexMerges checks random sequences of add: the present point stays the same, the limit holds, the new
// points and the points of larger weight stay, and no two points share memory.
func TestRSDSimplexMerges(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 6))
	for round := range 60 {
		limit := 2 + rng.IntN(5)
		s := newRSDSimplex(3, limit)
		for range 12 {
			weights := make([]float64, len(s.points))
			for k := range weights {
				weights[k] = rng.ExpFloat64() * float64(rng.IntN(3)) // a third of the weights is 0
			}
			weights[rng.IntN(len(weights))] += 0.1
			sum := floats.Sum(weights)
			for k, p := range s.points {
				p.alpha = weights[k] / sum
			}
			s.move()
			z, omega, old := slices.Clone(s.z), s.omega, slices.Clone(s.points)
			want, wantOmega := make([]float64, 3), 0.0
			for _, p := range old {
				floats.AddScaled(want, p.alpha, p.z)
				wantOmega += p.alpha * p.omega
			}
			if floats.Distance(z, want, 2) > 1e-12 || math.Abs(omega-wantOmega) > 1e-12 {
				t.Fatalf("round %d: the present point is %v, %v, want %v, %v", round, z, omega, want, wantOmega)
			}
			var fresh []*rsdPoint
			for range 1 + rng.IntN(limit-1) {
				p := &rsdPoint{z: s.vector(), omega: rng.NormFloat64()}
				for j := range p.z {
					p.z[j] = rng.NormFloat64()
				}
				fresh = append(fresh, p)
			}
			s.add(fresh...)
			s.move()
			if floats.Distance(s.z, z, 2) > 1e-12 || math.Abs(s.omega-omega) > 1e-12 {
				t.Errorf("round %d: the present point changes from %v, %v to %v, %v", round, z, omega, s.z, s.omega)
			}
			if most := max(limit, len(fresh)+1); len(s.points) > most ||
				len(s.points) < min(most, len(old)+len(fresh)) {
				t.Errorf("round %d: %d points after %d and %d new ones, with limit %d", round, len(s.points), len(old),
					len(fresh), limit)
			}
			lost, kept, total := 0.0, math.Inf(1), 0.0
			for _, p := range old {
				if slices.Contains(s.points, p) {
					kept = min(kept, p.alpha)
				} else {
					lost = max(lost, p.alpha)
				}
			}
			for k, p := range s.points {
				total += p.alpha
				for _, q := range s.points[:k] {
					if &p.z[0] == &q.z[0] {
						t.Errorf("round %d: two points share memory", round)
					}
				}
			}
			for _, p := range fresh {
				if !slices.Contains(s.points, p) || p.alpha != 0 {
					t.Errorf("round %d: a new point is missing or has weight %v", round, p.alpha)
				}
			}
			if lost > kept || math.Abs(total-1) > 1e-12 {
				t.Errorf("round %d: a point of weight %v is removed and one of %v stays; the weights' sum is %v", round, lost,
					kept, total)
			}
		}
	}
}

// TestRSDBalance checks the weights of a simplex after a step: the weight of the largest point is what the others
// leave.
func TestRSDBalance(t *testing.T) {
	s := &rsdSimplex{}
	for _, alpha := range []float64{0.2, 0.4, 0.4} {
		s.points = append(s.points, &rsdPoint{z: []float64{alpha}, alpha: alpha})
	}
	if s.pick() != s.points[1] || s.largest != s.points[1] {
		t.Error("the point of largest weight is not the first one of weight 0.4")
	}
	for _, c := range []struct{ first, last, want float64 }{{0.1, 0.2, 0.7}, {0.5, 0.5, 0}, {0.5, 0.8, 0}} {
		s.points[0].alpha, s.points[2].alpha = c.first, c.last
		if inside := s.balance(); inside != (c.want > 0) || math.Abs(s.points[1].alpha-c.want) > 1e-15 {
			t.Errorf("weights %v and %v leave %v (positive: %v), want %v", c.first, c.last, s.points[1].alpha, inside, c.want)
		}
	}
	p := rsdPoint{z: []float64{0.4}}
	q := rsdPoint{z: []float64{0.4}, omega: 1}
	if !s.has(&p) || s.has(&q) || s.has(&rsdPoint{z: []float64{0.3}}) {
		t.Error("has must compare both z and ω")
	}
}

// TestRSDSets checks for each variant how many subsets and simplices there are, how many points a simplex may have,
// which simplices a master problem moves, and what the offset of the others is.
func TestRSDSets(t *testing.T) {
	for _, c := range []struct {
		variant                            string
		limit, sets, simplices, most, free int
		inner                              int
	}{
		{rsdNone, 9, 1, 1, 9, 1, 1}, {rsdCoordinate, 9, 4, 4, 9, 1, 5}, {rsdOnline, 9, 4, 1, 9, 1, 5},
		{rsdCombined, 9, 4, 4, 3, 4, 5}, {rsdCombined, 22, 4, 4, 5, 4, 5},
	} {
		r := New()
		r.WorkingSets, r.Sets, r.SimplexLimit, r.Inner = c.variant, 4, c.limit, 5
		s := newRSDSets(r, 11, 2, 1)
		if s.count() != c.sets || len(s.simplices) != c.simplices || s.inner != c.inner ||
			s.bounds[0] != 0 || s.bounds[c.sets] != 11 {
			t.Errorf("%+v: %d subsets with bounds %v, %d simplices, inner %d", c, s.count(), s.bounds, len(s.simplices), s.inner)
		}
		for k, x := range s.simplices {
			x.z[0], x.z[1], x.omega = float64(k+1), 10*float64(k+1), 100*float64(k+1)
			if x.limit != c.most {
				t.Errorf("%+v: the limit of a simplex is %d", c, x.limit)
			}
			x.points[0].alpha = 0.5
			x.points = append(x.points, &rsdPoint{alpha: 0.5 - 1e-4}, &rsdPoint{alpha: 1e-4}, &rsdPoint{})
		}
		if all, support, major := s.points(); all != 4*c.simplices || support != 3*c.simplices || major != 2*c.simplices {
			t.Errorf("%+v: points = %d, %d, %d, want 4, 3, 2 in each simplex", c, all, support, major)
		}
		s.at = c.sets - 1
		mine := s.simplices[c.simplices-1]
		if free := s.free(); s.present() != mine || len(free) != c.free || !slices.Contains(free, mine) {
			t.Errorf("%+v: %d simplices are free", c, len(free))
		}
		if z, omega := s.own(); &z[0] != &mine.z[0] || omega != mine.omega {
			t.Errorf("%+v: the present point is %v, %v", c, z, omega)
		}
		m := &rsdMaster{offset: []float64{7, 7}, offsetW: 7}
		for range 2 { // the second call must not add to the first
			s.fix(m)
			want := []float64{0, 0, 0}
			if c.variant == rsdCoordinate {
				want = []float64{6, 60, 600}
			}
			if got := append(slices.Clone(m.offset), m.offsetW); !slices.Equal(got, want) {
				t.Errorf("%+v: the offset is %v, want %v", c, got, want)
			}
		}
	}
}
