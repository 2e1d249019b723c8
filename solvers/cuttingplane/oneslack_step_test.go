package cuttingplane

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestOneSlackCounts: an iterate reports the working set correctly, also while some of its constraints are idle.
func TestOneSlackCounts(t *testing.T) {
	idle := 0
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		for _, drop := range []int{0, 2} {
			s := newOneSlackState(&OneSlack{Epsilon: 1e-3, CacheRule: "svmstruct", Step: "qp", Drop: drop}, p, solvers.Env{})
			most := 0.0
			for it := range testbed.Iterates(t, s.Run(p.Lambda)) {
				support, size := 0., float64(len(s.dual.Alpha()))
				for _, a := range s.dual.Alpha() {
					if a != 0 {
						support++
					}
				}
				stats := testbed.EndAt(it).Stats
				if stats["support_vectors"] != support || stats["working_set"] != size {
					t.Fatalf("epoch %d: %v of %v constraints have a multiplier: want %v of %v", it.Epoch,
						stats["support_vectors"], stats["working_set"], support, size)
				}
				idle += int(size - support)
				most = max(most, size)
				if got := stats["working_set_most"]; got < most || drop == 0 && got != most || got > float64(it.Epoch) {
					t.Fatalf("drop %d, epoch %d: at most %v constraints: want %v", drop, it.Epoch, got, most)
				}
			}
			if drop == 0 && most < 3 {
				t.Errorf("%v constraints say nothing", most)
			}
		}
	})
	if idle == 0 {
		t.Error("no constraint was idle")
	}
}

// TestOneSlackMemory: a constraint leaves the working set after exactly Drop QPs in a row without a multiplier.
func TestOneSlackMemory(t *testing.T) {
	const drop = 3
	left := 0
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		s := newOneSlackState(&OneSlack{Epsilon: 1e-4, CacheRule: "svmstruct", Step: "qp", Drop: drop}, p, solvers.Env{})
		idle, epoch := map[*float64]int{}, 0 // by the first number of a constraint
		for it := range testbed.Iterates(t, s.Run(p.Lambda)) {
			if it.Epoch == epoch {
				continue // no QP
			}
			epoch = it.Epoch
			now := map[*float64]int{}
			for k, a := range s.dual.Alpha() {
				at := &s.g[k].Value[0]
				if now[at] = idle[at] + 1; a > 0 {
					now[at] = 0
				}
				if now[at] >= drop {
					t.Fatalf("QP %d: a constraint is kept after %d QPs without a multiplier", epoch, now[at])
				}
			}
			for at, n := range idle {
				if _, kept := now[at]; !kept {
					if left++; n != drop-1 {
						t.Fatalf("QP %d: a constraint has left after %d QPs without a multiplier: want %d", epoch, n+1, drop)
					}
				}
			}
			idle = now
		}
	})
	if left == 0 {
		t.Error("no constraint has left")
	}
}

// cached returns a state at w = 0 whose cache has one wrong labelling of each example, all of label loss 3: the mean
// violation is 3, and ξ is 0.
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

// TestOneSlackCacheRule: with svmstruct a constraint is composed of labellings violated by more than half of the last
// violation found, and suffices above a tenth of it; with paper it is composed of all, and suffices above ε.
func TestOneSlackCacheRule(t *testing.T) {
	for _, c := range []struct {
		rule      string
		eps, full float64
		want      bool
	}{
		{"svmstruct", 0.1, 5.9, true}, {"svmstruct", 0.1, 6.1, false}, // half of it: 3
		{"svmstruct", 2.9, 5.9, true}, {"svmstruct", 3.1, 5.9, false}, // ε
		{"paper", 0.1, 6.1, true}, {"paper", 0.1, 1000, true}, {"paper", 3.1, 0.1, false},
	} {
		if got := cached(t, c.rule, c.eps, c.full).fromCache(); got != c.want {
			t.Errorf("%s, ε = %v, last violation %v: a violation of 3 will do: %v; want %v", c.rule, c.eps, c.full, got, c.want)
		}
	}
	for _, c := range []struct {
		full float64
		want bool
	}{{2.4, true}, {2.6, false}} { // one example of twelve is violated by 3, which is 0.25 in the mean
		s := cached(t, "svmstruct", 0.01, c.full)
		clear(s.sep.kept[1:])
		if got := s.fromCache(); got != c.want {
			t.Errorf("last violation %v: a mean violation of 0.25 will do: %v; want %v", c.full, got, c.want)
		}
	}
}

// TestOneSlackCacheOrder: a new labelling replaces the one least recently used.
func TestOneSlackCacheOrder(t *testing.T) {
	s := newSeparation(planeCases(t)[0].Task.Objective(models.Hinge(), 1).(*models.Risk), 3)
	y := func(r int) labelling { return labelling{models.Vertex{r}, 1} }
	for r := range 3 {
		s.keep(0, y(r))
	}
	s.choose(0, 2) // the first
	if !s.chosen[0].y.Equal(models.Vertex{0}) {
		t.Errorf("%v is chosen: want the labelling 0", s.chosen[0].y)
	}
	s.keep(0, y(3))
	var got []int
	for _, l := range s.kept[0] {
		got = append(got, l.y[0])
	}
	if !slices.Equal(got, []int{3, 0, 2}) {
		t.Errorf("the labellings kept are %v: want 3, 0 and 2", got)
	}
}

// TestNSlackStep: a labelling joins the working set if it is violated by more than the precision beyond ξ, and is
// counted.
func TestNSlackStep(t *testing.T) {
	p := planeCases(t)[0].Task.Objective(models.Hinge(), 1).(*models.Risk)
	for precision, want := range map[float64]bool{1.6: true, 2.9: true, 3.1: false} {
		st := newNSlackState(&NSlack{Precision: "fixed", Epsilon: precision, QP: "coordinate", Batch: 100}, p, solvers.Env{})
		st.precision = precision
		if got := st.separate(0); got != want || st.set.Len() != st.added || want != (st.added == 1) {
			t.Errorf("precision %v: a violation of 3 joins: %v, %d of %d counted; want %v", precision, got, st.added,
				st.set.Len(), want)
		}
	}
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		at := testbed.EndOf(t, &NSlack{Epsilon: 1e-3, Precision: "halving", QP: "coordinate", Batch: 3}, p)
		if got := at.Stats["constraints_added"]; got != at.Stats["working_set"] || got < 3 ||
			at.Stats["working_set_most"] != got {
			t.Errorf("%v constraints were added, %v are there and %v were at most: want them the same, as none is dropped", got,
				at.Stats["working_set"], at.Stats["working_set_most"])
		}
	})
}
