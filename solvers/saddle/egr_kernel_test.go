package saddle

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestEGRKernel checks that EGR has the same primal and dual values with the linear kernel as with features (Zhang,
// Saha and Vishwanathan 2011, section 4.3). With a kernel, w consists of coefficients, which are determined by the
// distribution β of theorem 9 (see EGR).
func TestEGRKernel(t *testing.T) {
	data := testbed.ShortSequences(3, 3, 4, 2, 5, 1, 3, 6)
	e := &EGR{Lipschitz: "theory", Scale: 1, Marginals: "none"}
	for _, edges := range []string{"tied", "untied"} {
		features := testbed.TaskOf(t, chain.Model{Edges: edges}, data).Objective(models.Hinge(), 0.1).(*models.Risk)
		kernel := testbed.TaskOf(t, kernel.Chain{Kernel: "linear", Edges: edges, Cache: 1}, data).Objective(models.Hinge(),
			0.1).(*models.Risk)
		a, b := newEGRState(e, features, solvers.Env{Seed: 1}), newEGRState(e, kernel, solvers.Env{Seed: 1})
		b.lipschitz = a.lipschitz // the bounds on R² with and without the kernel differ, because features may be negative
		b.uniform()
		b.start()
		for range 100 {
			primal, dual := features.Primal(a.now.w), a.dual
			if d := math.Abs(kernel.Primal(b.now.w) - primal); d > 1e-9*(1+primal) {
				t.Fatalf("%s, k = %d: J with the kernel differs by %v from J with features, %v: want 0", edges, a.k, d, primal)
			}
			if d := math.Abs(b.dual - dual); d > 1e-9*(1+math.Abs(dual)) || a.k != b.k {
				t.Fatalf("%s, k = %d: D with the kernel, at k = %d, differs by %v from D with features, %v: want 0", edges, a.k,
					b.k, d, dual)
			}
			a.step()
			b.step()
		}
	}
}
