package cuttingplane

import (
	"context"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/qp"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestNSlackBatch checks that the QP is solved after each Batch new constraints and at the end of a pass. For each
// Batch, the primal and the dual at the end must be within ε of the optimum.
func TestNSlackBatch(t *testing.T) {
	const eps = 1e-3
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		best := bestOf(t, p)
		var qps []float64
		for _, batch := range []int{1, 3, 100} {
			at := testbed.EndOf(t, &NSlack{Epsilon: eps, Precision: "fixed", QP: "coordinate", Batch: batch}, p)
			if at.Primal > best.Primal+1.501*eps || at.Dual < best.Dual-1.501*eps {
				t.Errorf("batch %d: primal = %v and dual = %v, want both within ε of the optimum %v", batch, at.Primal, at.Dual,
					best.Primal)
			}
			if batch == 1 && at.Stats["qps"] < at.Stats["constraints_added"] {
				t.Errorf("batch 1: qps = %v, want at least one for each of %v constraints", at.Stats["qps"],
					at.Stats["constraints_added"])
			}
			if batch == 100 && at.Stats["qps"] > float64(at.Epoch) {
				t.Errorf("batch 100: qps = %v, want at most one for each of %d passes over %d examples", at.Stats["qps"], at.Epoch,
					len(p.Examples))
			}
			qps = append(qps, at.Stats["qps"])
			start := &NSlack{Epsilon: eps, Precision: "fixed", QP: "coordinate", Batch: batch}
			for it := range testbed.Iterates(t, solvers.Run(start, p, solvers.Env{Seed: 1})) {
				if it.Epoch == 1 {
					if !(it.Dual() > 0) {
						t.Errorf("batch %d: dual after the first pass = %v, want > 0 because the QP has constraints", batch, it.Dual())
					}
					break
				}
			}
		}
		if qps[0] <= qps[2] {
			t.Errorf("qps with batch 1, 3 and 100 = %v, want more with 1 than with 100", qps)
		}
	})
}

// TestNSlackPrecision checks that with precision: halving the precision begins at 100 and is halved down to eps, and
// that each halving needs a pass. From 100 to below 10⁻³, there are 17 halvings.
func TestNSlackPrecision(t *testing.T) {
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		halving, last := &NSlack{Epsilon: 1e-3, Precision: "halving", QP: "coordinate", Batch: 100}, 100.0
		for it := range testbed.Iterates(t, solvers.Run(halving, p, solvers.Env{Seed: 1})) {
			precision := testbed.EndAt(it).Stats["precision"]
			if precision != last && precision != max(last/2, 1e-3) {
				t.Fatalf("the precision changes from %v to %v, want no change or half", last, precision)
			}
			last = precision
		}
		if last != 1e-3 {
			t.Errorf("precision at the end = %v, want ε = 0.001", last)
		}
		fixed := testbed.EndOf(t, &NSlack{Epsilon: 1e-3, Precision: "fixed", QP: "coordinate", Batch: 100}, p)
		if at := testbed.EndOf(t, halving, p); at.Epoch <= 17 || at.Epoch <= fixed.Epoch {
			t.Errorf("%d passes, want more than 17, and more than %d as with a fixed precision", at.Epoch, fixed.Epoch)
		}
	})
}

// TestNSlackRefine checks that refine solves the QP again only if the last one had a larger tolerance, and that it
// reports whether the QP made a step; w may move only then. Many of the tolerances are only a little smaller than the
// one before, so that the last solution already meets them.
func TestNSlackRefine(t *testing.T) {
	moves, rests := 0, 0
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		for _, name := range []string{"coordinate", "decomposition"} {
			st := newNSlackState(&NSlack{Epsilon: 1e-3, Precision: "fixed", QP: name, Batch: 100, Tolerance: 1}, p,
				solvers.Env{Seed: 1})
			st.begin(p.Lambda)
			if st.refine() {
				t.Errorf("%s: w moved without a constraint", name)
			}
			st.beginPass()
			st.pass(func(solvers.Iterate, error) bool { return true })
			for _, factor := range []float64{1, 2, 0.1, 0.999, 0.5, 0.999, 1, 1e-3, 0.999, 0.999, 2, 0.1, 0.999} {
				st.s.Tolerance *= factor
				needed := st.s.Tolerance < st.solvedTo
				w, qps, steps := slices.Clone(st.set.W()), st.qps, st.steps
				moved := st.refine()
				if solved := st.qps > qps; solved != needed {
					t.Errorf("%s, tolerance %g: solved again %v, want %v", name, st.s.Tolerance, solved, needed)
				}
				if moved != (st.steps > steps) || !moved && !slices.Equal(w, st.set.W()) {
					t.Errorf("%s, tolerance %g: refine reports %v after %d steps; w is as before: %v", name, st.s.Tolerance, moved,
						st.steps-steps, slices.Equal(w, st.set.W()))
				}
				switch {
				case moved:
					moves++
				case needed:
					rests++
				}
			}
		}
	})
	if moves == 0 || rests == 0 {
		t.Errorf("%d QPs with steps and %d without, want both", moves, rests)
	}
}

// TestNSlackQP checks that the setting qp chooses the QP solver: one pass, with one QP at its end, gives every bit of
// the w that the solver of this name gives for the same working set. The two solvers must give different w. A run that
// was stopped must also stop its QP.
func TestNSlackQP(t *testing.T) {
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		after := func(name string, solver qp.Solver) (*nSlackState, int) {
			st := newNSlackState(&NSlack{Epsilon: 1e-3, Precision: "fixed", QP: name, Batch: 1000, Tolerance: 0.01}, p,
				solvers.Env{Seed: 1})
			if solver != nil {
				st.solver = solver
			}
			st.begin(p.Lambda)
			st.beginPass()
			st.pass(func(solvers.Iterate, error) bool { return true })
			return st, st.steps
		}
		ends := map[string][]float64{}
		for name, solver := range map[string]qp.Solver{"coordinate": &qp.Coordinate{},
			"decomposition": &qp.Decomposition{Pairs: 5}} {
			got, steps := after(name, nil)
			want, wantSteps := after(name, solver)
			if got.qps != 1 || steps == 0 || steps != wantSteps || !slices.Equal(got.set.W(), want.set.W()) {
				t.Errorf("%s: w = %v after %d QPs with %d steps, want %v after one with %d", name, got.set.W(), got.qps, steps,
					want.set.W(), wantSteps)
			}
			ends[name] = slices.Clone(got.set.W())

			ctx, cancel := context.WithCancel(context.Background())
			stopped := newNSlackState(&NSlack{Epsilon: 1e-3, QP: name}, p, solvers.Env{Seed: 1, Context: ctx})
			cancel()
			if again := stopped.solver.Solve(got.set, 0); again > 1 {
				t.Errorf("%s: %d steps of a QP after the run was stopped, want at most 1", name, again)
			}
		}
		if slices.Equal(ends["coordinate"], ends["decomposition"]) {
			t.Error("both QP solvers give the same w, so the test cannot distinguish them")
		}
	})
}
