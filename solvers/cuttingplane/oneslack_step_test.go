package cuttingplane

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestOneSlackCounts checks the statistics of the working set, including the case that some constraints have the
// multiplier 0.
func TestOneSlackCounts(t *testing.T) {
	idle := 0
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		for _, drop := range []int{0, 2} {
			s := newOneSlackState(&OneSlack{Epsilon: 1e-3, CacheRule: "svmstruct", Step: "qp", Drop: drop}, p, solvers.Env{})
			most, widest := 0.0, 0.0
			for it := range testbed.Iterates(t, s.Run(p.Lambda)) {
				support, size := 0., float64(len(s.dual.Alpha()))
				for _, a := range s.dual.Alpha() {
					if a != 0 {
						support++
					}
				}
				stats := testbed.EndAt(it).Stats
				if stats["support_vectors"] != support || stats["working_set"] != size {
					t.Fatalf("epoch %d: support_vectors = %v and working_set = %v, want %v and %v", it.Epoch,
						stats["support_vectors"], stats["working_set"], support, size)
				}
				idle += int(size - support)
				most = max(most, size)
				if got := stats["radius_sq_seen"]; got < widest {
					t.Fatalf("drop %d, epoch %d: radius_sq_seen = %v, want at least the earlier %v", drop, it.Epoch, got, widest)
				}
				widest = max(widest, stats["radius_sq_seen"])
				for i, at := range s.sep.chosen {
					if at.y != nil {
						psi := testbed.Difference(p.Dim, &p.Examples[i], at.y)
						if sq := dualspace.Dot(psi, psi); sq > widest*(1+1e-12) {
							t.Fatalf("drop %d, epoch %d: radius_sq_seen = %v, want at least |ψ|² = %v of example %d", drop, it.Epoch,
								widest, sq, i)
						}
					}
				}
				if got := stats["working_set_most"]; got < most || drop == 0 && got != most || got > float64(it.Epoch) {
					t.Fatalf("drop %d, epoch %d: working_set_most = %v, want %v (or more with drop, up to the epoch)", drop, it.Epoch,
						got, most)
				}
			}
			if drop == 0 && most < 3 {
				t.Errorf("the working set had at most %v constraints: want a problem with 3 or more", most)
			}
		}
	})
	if idle == 0 {
		t.Error("no multiplier was ever 0: want a problem with idle constraints")
	}
}

// TestOneSlackMemory checks that a constraint is removed from the working set after exactly Drop consecutive QPs in
// which its multiplier is 0.
func TestOneSlackMemory(t *testing.T) {
	const drop = 3
	left := 0
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		s := newOneSlackState(&OneSlack{Epsilon: 1e-4, CacheRule: "svmstruct", Step: "qp", Drop: drop}, p, solvers.Env{})
		idle, epoch := map[*float64]int{}, 0 // the key is the address of the first value of a constraint
		for it := range testbed.Iterates(t, s.Run(p.Lambda)) {
			if it.Epoch == epoch {
				continue // no QP was solved since the last iterate
			}
			epoch = it.Epoch
			now := map[*float64]int{}
			for k, a := range s.dual.Alpha() {
				at := &s.g[k].Value[0]
				if now[at] = idle[at] + 1; a > 0 {
					now[at] = 0
				}
				if now[at] >= drop {
					t.Fatalf("QP %d: a constraint is kept after %d QPs with multiplier 0, want it removed after %d", epoch, now[at],
						drop)
				}
			}
			for at, n := range idle {
				if _, kept := now[at]; !kept {
					if left++; n != drop-1 {
						t.Fatalf("QP %d: a constraint is removed after %d QPs with multiplier 0, want %d", epoch, n+1, drop)
					}
				}
			}
			idle = now
		}
	})
	if left == 0 {
		t.Error("no constraint was removed: want some")
	}
}

// cached returns a state at w = 0 whose cache has one wrong labelling of each example, each with label loss 3. So the
// mean violation is 3, and ξ = 0. The argument full is the violation beyond ξ of the last constraint from the oracle.
func cached(t *testing.T, rule string, eps, full float64) *oneSlackState {
	t.Helper()
	p := planeCases(t)[0].Task.Objective(models.Hinge(), 1).(*models.Risk)
	s := newOneSlackState(&OneSlack{Epsilon: eps, Cache: 2, CacheRule: rule, Step: "qp"}, p, solvers.Env{})
	for i, e := range p.Examples {
		s.sep.keep(i, labelling{models.Vertex{(e.Truth[0] + 1) % 4}, 3})
	}
	s.passes, s.full = 1, full
	return s
}

// TestOneSlackCacheRule checks when a constraint from the cache is accepted. Let V be the violation at the last oracle
// pass. With cache_rule: svmstruct, the constraint consists of the cached labellings whose violation is more than V/2,
// and its violation must exceed ε and V/10. With cache_rule: paper, the constraint consists of all violated cached
// labellings, and its violation must exceed ε.
func TestOneSlackCacheRule(t *testing.T) {
	for _, c := range []struct {
		rule      string
		eps, full float64
		want      bool
	}{
		{"svmstruct", 0.1, 5.9, true}, {"svmstruct", 0.1, 6.1, false}, // the violation 3 must be more than full/2
		{"svmstruct", 2.9, 5.9, true}, {"svmstruct", 3.1, 5.9, false}, // the violation 3 must be more than eps
		{"paper", 0.1, 6.1, true}, {"paper", 0.1, 1000, true}, {"paper", 3.1, 0.1, false},
	} {
		if got := cached(t, c.rule, c.eps, c.full).fromCache(); got != c.want {
			t.Errorf("%s, ε = %v, last violation %v: fromCache = %v with a violation of 3, want %v", c.rule, c.eps, c.full, got,
				c.want)
		}
	}
	for _, c := range []struct {
		full float64
		want bool
	}{{2.4, true}, {2.6, false}} { // one example of twelve has the violation 3, so the mean violation is 0.25
		s := cached(t, "svmstruct", 0.01, c.full)
		clear(s.sep.kept[1:])
		if got := s.fromCache(); got != c.want {
			t.Errorf("last violation %v: fromCache = %v with a mean violation of 0.25, want %v", c.full, got, c.want)
		}
	}
}

// TestOneSlackCacheOrder checks that a new labelling replaces the least recently used labelling of the cache.
func TestOneSlackCacheOrder(t *testing.T) {
	s := newSeparation(planeCases(t)[0].Task.Objective(models.Hinge(), 1).(*models.Risk), 3)
	y := func(r int) labelling { return labelling{models.Vertex{r}, 1} }
	for r := range 3 {
		s.keep(0, y(r))
	}
	s.choose(0, 2) // uses the labelling that was stored first
	if !s.chosen[0].y.Equal(models.Vertex{0}) {
		t.Errorf("chosen labelling = %v, want [0]", s.chosen[0].y)
	}
	s.keep(0, y(3))
	var got []int
	for _, l := range s.kept[0] {
		got = append(got, l.y[0])
	}
	if !slices.Equal(got, []int{3, 0, 2}) {
		t.Errorf("cached labellings = %v, want 3, 0 and 2", got)
	}
}

// TestNSlackStep checks that nSlackState.separate adds a labelling to the working set if its violation minus ξ_i
// exceeds the precision, and that separate counts the added labellings.
func TestNSlackStep(t *testing.T) {
	p := planeCases(t)[0].Task.Objective(models.Hinge(), 1).(*models.Risk)
	for precision, want := range map[float64]bool{1.6: true, 2.9: true, 3.1: false} {
		st := newNSlackState(&NSlack{Precision: "fixed", Epsilon: precision, QP: "coordinate", Batch: 100}, p, solvers.Env{})
		st.precision = precision
		if got := st.separate(0); got != want || st.set.Len() != st.added || want != (st.added == 1) {
			t.Errorf("precision %v, violation 3: separate = %v, want %v; added = %d for a working set of %d", precision, got,
				want, st.added, st.set.Len())
		}
	}
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		at := testbed.EndOf(t, &NSlack{Epsilon: 1e-3, Precision: "halving", QP: "coordinate", Batch: 3}, p)
		if got := at.Stats["constraints_added"]; got != at.Stats["working_set"] || got < 3 ||
			at.Stats["working_set_most"] != got {
			t.Errorf("constraints_added = %v, working_set = %v and working_set_most = %v, want equal numbers, because no "+
				"constraint is removed", got, at.Stats["working_set"], at.Stats["working_set_most"])
		}
	})
}
