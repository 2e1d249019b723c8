package cuttingplane

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/qp"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// ageing is a QP solver that computes, from α alone, which constraints must be removed after each QP: those with
// multiplier 0 in max(drop, number of QPs of this pass) consecutive QPs.
type ageing struct {
	qp.Solver
	st      *nSlackState
	idle    [][]int // for each example and each of its constraints: number of consecutive QPs with multiplier 0
	qps     int     // number of QPs of this pass
	begun   bool    // whether this pass had a QP at its first visit
	late    int     // number of constraints that were kept only because of the number of QPs of the pass
	removed int
}

func (a *ageing) Solve(b *qp.Blocks, tol float64) int {
	steps := a.Solver.Solve(b, tol)
	if a.st.at == 0 {
		a.qps, a.begun = 0, true
	}
	a.qps++
	for i := range a.idle {
		var kept []int
		for k, alpha := range b.Alpha(i) {
			n := 1
			if k < len(a.idle[i]) {
				n += a.idle[i][k]
			}
			switch {
			case alpha > 0:
				n = 0
			case n >= a.st.s.Drop && n >= a.qps:
				a.removed++
				continue
			case n >= a.st.s.Drop:
				a.late++
			}
			kept = append(kept, n)
		}
		a.idle[i] = kept
	}
	return steps
}

// TestNSlackVisits follows runs visit by visit. It checks when the QP is solved: after Batch new constraints, and at
// the end of a pass with a new constraint; when a constraint is removed; when ε is halved; and the statistics
// loss_seen and radius_sq_seen of the added labellings, with margin and slack rescaling.
func TestNSlackVisits(t *testing.T) {
	late, removed, halved := 0, 0, 0
	eachRescaling(t, 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		for _, s := range []*NSlack{
			{Epsilon: 0.01, Precision: "fixed", QP: "coordinate", Batch: 1, Drop: 2},
			{Epsilon: 0.01, Precision: "halving", QP: "coordinate", Batch: 2, Drop: 3},
			{Epsilon: 0.01, Precision: "svmstruct", QP: "coordinate", Batch: 3, Drop: 2},
			{Epsilon: 0.01, Precision: "svmstruct", QP: "decomposition", Batch: 100, Drop: 4},
		} {
			n := len(p.Examples)
			st := newNSlackState(s, p, solvers.Env{Seed: 1})
			follow := &ageing{Solver: st.solver, st: st, idle: make([][]int, n)}
			st.solver = follow
			var before nSlackState
			fresh, last, loss, widest := 0, 0, 0.0, 0.0 // last: number of constraints that the last pass added
			for it := range testbed.Iterates(t, st.Run(p.Lambda)) {
				if it.Epoch == 0 && st.at == 0 {
					before = *st
					continue
				}
				added, qps := st.added-before.added, 0
				if fresh += added; added > 0 {
					e, y := &p.Examples[st.at-1], st.scratch.Y
					psi := testbed.Difference(p.Dim, e, y)
					loss, widest = max(loss, e.LabelLoss(y)), max(widest, floats.Dot(psi, psi))
				}
				if fresh >= s.Batch || st.at == n && fresh > 0 {
					qps, fresh = 1, 0
				}
				if st.at > 1 && st.qps-before.qps != qps {
					t.Fatalf("%+v, epoch %d, visit %d: %d QPs, want %d", *s, it.Epoch, st.at, st.qps-before.qps, qps)
				}
				if st.at == 1 {
					if !follow.begun {
						follow.qps = 0
					}
					follow.begun = false
					if last > 0 {
						want := before.precision
						if s.Precision == "svmstruct" && want > s.Epsilon && last <= min(n/3, max(n/100, 5)) {
							want = max(want/2, s.Epsilon)
							halved++
						}
						if st.precision != want {
							t.Fatalf("%+v, epoch %d: ε = %v after a pass with %d constraints at ε = %v, want %v", *s, it.Epoch,
								st.precision, last, before.precision, want)
						}
					}
					last = 0
				}
				last += added
				for i, idle := range follow.idle {
					size := len(idle)
					if added > 0 && qps == 0 && i == st.at-1 || qps == 0 && len(st.set.Alpha(i)) > size {
						continue // the new constraint was in no QP yet
					}
					if len(st.set.Alpha(i)) != size {
						t.Fatalf("%+v, epoch %d, visit %d: %d constraints of example %d, want %d", *s, it.Epoch, st.at,
							len(st.set.Alpha(i)), i, size)
					}
				}
				stats := testbed.EndAt(it).Stats
				if math.Abs(stats["loss_seen"]-loss) > 1e-12 || math.Abs(stats["radius_sq_seen"]-widest) > 1e-9*widest {
					t.Fatalf("%+v, epoch %d, visit %d: loss_seen = %v and radius_sq_seen = %v, want %v and %v", *s, it.Epoch,
						st.at, stats["loss_seen"], stats["radius_sq_seen"], loss, widest)
				}
				before = *st
			}
			late, removed = late+follow.late, removed+follow.removed
			best := bestOf(t, p)
			if at := p.Primal(st.set.W()); at > best.Primal+0.02 {
				t.Errorf("%+v: primal at the end = %v, want at most 0.02 above the optimum %v", *s, at, best.Primal)
			}
		}
	})
	if late == 0 || removed == 0 || halved == 0 {
		t.Errorf("%d constraints were kept for the QPs of their pass, %d removed, and ε was halved %d times after a pass "+
			"with constraints: want some of each", late, removed, halved)
	}
}

// TestNSlackFew checks how many new constraints are few, for precision: svmstruct: at most a third of the examples, and
// at most a hundredth of them or 5, whichever is more.
func TestNSlackFew(t *testing.T) {
	for n, want := range map[int]int{1: 0, 3: 1, 12: 4, 15: 5, 300: 5, 599: 5, 600: 6, 5000: 50} {
		st := &nSlackState{p: &models.Risk{Examples: make([]models.Example, n)}}
		if got := st.few(); got != want {
			t.Errorf("few = %d for %d examples, want %d", got, n, want)
		}
	}
}

// TestNSlackBegin checks the precision and the attempts at the begin of a run, also of a second run of a session.
func TestNSlackBegin(t *testing.T) {
	p := planeCases(t)[0].Task.Objective(models.Hinge(), 0.1).(*models.Risk)
	for _, c := range []struct {
		precision string
		eps, want float64
	}{{"fixed", 0.1, 0.1}, {"fixed", 300, 300}, {"halving", 0.1, 100}, {"halving", 300, 300}, {"halving", 0, 100},
		{"svmstruct", 0.1, 100}, {"svmstruct", 300, 300}} {
		st := newNSlackState(&NSlack{Epsilon: c.eps, Precision: c.precision, QP: "coordinate", Batch: 1}, p, solvers.Env{})
		for _, lambda := range []float64{0.1, 0.1, 0.3} {
			st.precision, st.attempts, st.solvedTo = 7, 3, 0.5
			st.begin(lambda)
			if st.precision != c.want || st.attempts != 0 || st.p.Lambda != lambda ||
				math.IsInf(st.solvedTo, 1) != (lambda == 0.3) {
				t.Errorf("%s, eps %v, λ = %v: precision = %v, attempts = %d, solvedTo = %v; want %v, 0, and +Inf if λ changes",
					c.precision, c.eps, lambda, st.precision, st.attempts, st.solvedTo, c.want)
			}
		}
	}
}
