package coordinate

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSDCAOptimum checks that the primal and the dual of SDCA converge to the optimum that L-BFGS finds, at a linear
// rate.
func TestSDCAOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	for name, p := range sdcaProblems(t, 12, 1) {
		least, dual := testbed.After(t, p, &gradient.LBFGS{Memory: 10}, 300)
		if least-dual > 1e-8*least {
			t.Fatalf("%s: primal = %v and dual = %v of L-BFGS, want a gap of 0", name, least, dual)
		}
		for _, s := range []*SDCA{{Order: "random", Begin: "truth"},
			{Order: "permutation", Begin: "uniform"}, {Order: "cyclic", Begin: "truth"}} {
			marks := []float64{1e-2, 1e-4, 1e-6} // relative duality gaps to reach
			var at []int
			last, epoch := math.Inf(-1), -1
			for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
				bound := it.Dual()
				if bound < last-1e-12*(1+math.Abs(last)) || bound > least*(1+1e-10) {
					t.Fatalf("%s, %+v, epoch %d: dual = %v after %v: want no decrease, and at most the optimum %v", name, *s,
						it.Epoch, bound, last, least)
				}
				last = bound
				if it.Epoch == epoch {
					continue
				}
				epoch = it.Epoch
				primal := p.Primal(it.W)
				for len(at) < len(marks) && primal-bound <= marks[len(at)]*primal {
					at = append(at, epoch)
				}
				if len(at) == len(marks) {
					if math.Abs(primal-least) > 1e-6*least || math.Abs(bound-least) > 1e-6*least {
						t.Errorf("%s, %+v: primal = %v and dual = %v, want the optimum %v", name, *s, primal, bound, least)
					}
					break
				}
				if epoch == 1000 {
					t.Fatalf("%s, %+v: primal = %v and dual = %v after 1000 epochs, want the optimum %v", name, *s, primal, bound,
						least)
				}
			}
			if at[2]-at[1] > 2*(at[1]-at[0])+5 {
				t.Errorf("%s, %+v: the relative gaps %v are reached at epochs %v: want about equal distances", name, *s, marks, at)
			}
		}
	}
}
