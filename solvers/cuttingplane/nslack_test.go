package cuttingplane

import (
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestNSlackBatch: the QP is solved after Batch new constraints and at the end of a pass. The batch changes neither the
// optimum nor, beyond ε, the bounds.
func TestNSlackBatch(t *testing.T) {
	const eps = 1e-3
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		best := bestOf(t, p)
		var qps []float64
		for _, batch := range []int{1, 3, 100} {
			at := testbed.EndOf(t, &NSlack{Epsilon: eps, Precision: "fixed", QP: "coordinate", Batch: batch}, p)
			if at.Primal > best.Primal+1.501*eps || at.Dual < best.Dual-1.501*eps {
				t.Errorf("batch %d: primal %v and dual %v: the optimum is %v", batch, at.Primal, at.Dual, best.Primal)
			}
			if batch == 1 && at.Stats["qps"] < at.Stats["constraints_added"] {
				t.Errorf("batch 1: %v QPs for %v constraints", at.Stats["qps"], at.Stats["constraints_added"])
			}
			if batch == 100 && at.Stats["qps"] > float64(at.Epoch) {
				t.Errorf("batch 100: %v QPs in %d passes over %d examples", at.Stats["qps"], at.Epoch, len(p.Examples))
			}
			qps = append(qps, at.Stats["qps"])
			start := &NSlack{Epsilon: eps, Precision: "fixed", QP: "coordinate", Batch: batch}
			for it := range testbed.Iterates(t, solvers.Run(start, p, solvers.Env{Seed: 1})) {
				if it.Epoch == 1 {
					if !(it.Dual() > 0) {
						t.Errorf("batch %d: the dual is %v after the first pass: want its constraints in the QP", batch, it.Dual())
					}
					break
				}
			}
		}
		if qps[0] <= qps[2] {
			t.Errorf("QPs with batch 1, 3 and 100: %v", qps)
		}
	})
}

// TestNSlackPrecision: halving begins at 100 and takes passes of its own: 17 halvings lead from there to below 10⁻³.
func TestNSlackPrecision(t *testing.T) {
	eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		halving, last := &NSlack{Epsilon: 1e-3, Precision: "halving", QP: "coordinate", Batch: 100}, 100.0
		for it := range testbed.Iterates(t, solvers.Run(halving, p, solvers.Env{Seed: 1})) {
			precision := testbed.EndAt(it).Stats["precision"]
			if precision != last && precision != max(last/2, 1e-3) {
				t.Fatalf("the precision goes from %v to %v", last, precision)
			}
			last = precision
		}
		if last != 1e-3 {
			t.Errorf("the last precision is %v: want ε = 0.001", last)
		}
		fixed := testbed.EndOf(t, &NSlack{Epsilon: 1e-3, Precision: "fixed", QP: "coordinate", Batch: 100}, p)
		if at := testbed.EndOf(t, halving, p); at.Epoch <= 17 || at.Epoch <= fixed.Epoch {
			t.Errorf("%d passes: want more than 17, and than the %d of a fixed precision", at.Epoch, fixed.Epoch)
		}
	})
}
